import { isMantineColorScheme, type MantineColorScheme, type MantineColorSchemeManager } from '@mantine/core'
import { schemeStore } from './scheme-store.ts'

function readScheme(otherwise: MantineColorScheme): MantineColorScheme {
  const value = schemeStore.get()
  return isMantineColorScheme(value) ? value : otherwise
}

let stop = () => {}

/**
 * Light or dark on this device; in memory only where the browser stores nothing. Mantine's own manager looks at storage
 * unguarded when another tab changes something.
 */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: readScheme,
  set: schemeStore.set,
  subscribe(onUpdate) {
    stop = schemeStore.subscribe(() => onUpdate(readScheme('auto')))
  },
  unsubscribe: () => stop(),
  clear: () => schemeStore.set(null),
}
