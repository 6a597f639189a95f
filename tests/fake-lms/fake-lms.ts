import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createLmsApp } from './app.ts'
import { type Course, type LineItem, type Link, LmsData, type Person, type Tool } from './data/lms-data.ts'
import { PlatformKeys } from './keys.ts'
import type { DeepLinkResponse } from './launches/deep-linking.ts'
import { type BrowserOptions, Launcher } from './launches/launcher.ts'
import { Launches } from './launches/launches.ts'
import { fillPattern, type KindName, type LmsKindSpec, lmsKinds } from './lms-kinds.ts'
import { Registrations } from './registration.ts'
import { type Fault, type LoggedRequest, RequestLog, type Service } from './request-log.ts'
import { Tokens } from './services/tokens.ts'

/** How it behaves; may be changed while it runs. */
interface FakeLmsSettings {
  /** Members and results on one page; infinite for all at once. */
  pageSize: number
  lineItemPageSize: number
  /** A roster whose last page has a next one. */
  endlessRoster: boolean
  /** How long each answer of a service waits, in ms. */
  delayMs: Partial<Record<Service, number>>
  /** The frame offered to tools as storage, `_parent` for the page around the tool; null for none. */
  storageTarget: string | null
  /** False for a frame that is there and never says a word. */
  storageAnswers: boolean
  /** How the pages call a tool's login. */
  loginBy: 'get' | 'post'
  /** How long an access token is good for. */
  tokenSeconds: number
  clock: () => Date
}

export interface LmsOptions extends Partial<FakeLmsSettings> {
  kind?: KindName
  /** By default a free one. */
  port?: number
}

/** An LTI 1.3 platform of our own; what it does and leaves out is in the README beside this file. */
export class FakeLms extends LmsData {
  readonly kind: LmsKindSpec
  readonly keys: PlatformKeys
  readonly settings: FakeLmsSettings
  readonly requestLog = new RequestLog()
  readonly tokens = new Tokens()
  readonly launches = new Launches()
  readonly registrations = new Registrations()
  /** What came back from deep linking, good or not. */
  readonly deepLinked: DeepLinkResponse[] = []
  /** Set as soon as it listens. */
  url = ''
  #server: Server | null = null

  constructor(keys: PlatformKeys, { kind = 'moodle', port: _, ...settings }: LmsOptions) {
    super(kind)
    this.kind = lmsKinds[kind]
    this.keys = keys
    this.settings = {
      pageSize: this.kind.pageSize,
      lineItemPageSize: this.kind.pageSize,
      endlessRoster: false,
      delayMs: {},
      storageTarget: this.kind.storageTarget,
      storageAnswers: true,
      loginBy: 'post',
      tokenSeconds: 3600,
      clock: () => new Date(),
      ...settings,
    }
  }

  async listen(port: number): Promise<void> {
    const server = createServer(createLmsApp(this))
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    this.#server = server
    const address = server.address()
    if (typeof address !== 'object' || !address) throw new Error('the LMS does not listen on a port')
    if (port === 0 && usedPorts.has(address.port)) {
      server.close()
      return this.listen(0)
    }
    usedPorts.add(address.port)
    this.url = `http://127.0.0.1:${address.port}`
  }

  get issuer(): string {
    return this.url
  }
  get authorizationUrl(): string {
    return this.url + this.kind.paths.authorization
  }
  get tokenUrl(): string {
    return this.url + this.kind.paths.token
  }
  get jwksUrl(): string {
    return this.url + this.kind.paths.jwks
  }

  get configurationUrl(): string {
    return this.url + this.kind.paths.configuration
  }
  get registrationUrl(): string {
    return this.url + this.kind.paths.registration
  }

  now(): Date {
    return this.settings.clock()
  }

  #address(path: keyof LmsKindSpec['paths'], values: Record<string, string>, tool?: Tool): string {
    const query = tool && this.kind.toolInQuery ? `?type_id=${tool.number}` : ''
    return `${this.url}${fillPattern(this.kind.paths[path], values)}${query}`
  }

  membersUrl(course: Course, tool: Tool): string {
    return this.#address('members', { courseId: course.id, tool: String(tool.number) })
  }
  lineItemsUrl(course: Course, tool: Tool): string {
    return this.#address('lineItems', { courseId: course.id }, tool)
  }
  lineItemUrl(item: LineItem): string {
    return this.#address('lineItem', { courseId: item.course.id, itemId: item.id }, item.deployment.tool)
  }
  resultsUrl(item: LineItem): string {
    return this.#address('results', { courseId: item.course.id, itemId: item.id }, item.deployment.tool)
  }

  /** The page of a link, with the tool in a frame, for a browser that comes in as somebody. */
  pageOf(link: Link, person: Person): string {
    return this.signedInUrl(person, `/courses/${link.course.id}/links/${link.id}`)
  }
  /** Any page, as somebody. */
  signedInUrl(person: Person, path = '/courses'): string {
    return `${this.url}/as/${person.id}?to=${encodeURIComponent(path)}`
  }

  /** A browser of someone's, as far as launches go: without pages, with cookies. */
  launcher(options: BrowserOptions = {}): Launcher {
    return new Launcher(this, options)
  }

  /** Lets a service fail; see `Fault`. Returns what ends it early. */
  fail(service: Service, fault: Fault): () => void {
    return this.requestLog.fail(service, fault)
  }

  /** What the tool asked a service for, in order; of one person where given. */
  requestsTo(service: Service, person?: { id: string }): LoggedRequest[] {
    return this.requestLog.requests.filter((one) => one.service === service && (!person || one.personId === person.id))
  }

  /** How often a score was taken for this person: the number to assert “exactly once” by. */
  acceptedScoreCount(item: LineItem, person: Person): number {
    return item.accepted.filter((score) => score.person === person).length
  }

  async close(): Promise<void> {
    const server = this.#server
    if (!server) return
    this.#server = null
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }
}

/** The ports that LMSs of this process had: the issuer of one that is gone must not come back as another's. */
const usedPorts = new Set<number>()

export async function startFakeLms(options: LmsOptions = {}): Promise<FakeLms> {
  const lms = new FakeLms(await PlatformKeys.create(), options)
  await lms.listen(options.port ?? 0)
  return lms
}
