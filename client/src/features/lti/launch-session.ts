import {
  type Launch,
  type LaunchSession as LaunchSessionReply,
  openLaunch,
  resumeLaunch,
} from '@assay/shared/lti/lti.ts'
import { type ApiError, asApiError } from '../../lib/api/api-error.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { askForFirstData, offerReplies } from '../../lib/api/first-requests.ts'
import { memoryStore, sessionEndedStore, tokenStore } from '../../lib/session/browser-store.ts'
import { launchHomePath, launchStore } from '../../lib/session/launch.ts'
import { launchBasePath, launchId } from '../../lib/session/launch-path.ts'
import { safeRedirectPath } from '../../lib/session/redirect-paths.ts'

/** Where the LMS stored what a launch endpoint gave it: a frame of its page, the origin that responds, the key. */
interface PlatformStorage {
  frame: string
  origin: string
  key: string
}

/** An LMS that stores data for tools answers at once. */
const TIMEOUT_MS = 2000

export function platformStorageFrom(search: string): PlatformStorage | null {
  const { frame, origin, key } = Object.fromEntries(new URLSearchParams(search))
  return frame && key && origin && URL.parse(origin)?.origin === origin ? { frame, origin, key } : null
}

/** Undefined when the LMS refuses, does not answer, or is not there. */
export async function readPlatformStorage(place: PlatformStorage): Promise<string | undefined> {
  const answer = await postStorageMessage(place, 'lti.get_data')
  const value = answer?.value
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** LMSs limit how much a tool may store. */
export function clearPlatformStorage(place: PlatformStorage): void {
  void postStorageMessage(place, 'lti.put_data', { value: null })
}

interface StorageReply {
  subject?: unknown
  message_id?: unknown
  error?: unknown
  value?: unknown
}

/** LTI client side postMessages 1.0; the launch endpoint's own script does the same. */
function postStorageMessage(
  place: PlatformStorage,
  subject: string,
  more: { value?: null } = {},
): Promise<StorageReply | null> {
  const target = storageFrame(place)
  if (!target) return Promise.resolve(null)
  const { key, origin } = place
  const id = `assay-${key}-${subject}`
  return new Promise((resolve) => {
    const late = setTimeout(() => finish(null), TIMEOUT_MS)
    function hear({ data, origin: from, source }: MessageEvent<StorageReply | null>) {
      if (from !== origin || source !== target || typeof data !== 'object' || data === null) return
      if (data.subject !== `${subject}.response` || data.message_id !== id) return
      finish(data.error ? null : data)
    }
    function finish(answer: StorageReply | null) {
      clearTimeout(late)
      window.removeEventListener('message', hear)
      resolve(answer)
    }
    window.addEventListener('message', hear)
    target.postMessage({ subject, message_id: id, key, ...more }, origin)
  })
}

function storageFrame({ frame }: PlatformStorage): Window | null {
  const around: Window | null = window.parent === window ? window.opener : window.parent
  if (frame === '_parent' || !around) return around
  try {
    // On another site's page, frames can be reached by name only; a missing one throws.
    const found: Window | undefined = Reflect.get(around, frame)
    return found ?? null
  } catch {
    return null
  }
}

/** `open`: there is a token; `unreachable`: trying again may help; `refused`: only the LMS can open it again. */
type LaunchSessionState =
  | { at: 'entering' }
  | { at: 'open' }
  | { at: 'unreachable'; error: ApiError }
  | { at: 'refused'; error: ApiError }
  /** It was open; `error` says why it ended, if the server can be asked. */
  | { at: 'ended'; error: ApiError | null }
  | { at: 'signed_out'; error: null }

const handoffPath = `${launchBasePath}/enter`
const isHandoffPath = (pathname: string) => [handoffPath, launchBasePath, `${launchBasePath}/`].includes(pathname)
const params = { launchId: launchId ?? '' }
const isRetryable = ({ status }: ApiError) => status === 0 || status === 408 || status === 429 || status >= 500

/** By the one-time code, or after a reload by this launch's cookie. */
export class LaunchSession {
  private code = consumeCode()
  /** For a window opened at a page; otherwise the launch says where it goes. */
  private readonly targetPath = safeRedirectPath(new URLSearchParams(location.search).get('to'))
  /** For browsers without cookies: a secret in the LMS's storage shows that this browser launched. */
  private readonly storage = platformStorageFrom(location.search)
  private started = false
  private state = memoryStore<LaunchSessionState>({ at: 'entering' })

  get = (): LaunchSessionState => this.state.get() ?? { at: 'entering' }
  subscribe = this.state.subscribe

  start = (): void => {
    if (this.started) return
    this.started = true
    void this.open()
  }

  tryAgain = (): void => {
    if (this.get().at === 'unreachable') void this.open()
  }

  /** After Sign Out there is nothing to ask. */
  askWhyEnded = async (): Promise<void> => {
    if (this.get().at !== 'open') return
    if (sessionEndedStore.get() === null) return this.state.set({ at: 'signed_out', error: null })
    this.state.set({ at: 'entering' })
    const error = await resumeSession().then(() => null, asApiError)
    this.state.set({
      at: 'ended',
      error: error && !isRetryable(error) && error.code !== 'auth_required' ? error : null,
    })
  }

  private async open(): Promise<void> {
    this.state.set({ at: 'entering' })
    try {
      const opened = await this.exchangeCode()
      const { access_token, launch } = opened
      launchStore.set(launch)
      tokenStore.set(access_token)
      offerReplies(opened)
      const isHandoff = isHandoffPath(location.pathname)
      const path = isHandoff
        ? this.landingPath(launch)
        : location.pathname.slice(launchBasePath.length) + location.search
      askForFirstData(path, { person: false })
      if (isHandoff) history.replaceState(null, '', launchBasePath + path)
      this.state.set({ at: 'open' })
    } catch (cause) {
      const error = asApiError(cause)
      this.state.set({ at: isRetryable(error) ? 'unreachable' : 'refused', error })
    }
  }

  private landingPath(launch: Launch): string {
    return (launch.purpose === 'open' ? this.targetPath : null) ?? launchHomePath(launch)
  }

  private async exchangeCode(): Promise<LaunchSessionReply> {
    const { code } = this
    if (code === null) return resumeSession()
    try {
      const storage_secret = this.storage ? await readPlatformStorage(this.storage) : undefined
      const { body } = await callApi(openLaunch, { params, body: { code, storage_secret } })
      this.code = null
      if (this.storage) clearPlatformStorage(this.storage)
      return body
    } catch (cause) {
      // If it never arrived, the code is still valid.
      if (isRetryable(asApiError(cause))) throw cause
      this.code = null
      // If this page, loaded twice, spent it, its cookie is here. Otherwise the first refusal tells more.
      return resumeSession().catch(() => {
        throw cause
      })
    }
  }
}

/** What follows `#` opens a session, so it leaves the address and history first. */
function consumeCode(): string | null {
  const { pathname, search, hash } = location
  if (pathname !== handoffPath || hash.length < 2) return null
  history.replaceState(null, '', pathname + search)
  return hash.slice(1)
}

async function resumeSession() {
  return (await callApi(resumeLaunch, { params })).body
}

export const launchSession = new LaunchSession()
