import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createPlatform } from '@assay/shared/lti/lti-platforms.ts'
import express, { type Express } from 'express'
import { registeredCustomParameters } from '../../server/src/features/lti/contexts/resource-link.service.ts'
import { createTestApi } from '../../server/src/testing/server.ts'
import type { Person } from './data/lms-data.ts'
import type { LineItem, Tool } from './data/records.ts'
import { PlatformKeys } from './keys.ts'
import { type DeepLinkResponse, receiveDeepLinkResponse } from './launches/deep-linking.ts'
import { type BrowserOptions, Launcher } from './launches/launcher.ts'
import { authorize, Launches } from './launches/launches.ts'
import { type KindName, SCOPE } from './lms-kinds.ts'
import { addCoursePages, addFrontPages } from './pages/course-pages.ts'
import { addGradebookPages } from './pages/gradebook-pages.ts'
import { addPageWeight } from './pages/page-weight.ts'
import { addAdminPages, addToolPages } from './pages/tool-pages.ts'
import { type LmsSettings, Platform } from './platform.ts'
import { openIdConfiguration, Registrations } from './registration.ts'
import { type Fault, type LoggedRequest, RequestLog, recordRequests, type Service } from './request-log.ts'
import { answerGroups, answerMembers } from './services/roster.ts'
import {
  changeLineItem,
  createLineItem,
  deleteLineItem,
  listLineItems,
  listResults,
  receiveScore,
  showLineItem,
} from './services/scores.ts'
import { serviceHandler, Tokens } from './services/service.ts'

type LmsApp = Platform & {
  requestLog: RequestLog
  tokens: Tokens
  launches: Launches
  registrations: Registrations
  deepLinked: DeepLinkResponse[]
}

const reading = [SCOPE.lineItems, SCOPE.lineItemsRead]
const writing = [SCOPE.lineItems]

/** Each service reads its own kind of body. */
function createLmsApp(lms: LmsApp): Express {
  const { paths } = lms.kind
  const app = express()
  app.use((_request, response, next) => {
    response.setHeader('Date', lms.now().toUTCString())
    next()
  })
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(express.text({ type: () => true, limit: '20mb' }))

  app.all(paths.authorization, recordRequests(lms, 'authorization'), (request, response) =>
    authorize(lms, request, response),
  )
  app.get(paths.jwks, recordRequests(lms, 'jwks'), async (_request, response) => {
    response.json(await lms.keys.jwks())
  })
  app.post(paths.token, recordRequests(lms, 'token'), (request, response) =>
    lms.tokens.handleTokenRequest(lms, request, response),
  )
  app.get(
    paths.members,
    recordRequests(lms, 'members'),
    serviceHandler(lms, [SCOPE.members], (call) => answerMembers(lms, call)),
  )
  app.get(
    paths.groups,
    recordRequests(lms, 'groups'),
    serviceHandler(lms, [SCOPE.groups], (call) => answerGroups(lms, call)),
  )
  app
    .route(paths.lineItems)
    .all(recordRequests(lms, 'lineItems'))
    .get(serviceHandler(lms, reading, (call) => listLineItems(lms, call)))
    .post(serviceHandler(lms, writing, (call) => createLineItem(lms, call)))
  app
    .route(paths.lineItem)
    .all(recordRequests(lms, 'lineItem'))
    .get(serviceHandler(lms, reading, (call) => showLineItem(lms, call)))
    .put(serviceHandler(lms, writing, (call) => changeLineItem(lms, call)))
    .delete(serviceHandler(lms, writing, (call) => deleteLineItem(lms, call)))
  app.post(
    paths.scores,
    recordRequests(lms, 'scores'),
    serviceHandler(lms, [SCOPE.scores], (call) => receiveScore(lms, call)),
  )
  app.get(
    paths.results,
    recordRequests(lms, 'results'),
    serviceHandler(lms, [SCOPE.results], (call) => listResults(lms, call)),
  )
  app.post(paths.deepLinkingReturn, recordRequests(lms, 'deepLinkingReturn'), (request, response) =>
    receiveDeepLinkResponse(lms, request, response),
  )
  app.get(paths.configuration, recordRequests(lms, 'configuration'), (_request, response) => {
    response.json(openIdConfiguration(lms))
  })
  app.post(paths.registration, recordRequests(lms, 'registration'), (request, response) =>
    lms.registrations.register(lms, request, response),
  )
  if (lms.kind.letsToolsUpdate)
    app
      .route(`${paths.registration}/:clientId`)
      .all(recordRequests(lms, 'registration'))
      .get((request, response) => lms.registrations.show(lms, request, response))
      .put((request, response) => lms.registrations.change(lms, request, response))

  if (lms.settings.pagesWeigh) addPageWeight(app)
  addFrontPages(app, lms)
  addCoursePages(app, lms)
  addToolPages(app, lms)
  addGradebookPages(app, lms)
  addAdminPages(app, lms)
  return app
}

export interface LmsOptions extends Partial<LmsSettings> {
  kind?: KindName
  port?: number
}

export class FakeLms extends Platform {
  readonly requestLog = new RequestLog()
  readonly tokens = new Tokens()
  readonly launches = new Launches()
  readonly registrations = new Registrations()
  readonly deepLinked: DeepLinkResponse[] = []
  #server: Server | null = null

  constructor(keys: PlatformKeys, { kind = 'moodle', port: _, ...settings }: LmsOptions) {
    super(keys, kind, settings)
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

  launcher(options: BrowserOptions = {}): Launcher {
    return new Launcher(this, options)
  }

  fail(service: Service, fault: Fault): () => void {
    return this.requestLog.fail(service, fault)
  }

  requestsTo(service: Service, person?: { id: string }): LoggedRequest[] {
    return this.requestLog.requests.filter((one) => one.service === service && (!person || one.personId === person.id))
  }

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

/** A gone LMS's issuer must not come back as another's. */
const usedPorts = new Set<number>()

export async function startFakeLms(options: LmsOptions = {}): Promise<FakeLms> {
  const lms = new FakeLms(await PlatformKeys.create(), options)
  await lms.listen(options.port ?? 0)
  return lms
}

export async function firstAdminPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'first-run.txt')
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '')
    const password = /^admin\s+(\S+)$/m.exec(text)?.[1]
    if (password) return password
    await wait(100)
  }
}

export async function registerWithProduct(lms: FakeLms, product: { url: string; dataDir: string }): Promise<Tool> {
  const tool = lms.registerTool({
    name: 'Assay',
    loginUrl: `${product.url}/lti/login`,
    launchUrl: `${product.url}/lti/launch`,
    jwksUrl: `${product.url}/lti/keys`,
    custom: registeredCustomParameters,
  })
  const password = await firstAdminPassword(product.dataDir)
  const admin = createTestApi({ running: product }).as({ id: 0, username: 'admin', password })
  const { status, text } = await admin.send(createPlatform, {
    body: {
      name: 'Northfield School',
      lms: lms.kind.name,
      issuer: lms.issuer,
      client_id: tool.clientId,
      auth_endpoint: lms.authorizationUrl,
      token_endpoint: lms.tokenUrl,
      jwks_url: lms.jwksUrl,
    },
  })
  if (status !== 201) throw new Error(`Assay did not take the LMS: ${text}`)
  return tool
}
