import { browserStore } from '../lib/session/browser-store.ts'

/** Light, dark or auto on this device, under Mantine's own name for it. */
export const schemeStore = browserStore(() => localStorage, 'mantine-color-scheme-value')

/** In a frame stays light, as most LMSs are whatever the system is, until somebody chooses. */
export const defaultScheme = () => (window.parent === window ? 'auto' : 'light')
