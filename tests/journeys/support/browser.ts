import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

const chromiumPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** For each window Chromium loads these popups of its address bar, as pages that take more CPU than ours. */
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

/** Other programs can control it, too. */
export function openBrowserWithProfile(folder: string, more: string[]): Promise<BrowserContext> {
  const options = {
    ...contextOptions,
    executablePath: chromiumPath(),
    headless: true,
    args: [...args, ...more],
  }
  return chromium.launchPersistentContext(folder, options)
}

export const desktop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }

/** Axe would sometimes find too little contrast in the middle of a fade. */
export const contextOptions = { viewport: desktop, reducedMotion: 'reduce' } as const
