import { type Launch, openLaunch, resumeLaunch } from '@assay/shared/lti.ts'
import { type ApiError, asApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/http.ts'
import { homeOfLaunch, launchStore } from '../../lib/launch.ts'
import { launchBase, launchId } from '../../lib/launch-address.ts'
import { ownPath } from '../../lib/paths.ts'
import { inMemory, tokenStore } from '../../lib/stored.ts'
import { fetchKept, forgetKept, keptByLms } from './kept-by-lms.ts'

/**
 * How far a launched page has come. `open` once there is a token; `unreachable` where trying again may help; `refused` where only the
 * LMS can open it again.
 */
export type EntryState =
  | { at: 'entering' }
  | { at: 'open' }
  | { at: 'unreachable'; error: ApiError }
  | { at: 'refused'; error: ApiError }

const enterPage = `${launchBase}/enter`
/** On the way in, or without a page of its own: then the launch says where it goes. */
const isStart = (pathname: string) => [enterPage, launchBase, `${launchBase}/`].includes(pathname)
const params = { launchId: launchId ?? '' }
const mayPass = ({ status }: ApiError) => status === 0 || status === 408 || status === 429 || status >= 500

/** The way into a launch: by the one-time code, or after a reload by the cookie of this launch. */
export class LaunchEntry {
  /** Not yet traded, as far as we know. */
  private code = takeCode()
  /** The page that a window was opened for; where none is named, the launch says where it goes. */
  private readonly wanted = ownPath(new URLSearchParams(location.search).get('to'))
  /** For where the browser keeps no cookie: what the LMS keeps shows that this is the browser that launched. */
  private readonly kept = keptByLms(location.search)
  private begun = false
  private state = inMemory<EntryState>({ at: 'entering' })

  get = (): EntryState => this.state.get() ?? { at: 'entering' }
  subscribe = this.state.subscribe

  /** Goes in once, however often it is called. */
  begin = (): void => {
    if (this.begun) return
    this.begun = true
    void this.enter()
  }

  tryAgain = (): void => {
    if (this.get().at === 'unreachable') void this.enter()
  }

  private async enter(): Promise<void> {
    this.state.set({ at: 'entering' })
    try {
      const { access_token, launch } = await this.trade()
      launchStore.set(launch)
      tokenStore.set(access_token)
      if (isStart(location.pathname)) history.replaceState(null, '', launchBase + this.startOf(launch))
      this.state.set({ at: 'open' })
    } catch (cause) {
      const error = asApiError(cause)
      this.state.set({ at: mayPass(error) ? 'unreachable' : 'refused', error })
    }
  }

  private startOf(launch: Launch): string {
    return (launch.purpose === 'open' ? this.wanted : null) ?? homeOfLaunch(launch)
  }

  private async trade(): Promise<{ access_token: string; launch: Launch }> {
    const { code } = this
    if (code === null) return resume()
    try {
      const kept = this.kept ? await fetchKept(this.kept) : undefined
      const { body } = await call(openLaunch, { params, body: { code, kept } })
      this.code = null
      if (this.kept) forgetKept(this.kept)
      return body
    } catch (cause) {
      // Where it never arrived, it is still good.
      if (mayPass(asApiError(cause))) throw cause
      this.code = null
      // Spent by this very page, which was loaded twice: then its cookie is here. Otherwise the first refusal tells more.
      return resume().catch(() => {
        throw cause
      })
    }
  }
}

/** What follows `#` on the way in. It opens a session, so it leaves the address, and with it the history, before anything else. */
function takeCode(): string | null {
  const { pathname, search, hash } = location
  if (pathname !== enterPage || hash.length < 2) return null
  history.replaceState(null, '', pathname + search)
  return hash.slice(1)
}

async function resume() {
  return (await call(resumeLaunch, { params })).body
}

/** This document's own. */
export const ownEntry = new LaunchEntry()
