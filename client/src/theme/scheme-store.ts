import { browserStore } from '../lib/session/browser-store.ts'

/** Under Mantine's own name. */
export const schemeStore = browserStore(() => localStorage, 'mantine-color-scheme-value')

/** Most LMSs are light whatever the system is. */
export const defaultScheme = () => (window.parent === window ? 'auto' : 'light')
