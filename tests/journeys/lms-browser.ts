import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { openBrowserWithProfile } from './browser.ts'

/**
 * What a browser gives a tool in an LMS's frame:
 * - `partitioned`: as browsers come today. Cookies of other sites are refused, but for those that are `Partitioned`;
 *   local storage throws.
 * - `none`: nothing at all; what somebody sees who is strict about other sites' data.
 * - `all`: as before, third-party cookies and storage alike.
 */
export type FrameCookies = 'partitioned' | 'none' | 'all'

const settings: Record<FrameCookies, object> = {
  partitioned: { cookie_controls_mode: 1, block_third_party_cookies: true },
  all: { cookie_controls_mode: 0, block_third_party_cookies: false },
  // The product's site in a page of the LMS's; on its own it keeps its cookies.
  none: {
    cookie_controls_mode: 1,
    block_third_party_cookies: true,
    content_settings: { exceptions: { cookies: { 'localhost,127.0.0.1': { setting: 2 } } } },
  },
}

/** A browser with a profile of its own. `close()` of the context ends it; `forget()` afterwards takes the profile away. */
export async function openLmsBrowser(
  cookies: FrameCookies,
): Promise<{ context: BrowserContext; forget(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-browser-'))
  await mkdir(join(folder, 'Default'))
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify({ profile: settings[cookies] }))
  // A launch goes from site to site within a frame faster than playwright follows it from process to process, and it would
  // now and then lose the frame. In one process it does not. What cookies a frame gets goes by sites, not by processes.
  const context = await openBrowserWithProfile(folder, ['--disable-site-isolation-trials'])
  return { context, forget: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}
