import { isMantineColorScheme, type MantineColorScheme, type MantineColorSchemeManager } from '@mantine/core'
import { browserStore } from '../lib/session/browser-store.ts'

/** Mantine's own name for it. Its own keeper looks at storage unguarded when another tab changes something. */
const schemeStore = browserStore(() => localStorage, 'mantine-color-scheme-value')

function readScheme(otherwise: MantineColorScheme): MantineColorScheme {
  const value = schemeStore.get()
  return isMantineColorScheme(value) ? value : otherwise
}

let stop = () => {}

/** Light or dark on this device; in memory only where the browser stores nothing. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: readScheme,
  set: schemeStore.set,
  subscribe(onUpdate) {
    stop = schemeStore.subscribe(() => onUpdate(readScheme('auto')))
  },
  unsubscribe: () => stop(),
  clear: () => schemeStore.set(null),
}
