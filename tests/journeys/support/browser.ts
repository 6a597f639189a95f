import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Frame, type Locator, type Page } from 'playwright-core'

const chromiumPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Chromium loads these popups of its address bar for each window, as pages that take more CPU than ours. */
const popupsOfTheAddressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** As in playwright's sources: of several `--disable-features` lists Chromium heeds only the last, which is ours. */
const disabledByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...disabledByPlaywright, ...popupsOfTheAddressBar].join(',')}`,
]

function chromiumPath(): string {
  const executablePath = chromiumPaths.find((path) => existsSync(path))
  if (!executablePath) throw new Error('no Chromium was found: `npm test` installs it')
  return executablePath
}

/** Without background requests of its own. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), headless: true, args })
}

function openBrowserWithProfile(folder: string, more: string[]): Promise<BrowserContext> {
  const options = { ...contextOptions, executablePath: chromiumPath(), headless: true, args: [...args, ...more] }
  return chromium.launchPersistentContext(folder, options)
}

export const desktop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }
/** Axe would sometimes find too little contrast in the middle of a fade. */
export const contextOptions = { viewport: desktop, reducedMotion: 'reduce' } as const

/**
 * `partitioned`: no storage and only `Partitioned` third-party cookies, as by default. `none`: strict privacy settings.
 * `all`: as in older browsers.
 */
export type FrameCookies = 'partitioned' | 'none' | 'all'

const settings: Record<FrameCookies, object> = {
  partitioned: { cookie_controls_mode: 1, block_third_party_cookies: true },
  all: { cookie_controls_mode: 0, block_third_party_cookies: false },
  // In its own window the product's cookies are allowed.
  none: {
    cookie_controls_mode: 1,
    block_third_party_cookies: true,
    content_settings: { exceptions: { cookies: { 'localhost,127.0.0.1': { setting: 2 } } } },
  },
}

export interface JourneyBrowser {
  browser: Browser
  close(): Promise<void>
}

/** Starting it costs more CPU than most pages, so it is to be shared. */
export async function openJourneyBrowser(cookies: FrameCookies): Promise<JourneyBrowser> {
  // Only a profile has these settings; its contexts inherit them.
  const folder = await mkdtemp(join(tmpdir(), 'assay-browser-'))
  await mkdir(join(folder, 'Default'))
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify({ profile: settings[cookies] }))
  const own = await openBrowserWithProfile(folder, [
    // A launch navigates across sites within a frame faster than playwright can follow it from process to process, so
    // it would sometimes lose the frame. Cookies still depend on the site.
    '--disable-site-isolation-trials',
    // No page lives long enough to gain from optimized code.
    '--js-flags=--no-opt --no-maglev',
  ])
  const browser = own.browser()
  if (!browser) throw new Error('the browser with a profile cannot open other contexts')
  return {
    browser,
    async close() {
      await own.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The focus moves into a dialog a moment after it is drawn, and would take what is typed along. */
export async function focusedDialog(page: Page | Frame, name?: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', name === undefined ? {} : { name })
  await dialog.and(page.locator(':focus-within')).waitFor()
  return dialog
}

/** The value of a `datetime-local` field; browser and test share a time zone. */
export function dateTimeIn(hours: number): string {
  const at = new Date(Date.now() + hours * 3_600_000)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Lets a test file name what a hook will make. */
export function lateBound<T extends object>(): { value: T; bind(made: T): void } {
  let made: T | undefined
  const value = new Proxy({} as T, {
    get(_, name) {
      if (!made) throw new Error('only available after beforeAll')
      return Reflect.get(made, name)
    },
  })
  return {
    value,
    bind(now) {
      made = now
    },
  }
}
