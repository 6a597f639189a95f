import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createPlatform } from '@assay/shared/lti/lti-platforms.ts'
import { registeredCustomParameters } from '../../server/src/features/lti/contexts/resource-link.service.ts'
import { createTestApi } from '../../server/src/testing/server.ts'
import { createLmsApp } from './app.ts'
import type { LineItem, Person, Tool } from './data/lms-data.ts'
import { PlatformKeys } from './keys.ts'
import type { DeepLinkResponse } from './launches/deep-linking.ts'
import { type BrowserOptions, Launcher } from './launches/launcher.ts'
import { Launches } from './launches/launches.ts'
import type { KindName } from './lms-kinds.ts'
import { type LmsSettings, Platform } from './platform.ts'
import { Registrations } from './registration.ts'
import { type Fault, type LoggedRequest, RequestLog, type Service } from './request-log.ts'
import { Tokens } from './services/tokens.ts'

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

  /** With cookies, without pages. */
  launcher(options: BrowserOptions = {}): Launcher {
    return new Launcher(this, options)
  }

  fail(service: Service, fault: Fault): () => void {
    return this.requestLog.fail(service, fault)
  }

  /** In order; of one person where given. */
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

/** The ports that LMSs of this process had: the issuer of one that is gone must not come back as another's. */
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
