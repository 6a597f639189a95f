/// <reference path="../../server/src/features/lti/launch-endpoints/ltijs/ltijs.d.ts" />
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { Provider } from 'ltijs'
import mongoose from 'mongoose'
import type { FakeLms } from '../fake-lms/fake-lms.ts'

/** As in ltijs's guide, on the same database: without accounts, courses or links. */
export async function startLtijsBaseline(lms: FakeLms) {
  const provider = new Provider.constructor()
  provider.setup(
    randomBytes(32).toString('hex'),
    { plugin: createMinimalDatabase() },
    {
      loginRoute: '/login',
      appRoute: '/launch',
      keysetRoute: '/keys',
      dynRegRoute: '/register',
      ltiaas: false,
      cors: true,
      devMode: false,
      cookies: { secure: true, sameSite: 'None' },
      tokenMaxAge: 60,
    },
  )
  provider.onConnect((_token, _request, response) => void response.end('Hello'))
  const server = createServer(provider.app).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const base = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  const tool = lms.registerTool({
    loginUrl: `${base}/login`,
    launchUrl: `${base}/launch`,
    jwksUrl: `${base}/keys`,
  })
  await createIndexes()
  await of('platform').insertOne({
    platformName: 'LMS',
    platformUrl: lms.issuer,
    clientId: tool.clientId,
    authEndpoint: lms.authorizationUrl,
    accesstokenEndpoint: lms.tokenUrl,
    kid: 'bare',
    authConfig: { method: 'JWK_SET', key: lms.jwksUrl },
  })
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections())
  return { base, deployment: lms.deploymentOf(tool), close }
}

const of = (name: string) => mongoose.connection.collection(`bare_${name}`)

async function createIndexes(): Promise<void> {
  await of('platform').createIndex({ platformUrl: 1, clientId: 1 }, { unique: true })
  await of('platformStatus').createIndex({ id: 1 }, { unique: true })
  await of('nonce').createIndex({ nonce: 1 })
  await of('state').createIndex({ state: 1 }, { unique: true })
  await of('idtoken').createIndex({ iss: 1, clientId: 1, deploymentId: 1, user: 1 }, { unique: true })
  await of('contexttoken').createIndex({ contextId: 1, user: 1 }, { unique: true })
}

/** The driver is faster than ltijs's own Mongoose models. */
function createMinimalDatabase() {
  const now = () => ({ createdAt: Date.now() })
  return {
    setup: async () => {},
    Close: async () => {},
    async Get(_key: string | false, name: string, query: Record<string, unknown> = {}) {
      const found = await of(name).find(query).toArray()
      return found.length > 0 && found
    },
    async Insert(_key: string | false, name: string, item: Record<string, unknown>) {
      await of(name).insertOne({ ...item, ...now() })
      return true
    },
    async Replace(_key: string | false, name: string, query: Record<string, unknown>, item: Record<string, unknown>) {
      await of(name).replaceOne(query, { ...item, ...now() }, { upsert: true })
      return true
    },
    async Modify(_key: string | false, name: string, query: Record<string, unknown>, change: Record<string, unknown>) {
      await of(name).updateOne(query, { $set: change })
      return true
    },
    async Delete(name: string, query: Record<string, unknown>) {
      await of(name).deleteOne(query)
      return true
    },
  }
}
