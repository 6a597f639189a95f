import { setTimeout as after } from 'node:timers/promises'
import type { RosterSync } from '../../../../records/lti/context.model.ts'
import type { LtiPlatformDoc } from '../../../../records/lti/platform.model.ts'
import type { Services } from '../../../../services.ts'
import { fetchRosterPage, type RosterPage } from './fetch-roster-page.ts'

/** Small pages that arrive quickly are stored together. */
const MAX_PEOPLE = 500
const MAX_PAGES = 10
const MAX_WAIT_MS = 1_000

export interface RosterPages {
  pages: RosterPage[]
  position: RosterSync
  /** Null unless reading the page at `position` failed. */
  failure: unknown
}

export class RosterPageReader {
  readonly #services: Pick<Services, 'config' | 'clock'>
  readonly #signal: AbortSignal
  #ahead: { address: string; page: Promise<RosterPage> } | null = null

  constructor(services: Pick<Services, 'config' | 'clock'>, signal: AbortSignal) {
    this.#services = services
    this.#signal = signal
  }

  /** Waits for the next page, and for further ones up to a second. Never rejects. */
  async read(platform: LtiPlatformDoc, from: RosterSync): Promise<RosterPages> {
    const late = new AbortController()
    const timeout = after(MAX_WAIT_MS, null, { signal: late.signal }).catch(() => null)
    const pages: RosterPage[] = []
    let to = from
    let people = 0
    try {
      while (to.next && pages.length < MAX_PAGES && people < MAX_PEOPLE) {
        const coming = this.#begin(platform, to.next)
        const page = pages.length === 0 ? await coming : await Promise.race([coming, timeout])
        if (!page) break
        this.#ahead = null
        pages.push(page)
        people += page.members.length + page.unreadable.length
        to = nextPosition(to, page.next)
      }
      if (to.next) this.#begin(platform, to.next)
      return { pages, position: to, failure: null }
    } catch (failure) {
      this.#ahead = null
      return { pages, position: to, failure }
    } finally {
      late.abort()
    }
  }

  #begin(platform: LtiPlatformDoc, address: string): Promise<RosterPage> {
    if (this.#ahead?.address === address) return this.#ahead.page
    const page = fetchRosterPage(platform, address, this.#services, { signal: this.#signal })
    // A rejection reaches the reader that awaits it; none does if the sync ends first.
    page.catch(() => {})
    this.#ahead = { address, page }
    return page
  }
}

export function nextPosition(sync: RosterSync, next: string | null): RosterSync {
  if (next !== null) return { ...sync, next, page: sync.page + 1 }
  const [first = null, ...later] = sync.later
  return { ...sync, next: first, later, page: 1 }
}
