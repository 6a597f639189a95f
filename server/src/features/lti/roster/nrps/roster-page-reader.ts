import { setTimeout as after } from 'node:timers/promises'
import type { LtiContextDoc, RosterSync } from '../../../../records/lti/context.model.ts'
import type { LtiPlatformDoc } from '../../../../records/lti/platform.model.ts'
import { LtiResourceLinkModel } from '../../../../records/lti/resource-link.model.ts'
import { callPlatform, type LmsServices, scopes } from '../../platform-client/access-token.ts'
import { isRateLimit, type PlatformResponse, resolveSameOrigin } from '../../platform-client/platform-request.ts'
import { type ListedMember, parseMembersPage, RosterError, type UnreadableEntry } from './parse-members-page.ts'

/** RFC 8288: an address in angle brackets, then parameters. */
const LINK = /<([^>]*)>((?:\s*;\s*[^\s,;=]+\s*(?:=\s*(?:"[^"]*"|[^\s",;]+))?)*)/g
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i

export function nextPageUrl(header: string | string[] | undefined, current: string): string | null {
  for (const [, address = '', parameters = ''] of [header ?? []].flat().join(', ').matchAll(LINK)) {
    const [, quoted, bare] = REL.exec(parameters) ?? []
    const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/)
    if (relations.includes('next')) return URL.parse(address, current)?.href ?? address
  }
  return null
}

interface RosterPage {
  members: ListedMember[]
  unreadable: UnreadableEntry[]
  next: string | null
}

/** An LMS may build a list of thousands for each page. */
const TIMEOUT_MS = 30_000
/** For an LMS that ignores the page size. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024

const Accept = 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json'

/** @param also further scopes to ask for @throws {RosterError | TokenRequestError | PlatformRequestError} */
export async function fetchRosterPage(
  platform: LtiPlatformDoc,
  address: string,
  services: LmsServices,
  { signal, maxBytes = MAX_PAGE_BYTES, also = [] }: { signal: AbortSignal; maxBytes?: number; also?: string[] },
): Promise<RosterPage> {
  const call = { headers: { Accept }, timeoutMs: TIMEOUT_MS, maxBytes, signal }
  const reply = await callPlatform(platform, [scopes.members, ...also], address, call, services)
  if (reply.status !== 200) throw rosterErrorFor(reply, new URL(address).host)
  return { ...(await parseMembersPage(reply.body, signal)), next: sameOriginNextPage(reply, address) }
}

function rosterErrorFor(reply: PlatformResponse, host: string): RosterError {
  const { status, statusText } = reply
  const statusLine = [status, statusText.slice(0, 100)].filter(Boolean).join(' ')
  if (status >= 500 || isRateLimit(reply))
    return new RosterError(`${host} answered ${statusLine}.`, { transient: true, status })
  const advice =
    status === 401 || status === 403
      ? ' It does not share its roster with Assay. Its administrator can allow “Names and Role Provisioning Services”.'
      : ''
  return new RosterError(`${host} answered ${statusLine}.${advice}`, { status })
}

/** Our token is sent only to the origin of the first page. */
export function sameOriginNextPage({ headers }: PlatformResponse, current: string): string | null {
  const next = nextPageUrl(headers.link, current)
  if (next === null) return null
  const address = resolveSameOrigin(current, next)
  if (address !== null) return address
  const named = URL.parse(next)?.host
  const where = named ? `at ${named}` : 'at no address'
  throw new RosterError(`its next page is ${where} instead of ${new URL(current).host}, which Assay does not follow.`)
}

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
  readonly #services: LmsServices
  readonly #signal: AbortSignal
  #ahead: { address: string; page: Promise<RosterPage> } | null = null
  constructor(services: LmsServices, signal: AbortSignal) {
    this.#services = services
    this.#signal = signal
  }

  /** Combines pages that arrive within a second. Never rejects. */
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
      if (to.next) void this.#begin(platform, to.next)
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
    // Whoever awaits it gets the rejection; nobody does if the sync ends first.
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

/** The LMS decides: Canvas takes 50. */
const PAGE_LIMIT = 500
const MAX_LINKS = 50

function pageUrl(url: string, rlid: string | null): string {
  const first = new URL(url)
  first.searchParams.delete('rlid')
  if (rlid !== null) first.searchParams.set('rlid', rlid)
  if (!first.searchParams.has('limit')) first.searchParams.set('limit', String(PAGE_LIMIT))
  return first.href
}

export const firstPageUrl = (membershipsUrl: string): string => pageUrl(membershipsUrl, null)

export async function firstPageUrlsByLink({ _id, memberships_url }: Pick<LtiContextDoc, '_id' | 'memberships_url'>) {
  if (memberships_url === null) return []
  const links = await LtiResourceLinkModel.find({ context: _id }, { resource_link_id: 1 })
    .sort({ launched_at: -1, _id: -1 })
    .limit(MAX_LINKS)
    .lean()
  const named = new URL(memberships_url).searchParams.get('rlid')
  const ids = new Set([...(named ? [named] : []), ...links.map((link) => link.resource_link_id)])
  return [...ids].map((rlid) => pageUrl(memberships_url, rlid))
}
