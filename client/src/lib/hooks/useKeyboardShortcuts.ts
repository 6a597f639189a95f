import { useLayoutEffect } from 'react'
import { browserStore } from '../session/browser-store.ts'

/** Speech input may type single keys by accident (WCAG 2.1.4). */
export const singleKeysStore = browserStore(() => localStorage, 'assay.single-keys')
export const areSingleKeysOn = () => singleKeysStore.get() !== 'off'

/** Keys by name (`j`, `?`, `Escape`); `mod+Enter` is Ctrl or ⌘ with Enter. */
type Shortcuts = Record<string, (() => void) | undefined>

const typingTargets =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable="true"]'
const pressableTargets = 'a[href], button, summary, input, textarea, select'
const shortcutIgnoringContainers = '[role="dialog"], [role="menu"]'

function keyName(event: KeyboardEvent): string | null {
  if (event.altKey) return null
  const key = latinKey(event)
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key
}

/** On a layout without Latin letters, the letter that the key has on a Latin one. */
function latinKey({ key, code, shiftKey }: KeyboardEvent): string {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? []
  if (letter === undefined || [...key].length !== 1 || key < '\u0080') return key
  return shiftKey ? letter : letter.toLowerCase()
}

const isSingle = (name: string) => [...name].length === 1

function belongsToTarget(name: string, target: Element | null): boolean {
  if (name === 'Enter' || name === ' ') return target?.closest(pressableTargets) != null
  return /^(Arrow|Backspace)/.test(name) && target?.closest(`${typingTargets}, [type=radio]`) != null
}

/** Single keys are ignored while someone types; a dialog or menu handles its own. */
export function useKeyboardShortcuts(shortcuts: Shortcuts): void {
  // Before the browser paints: a key pressed on what is seen must not reach the previous screen's shortcuts.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const name = keyName(event)
      const action = name ? shortcuts[name] : undefined
      if (!name || !action) return
      const target = event.target instanceof Element ? event.target : null
      if (target?.closest(shortcutIgnoringContainers) || document.querySelector('[role="dialog"][aria-modal="true"]'))
        return
      if (belongsToTarget(name, target)) return
      if (isSingle(name) && (!areSingleKeysOn() || target?.closest(typingTargets))) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [shortcuts])
}
