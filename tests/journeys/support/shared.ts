import type { Browser } from 'playwright-core'
import { test } from 'vitest'
import { type FrameCookies, type JourneyBrowser, openJourneyBrowser } from './browser.ts'
import { type ProductServer, startServer } from './product-server.ts'

/** Each is started when the first journey needs it. */
class SharedByJourneys {
  #server: Promise<ProductServer> | null = null
  readonly #browsers = new Map<FrameCookies, Promise<JourneyBrowser>>()

  server(): Promise<ProductServer> {
    this.#server ??= startServer()
    return this.#server
  }

  async browser(cookies: FrameCookies = 'partitioned'): Promise<Browser> {
    const opening = this.#browsers.get(cookies) ?? openJourneyBrowser(cookies)
    this.#browsers.set(cookies, opening)
    return (await opening).browser
  }

  async close(): Promise<void> {
    for (const opened of this.#browsers.values()) await (await opened).close()
    await (await this.#server)?.stop()
  }
}

/** A worker's journeys run one after another; `shared` is theirs in `journey.beforeAll`. */
export const journey = test.extend(
  'shared',
  { scope: 'worker' },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern that this depends on no other fixture.
  ({}, { onCleanup }) => {
    const shared = new SharedByJourneys()
    onCleanup(() => shared.close())
    return shared
  },
)
