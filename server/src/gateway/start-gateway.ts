import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { launchPaths } from '@assay/shared/lti.ts'
import express, { type Express, type Request } from 'express'
import { apiDocs } from '../api-docs/api-docs.ts'
import type { Config } from '../config.ts'
import { notFound } from '../lib/app-error.ts'
import { clientAssets, clientPages, compressReplies, findClient } from '../lib/client-pages.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { replyWithErrors } from '../lib/error-reply.ts'
import { connectionsOf, listen } from '../lib/listen.ts'
import type { Log } from '../lib/log.ts'
import { requestLog } from '../lib/request-log.ts'
import { securityHeaders } from '../lib/security-headers.ts'
import { forward, isForwarded } from './forward.ts'
import { tellWhoCalls } from './forwarded-for.ts'
import { followFraming } from './framing.ts'

export interface GatewayOptions {
  config: Config
  log: Log
  clientFolder: string | null
  clock?: Clock
  /** How long the far side may keep silent over one call, in ms. */
  silenceMs?: number
}

export interface RunningGateway {
  server: Server
  url: string
  stop(): Promise<void>
}

/** Longer than any single call works: an upload is answered once all of it is kept. */
const SILENCE_MS = 120_000
const READY_MS = 3_000
const GRACE_MS = 10_000

function createGateway(
  app: Express,
  { config, log, clientFolder, ...options }: GatewayOptions,
  target: string,
) {
  const failed = replyWithErrors({ log, clock: options.clock ?? systemClock })
  app.disable('x-powered-by')
  app.set('trust proxy', config.trustProxy)
  app.use(requestLog(log))
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', async (_request, response) => {
    const far = await fetch(new URL('/readyz', target), { signal: AbortSignal.timeout(READY_MS) }).catch(
      () => null,
    )
    response.status(far?.ok ? 200 : 503).json({ status: far?.ok ? 'ready' : 'not ready' })
  })

  app.use((request, response, next) => {
    tellWhoCalls(request, config.trustProxy)
    response.setMaxListeners(20) // The proxy and we listen for its end in more than ten places.
    next()
  })
  const proxy = forward({
    target,
    silenceMs: options.silenceMs ?? SILENCE_MS,
    log,
    fail: (error, request, response) => failed(error, request, response, () => {}),
  })
  // Before anything that reads bodies or compresses: calls pass through as they are.
  app.use(proxy)

  const framing = followFraming(target, log)
  // Known, where the API is up, before the first page is asked for.
  void framing.refresh()
  const headers = securityHeaders({
    publicUrl: config.publicUrl,
    framing: () => framing.current(),
    openedByOthers: launchPaths,
  })
  const pages = findClient(clientFolder)
  app.use(compressReplies())
  if (pages) app.use('/assets', ...clientAssets(pages, headers))
  app.use(headers)
  app.get('/api/docs', apiDocs())
  if (pages) app.use(clientPages(pages))
  app.use((_request, _response) => {
    throw notFound()
  })
  app.use(failed)
  return proxy
}

/** A public edge: serves the client, and passes everything else on to `API_URL`. It keeps nothing. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { config } = options
  if (!config.apiUrl) throw new Error('a gateway has an API_URL')
  const app = express()
  const proxy = createGateway(app, options, config.apiUrl)
  const server = createServer(app)
  // Who sends slowly is the far side's to judge; it knows what it is waiting for.
  server.requestTimeout = 0
  server.keepAliveTimeout = 65_000
  server.on('upgrade', (request, socket, head) => {
    // The server has let go of the socket: a reset that nobody listens to would end the process.
    socket.on('error', () => socket.destroy())
    if (!isForwarded(request.url))
      return void socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
    tellWhoCalls(request, config.trustProxy)
    // The proxy looks only at what every request has; express has not seen this one.
    proxy.upgrade(request as Request, socket as Socket, head)
  })
  const connections = connectionsOf(server)
  const url = await listen(server, config)
  return {
    server,
    url,
    async stop() {
      const force = setTimeout(connections.destroyAll, GRACE_MS)
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      })
      clearTimeout(force)
    },
  }
}
