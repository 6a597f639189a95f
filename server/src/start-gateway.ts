import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { launchPaths } from '@assay/shared/lti/lti.ts'
import type { RequestHandler } from 'express'
import express, { type Express, type Request, type Response } from 'express'
import { z } from 'zod'
import { serveApiDocs } from './api-docs/api-docs.ts'
import { createApiProxy, isForwarded } from './cluster/gateway/api-proxy.ts'
import { keyByIpAddress } from './cluster/redis/rate-limit.ts'
import type { Config } from './config.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { AppError } from './lib/http/app-error.ts'
import {
  compressResponses,
  findClientBuild,
  inlineScriptsOf,
  serveClientAssets,
  serveClientPages,
} from './lib/http/client-files.ts'
import { createErrorHandler, refuseUnknownPath } from './lib/http/error-handler.ts'
import {
  bodyTimeout,
  closeServer,
  createHttpServer,
  gracefulShutdown,
  IDLE_BODY_MS,
  listen,
} from './lib/http/listen.ts'
import { logRequests } from './lib/http/request-log.ts'
import type { Log } from './lib/log.ts'
import { collectProcessMetrics, createMetrics } from './lib/metrics/metrics.ts'
import { measureRequests, serveMetrics } from './lib/metrics/serve-metrics.ts'
import { ANYONE, type FrameAncestors, securityHeaders, setXFrameOptions } from './lib/security/security-headers.ts'
import { StaleWhileRevalidate } from './lib/stale-while-revalidate.ts'
import { version } from './lib/version.ts'

const readAssetOf = (target: string) => async (name: string) => {
  try {
    const reply = await fetch(new URL(`/assets/${name}`, target), { signal: AbortSignal.timeout(ASSET_TIMEOUT_MS) })
    if (reply.ok) return Buffer.from(await reply.arrayBuffer())
    if (reply.status === 404) return null
    throw new Error(`the API answered ${reply.status}`)
  } catch (cause) {
    throw new AppError('service_unavailable', undefined, { status: 502, cause })
  }
}

interface GatewayOptions {
  config: Config
  log: Log
  clientFolder: string | null
  clock?: Clock
  /** The API may be silent for so long in a call. */
  upstreamTimeoutMs?: number
  idleBodyMs?: number
}

export interface RunningGateway {
  server: Server
  url: string
  stop(): Promise<void>
}

/** An upload is answered only once it is stored. */
const UPSTREAM_TIMEOUT_MS = 120_000
const REPLY_TIMEOUT_MS = 3_000
const ASSET_TIMEOUT_MS = 20_000

function configureGateway(
  app: Express,
  { config, log, clientFolder, ...options }: GatewayOptions,
  target: string,
  state: { stopping: boolean },
) {
  const failed = createErrorHandler({ log, clock: options.clock ?? systemClock })
  app.disable('x-powered-by')
  app.set('trust proxy', config.trustProxy)
  const metrics = createMetrics()
  metrics.info.set({ version, role: config.role }, 1)
  if (config.metricsToken !== null) collectProcessMetrics(metrics)
  const routeOf = ({ originalUrl }: Request) => (isForwarded(originalUrl) ? 'forwarded' : 'other')
  app.use(logRequests(log), measureRequests(metrics, routeOf))
  const giveUp = (request: Request, response: Response) =>
    failed(new AppError('request_timeout'), request, response, () => {})
  app.use(bodyTimeout(options.idleBodyMs ?? IDLE_BODY_MS, keyByIpAddress, giveUp))
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', async (_request, response) => {
    const far = await fetch(new URL('/readyz', target), { signal: AbortSignal.timeout(REPLY_TIMEOUT_MS) }).catch(
      () => null,
    )
    const ready = far?.ok === true && !state.stopping
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' })
  })
  app.get('/metrics', serveMetrics(config.metricsToken, metrics, {}, log))

  app.use((request, response, next) => {
    setForwardedHeaders(request, config.trustProxy)
    request.headers['x-request-id'] = response.locals.requestId
    next()
  })
  const proxy = createApiProxy({
    target,
    timeoutMs: options.upstreamTimeoutMs ?? UPSTREAM_TIMEOUT_MS,
    log,
    replyWithError: (error, request, response) => failed(error, request, response, () => {}),
  })
  // Before anything that reads bodies or compresses.
  app.use(proxy)

  const framing = createFrameAncestorsCache(target, log)
  void framing.refresh()
  const pages = findClientBuild(clientFolder)
  const headers = securityHeaders({
    publicUrl: config.publicUrl,
    frameAncestors: () => framing.current(),
    embeddablePaths: launchPaths,
    inlineScripts: pages ? inlineScriptsOf(pages) : [],
  })
  app.use(compressResponses())
  if (pages) app.use('/assets', ...serveClientAssets(pages, headers, readAssetOf(target)))
  app.use(headers)
  app.get('/api/docs', serveApiDocs())
  app.use('/l/:launchId', serveRefusedPages(target, log))
  if (pages) app.use(serveClientPages(pages))
  app.use(refuseUnknownPath)
  app.use(failed)
  return proxy
}

