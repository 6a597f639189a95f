import { isMantineColorScheme, type MantineColorScheme, type MantineColorSchemeManager } from '@mantine/core'
import { stored } from '../lib/stored.ts'

/** Mantine's own name for it. Its own keeper looks at storage unguarded when another tab changes something. */
const kept = stored(() => localStorage, 'mantine-color-scheme-value')

function read(otherwise: MantineColorScheme): MantineColorScheme {
  const value = kept.get()
  return isMantineColorScheme(value) ? value : otherwise
}

let stop = () => {}

/** Light or dark on this device; for as long as the page lives where the browser keeps nothing. */
export const schemeManager: MantineColorSchemeManager = {
  get: read,
  set: kept.set,
  subscribe(onUpdate) {
    stop = kept.subscribe(() => onUpdate(read('auto')))
  },
  unsubscribe: () => stop(),
  clear: () => kept.set(null),
}
