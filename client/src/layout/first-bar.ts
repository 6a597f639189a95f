import { tokenStore } from '../lib/session/browser-store.ts'
import { defaultScheme, schemeStore } from '../theme/scheme-store.ts'
import { pagesWithoutBar } from './pages-without-bar.ts'

/** Shows the bar of `index.html` in this device's colours where somebody signed in opens a page with one. */
export function showFirstBar(pathname: string): void {
  const { dataset } = document.documentElement
  const chosen = schemeStore.get() ?? defaultScheme()
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  dataset.mantineColorScheme = isDark ? 'dark' : 'light'
  if (tokenStore.get() && !pagesWithoutBar.includes(pathname)) dataset.firstBar = ''
}