export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { config } = options
  if (!config.apiUrl) throw new Error('a gateway has an API_URL')
  const app = express()
  const state = { stopping: false }
  const proxy = configureGateway(app, options, config.apiUrl, state)
  const server = createHttpServer()
  // Before the app, which may have answered.
  const shutDown = gracefulShutdown(server)
  server.on('request', app)
  server.on('upgrade', (request, socket, head) => {
    // An unhandled reset of the detached socket would end the process.
    socket.on('error', () => socket.destroy())
    if (!isForwarded(request.url)) return void socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
    setForwardedHeaders(request, config.trustProxy)
    // The proxy reads only what every request has; express has not seen this one.
    proxy.upgrade(request as Request, socket as Socket, head)
  })
  const url = await listen(server, config)
  return {
    server,
    url,
    async stop() {
      state.stopping = true
      await shutDown({
        delayMs: config.shutdownDelayMs,
        timeoutMs: config.shutdownTimeoutMs,
        close: () => closeServer(server),
      })
    },
  }
}

const firstValue = (header: string | string[] | undefined) => [header ?? []].flat()[0]

/** Forwarded headers count only from a trusted proxy, as callers could forge them. */
function setForwardedHeaders({ headers, socket }: IncomingMessage, trustProxy: number): void {
  const behind = trustProxy > 0
  const earlier = behind ? [headers['x-forwarded-for'] ?? []].flat() : []
  const proto = behind ? firstValue(headers['x-forwarded-proto']) : undefined
  const host = behind ? firstValue(headers['x-forwarded-host']) : undefined
  headers['x-forwarded-for'] = [...earlier, socket.remoteAddress ?? ''].join(', ')
  headers['x-forwarded-proto'] = proto ?? ('encrypted' in socket ? 'https' : 'http')
  headers['x-forwarded-host'] = host ?? headers.host ?? ''
  delete headers.forwarded
}

const COPIED_HEADERS = ['content-type', 'content-security-policy', 'cache-control', 'referrer-policy']

/** For a launch whose LMS is not active; any page may frame it. */
function serveRefusedPages(target: string, log: Log): RequestHandler<{ launchId: string }> {
  return async ({ params, method }, response, next) => {
    if (method !== 'GET' && method !== 'HEAD') return next()
    const address = new URL(`/lti/refused-page/${encodeURIComponent(params.launchId)}`, target)
    const reply = await fetch(address, { signal: AbortSignal.timeout(REPLY_TIMEOUT_MS) }).catch((error: unknown) => {
      // The client reports an unreachable API itself.
      log.warn({ err: error }, 'could not ask the API whether a launch is refused')
      return null
    })
    // Another implementation of the API may not have this page.
    if (reply?.status !== 403 || !reply.headers.get('content-type')?.startsWith('text/html')) return next()
    for (const name of COPIED_HEADERS) {
      const value = reply.headers.get(name)
      if (value !== null) response.set(name, value)
    }
    setXFrameOptions(response, ANYONE)
    response.status(403).send(await reply.text())
  }
}

const ANCESTORS_MAX_AGE_MS = 30_000

/** Safe in a header. */
const FrameAncestorsReply = z.object({ origins: z.array(z.string().regex(/^https?:\/\/[^\s;,'"]+$/)).max(1000) })

function createFrameAncestorsCache(target: string, log: Log): StaleWhileRevalidate<FrameAncestors> {
  return new StaleWhileRevalidate<FrameAncestors>(
    [],
    async () => {
      const reply = await fetch(new URL('/lti/frame-ancestors', target), {
        signal: AbortSignal.timeout(REPLY_TIMEOUT_MS),
      })
      if (!reply.ok) throw new Error(`the API answered ${reply.status}`)
      return FrameAncestorsReply.parse(await reply.json()).origins
    },
    {
      maxAgeMs: ANCESTORS_MAX_AGE_MS,
      failed: (error) => log.warn({ err: error }, 'could not fetch frame ancestors from the API'),
    },
  )
}
