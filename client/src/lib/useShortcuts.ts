import { useEffect } from 'react'
import { stored } from './stored.ts'

/** Whether single keys work at all; some people's speech input types them by accident (WCAG 2.1.4). */
export const singleKeysStore = stored(() => localStorage, 'assay.single-keys')
export const singleKeysOn = () => singleKeysStore.get() !== 'off'

/** Keys by their name (`j`, `?`, `Escape`); `mod+Enter` is Ctrl or ⌘ with Enter. */
export type Shortcuts = Record<string, (() => void) | undefined>

const typingInto =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable="true"]'
const ownKeys = '[role="dialog"], [role="menu"]'

function nameOf(event: KeyboardEvent): string | null {
  if (event.altKey) return null
  return event.ctrlKey || event.metaKey ? `mod+${event.key}` : event.key
}

const isSingle = (name: string) => [...name].length === 1

/** Keys of a screen. Single keys are left alone while someone types; a dialog or a menu keeps its own. */
export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const name = nameOf(event)
      const action = name ? shortcuts[name] : undefined
      if (!name || !action) return
      const target = event.target instanceof Element ? event.target : null
      if (target?.closest(ownKeys) || document.querySelector('[role="dialog"][aria-modal="true"]')) return
      if (isSingle(name) && (!singleKeysOn() || target?.closest(typingInto))) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [shortcuts])
}
