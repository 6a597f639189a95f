import { decodeJwt } from 'jose'
import type { Course, Deployment, Person } from '../data/lms-data.ts'
import type { Link } from '../data/records.ts'
import type { Claims } from '../lms-kinds.ts'
import type { Platform } from '../platform.ts'
import type { LaunchRequest } from './claims.ts'
import { type Launches, loginParameters, type Tampering } from './launches.ts'

interface Cookie {
  name: string
  value: string
  host: string
  path: string
  text: string
}

class CookieJar {
  #cookies: Cookie[] = []

  get all(): readonly Cookie[] {
    return this.#cookies
  }

  store(url: string, lines: readonly string[]): void {
    for (const text of lines) {
      const [pair = '', ...attributes] = text.split(';').map((part) => part.trim())
      const split = pair.indexOf('=')
      const name = pair.slice(0, split)
      const value = (wanted: string) =>
        attributes.find((one) => one.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1)
      const cookie: Cookie = {
        name,
        value: pair.slice(split + 1),
        host: new URL(url).host,
        path: value('path') ?? '/',
        text,
      }
      const age = value('max-age')
      const expires = value('expires')
      const gone = age !== undefined ? Number(age) <= 0 : expires ? new Date(expires) <= new Date() : false
      this.#cookies = this.#cookies.filter(
        (one) => one.name !== name || one.host !== cookie.host || one.path !== cookie.path,
      )
      if (!gone) this.#cookies.push(cookie)
    }
  }

  headerFor(url: string): Record<string, string> {
    const { host, pathname } = new URL(url)
    const sent = this.#cookies.filter((one) => one.host === host && pathname.startsWith(one.path))
    return sent.length > 0 ? { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') } : {}
  }

  clear(): void {
    this.#cookies = []
  }
}

export interface BrowserOptions {
  /** False: stores no cookies here. */
  cookies?: boolean
  /** For every request: `sec-fetch-dest: iframe`, a language. */
  headers?: Record<string, string>
}

export interface Reply {
  url: string
  status: number
  headers: Headers
  text: string
  location: string | null
}

export interface LaunchOptions extends Tampering, Partial<Omit<LaunchRequest, 'as' | 'link' | 'deployment'>> {
  as: Person
  link?: Link | null
  course?: Course
  deployment?: Deployment
  via?: 'get' | 'post'
}

interface LaunchTranscript {
  login: Reply
  authorization: Reply | null
  /** To the id token, or the LMS's error. */
  reply: Reply | null
  idToken: string | null
  state: string | null
  claims: Claims
  posted: { url: string; fields: Record<string, string> } | null
}

const attribute = (tag: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? ''

const unescapeHtml = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

export function parseForm(page: string): { url: string; fields: Record<string, string> } | null {
  const form = /<form[^>]*>/.exec(page)?.[0]
  if (!form) return null
  const inputs = [...page.matchAll(/<input type="hidden"[^>]*>/g)].map(([tag]) => [
    unescapeHtml(attribute(tag, 'name')),
    unescapeHtml(attribute(tag, 'value')),
  ])
  return { url: unescapeHtml(attribute(form, 'action')), fields: Object.fromEntries(inputs) }
}

type LaunchingPlatform = Platform & { launches: Launches }

export class Launcher {
  readonly jar = new CookieJar()
  readonly #lms: LaunchingPlatform
  readonly #cookies: boolean
  readonly #headers: Record<string, string>

  constructor(lms: LaunchingPlatform, { cookies = true, headers = {} }: BrowserOptions = {}) {
    this.#lms = lms
    this.#cookies = cookies
    this.#headers = headers
  }

  async fetch(url: string, init: RequestInit = {}): Promise<Reply> {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        ...this.#headers,
        ...Object.fromEntries(new Headers(init.headers)),
        ...(this.#cookies ? this.jar.headerFor(url) : {}),
      },
    })
    this.jar.store(url, this.#cookies ? response.headers.getSetCookie() : [])
    const location = response.headers.get('location')
    return {
      url,
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: location === null ? null : new URL(location, url).href,
    }
  }

  post(url: string, fields: Record<string, string>): Promise<Reply> {
    return this.fetch(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: this.#lms.url, referer: `${this.#lms.url}/` },
    })
  }

  #opening(options: LaunchOptions): LaunchRequest {
    const { as, link = null, message = 'LtiResourceLinkRequest' } = options
    const course = options.course ?? link?.course
    const deployment = options.deployment ?? link?.deployment
    if (!course || !deployment) throw new Error('a launch needs a link, or a course and a deployment')
    const { target = 'iframe', forUser = null, lineItem = null, deepLinking = {} } = options
    return { as, link, course, deployment, message, target, forUser, lineItem, deepLinking }
  }

  async login(options: LaunchOptions): Promise<Reply> {
    const launch = this.#lms.launches.begin(this.#opening(options), options)
    const fields = loginParameters(this.#lms, launch)
    const { loginUrl } = launch.opening.deployment.tool
    if (options.via === 'post') return this.post(loginUrl, fields)
    return this.fetch(`${loginUrl}${loginUrl.includes('?') ? '&' : '?'}${new URLSearchParams(fields)}`)
  }

  async collect(options: LaunchOptions): Promise<LaunchTranscript> {
    const login = await this.login(options)
    const nothing = { authorization: null, reply: null, idToken: null, state: null, claims: {}, posted: null }
    if (!login.location?.startsWith(this.#lms.authorizationUrl)) return { login, ...nothing }
    const authorization = await this.fetch(login.location)
    const posted = authorization.status === 200 ? parseForm(authorization.text) : null
    if (!posted) return { login, ...nothing, authorization }
    const { id_token: idToken = null, state = null } = posted.fields
    const claims = idToken ? decodeJwt(idToken) : {}
    return { login, authorization, reply: null, idToken, state, posted, claims }
  }

  async go(options: LaunchOptions): Promise<LaunchTranscript> {
    const launched = await this.collect(options)
    const { posted } = launched
    return posted ? { ...launched, reply: await this.post(posted.url, posted.fields) } : launched
  }
}
