import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { openBrowserWithProfile } from './browser.ts'

/**
 * What a tool in an LMS's frame may use. `partitioned`: as browsers by default, no storage and only `Partitioned`
 * third-party cookies. `none`: strict privacy settings. `all`: as in older browsers.
 */
export type FrameCookies = 'partitioned' | 'none' | 'all'

const settings: Record<FrameCookies, object> = {
  partitioned: { cookie_controls_mode: 1, block_third_party_cookies: true },
  all: { cookie_controls_mode: 0, block_third_party_cookies: false },
  // The product's site in a page of the LMS; in its own window its cookies are allowed.
  none: {
    cookie_controls_mode: 1,
    block_third_party_cookies: true,
    content_settings: { exceptions: { cookies: { 'localhost,127.0.0.1': { setting: 2 } } } },
  },
}

export interface JourneyBrowser {
  /** Its contexts have the settings, and nothing else in common. */
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
    // A launch navigates across sites within a frame faster than playwright can follow it from process to process, so it would
    // sometimes lose the frame. Without site isolation it does not; cookies still depend on the site.
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
