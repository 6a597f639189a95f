import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { constants } from 'node:zlib'
import { contract } from '@assay/shared/contract.ts'
import compression from 'compression'
import express, { type ErrorRequestHandler, type Express, type RequestHandler, Router } from 'express'
import helmet from 'helmet'
import { assignmentRoutes } from './features/assignments/assignment.routes.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { authenticateBy } from './features/auth/authenticate.ts'
import { courseRoutes } from './features/courses/course.routes.ts'
import { gradeRoutes } from './features/grades/grade.routes.ts'
import type { Grading } from './features/runs/grading.ts'
import { runRoutes } from './features/runs/run.routes.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import { studentRoutes } from './features/students/student.routes.ts'
import { submissionRoutes } from './features/submissions/submission.routes.ts'
import { uploadLimits } from './features/submissions/upload-limits.ts'
import { userRoutes } from './features/users/user.routes.ts'
import { AppError, fromExpress, notFound, presentError } from './lib/app-error.ts'
import { databaseIsOpen, isOutOfSpace } from './lib/db.ts'
import { isDiskFull } from './lib/files.ts'
import { configureHandle } from './lib/handle.ts'
import { limitIdleBody } from './lib/idle-body.ts'
import { openApi } from './lib/openapi.ts'
import type { Services } from './services.ts'

export interface AppOptions {
  /** Where uploads lie until they are kept or refused. */
  uploadFolder: string
  /** The built client; null when only the API is served. */
  clientFolder: string | null
  grading: Grading
  /** False once the process is on its way out. */
  isReady: () => boolean
  /** How long a body may keep us waiting for its next byte, in ms. */
  idleBodyMs: number
}

/** Every request has an id, told in the reply and in the log; the log says what was asked, never with what secrets. */
function requestLog({ log }: Services): RequestHandler {
  return (request, response, next) => {
    const requestId = randomUUID()
    response.locals.requestId = requestId
    response.setHeader('X-Request-Id', requestId)
    const began = performance.now()
    const { method, path } = request // Now: a router under way has its own idea of the path.
    // `close` comes after every request, `finish` only after those whose reply went out whole.
    response.on('close', () => {
      const broken = !response.writableFinished
      const level = response.statusCode >= 500 ? 'error' : 'debug'
      log[level](
        {
          requestId,
          method,
          path,
          status: response.headersSent ? response.statusCode : null,
          ms: Math.round(performance.now() - began),
        },
        broken ? 'request broken off' : 'request',
      )
    })
    next()
  }
}

/** No room left, be it for files or in the database. */
function fromStorage(error: unknown): AppError | null {
  const full = isOutOfSpace(error) || isDiskFull(error)
  return full ? new AppError('storage_full', undefined, { cause: error }) : null
}

function errors({ log, clock }: Services): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const known = error instanceof AppError ? error : (fromStorage(error) ?? fromExpress(error))
    const requestId: string = response.locals.requestId ?? ''
    if (!known)
      log.error({ err: error, requestId, method: request.method, path: request.path }, 'a request failed')
    if (response.headersSent) return void response.destroy()
    const failure = known ?? new AppError('service_unavailable', undefined, { cause: error })
    if (failure.retryAfter !== undefined) response.setHeader('Retry-After', String(failure.retryAfter))
    // A body still coming in is read to its end and thrown away: closing on it would lose the reply on its way.
    if (!request.complete) request.resume()
    response.status(failure.status).json(presentError(failure, requestId, clock.now()))
  }
}

function securityHeaders({ config }: Services): RequestHandler {
  const https = config.publicUrl.startsWith('https:')
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"], // pdf.js decodes some scans in WebAssembly.
        styleSrc: ["'self'", "'unsafe-inline'"], // Mantine writes its theme into a style element.
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: https,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  })
}

/**
 * Files with a hash in their name never change. They are no pages, so what binds pages need not go with each; but a worker
 * has the policy of its own reply, not its page's, and ours opens PDFs that anybody may have made.
 */
function assets(folder: string, headers: RequestHandler): RequestHandler[] {
  const guard: RequestHandler = (request, response, next) => {
    if (/worker/i.test(request.path)) return headers(request, response, next)
    response.set('X-Content-Type-Options', 'nosniff')
    next()
  }
  return [
    guard,
    express.static(join(folder, 'assets'), { immutable: true, maxAge: '1y', fallthrough: false }),
  ]
}

/** Every other address is a page of the client's; it is asked for each time. */
function client(folder: string): Router {
  const router = Router()
  router.use(express.static(folder, { index: false, maxAge: '1h' }))
  router.get(/.*/, (_request, response) => {
    response.set('Cache-Control', 'no-cache').sendFile(join(folder, 'index.html'))
  })
  return router
}

/** The contract as OpenAPI, made when it is first asked for: it is some work, and always the same. */
function publishContract(): RequestHandler {
  let document: string | undefined
  return (_request, response) => {
    document ??= JSON.stringify(openApi(contract, '1.0.0'))
    response.type('json').send(document)
  }
}

/** The table of contents of every router. Tests start here too. */
export function createApp(services: Services, options: AppOptions): Express {
  const { config } = services
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', config.trustProxy)
  configureHandle(app, {
    authenticate: authenticateBy(services),
    uploadFolder: options.uploadFolder,
    checkReplies: !config.production && config.test,
  })

  const clientFolder = options.clientFolder && existsSync(options.clientFolder) ? options.clientFolder : null
  const failed = errors(services)
  app.use(
    requestLog(services),
    compression({ level: 8, brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } } }),
  )
  app.use(
    limitIdleBody(options.idleBodyMs, (request, response) =>
      failed(new AppError('request_timeout'), request, response, () => {}),
    ),
  )
  const headers = securityHeaders(services)
  if (clientFolder) app.use('/assets', ...assets(clientFolder, headers))
  app.use(headers)
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', (_request, response) => {
    const ready = options.isReady() && databaseIsOpen()
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' })
  })

  const api = Router()
  api.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })
  api.use(express.json({ limit: '1mb' }), express.urlencoded({ extended: false, limit: '16kb' }))
  api.get('/openapi.json', publishContract())
  api.use(uploadLimits(services))
  api.use(authRoutes(services))
  api.use(userRoutes(services))
  api.use(courseRoutes(services))
  api.use(assignmentRoutes(services))
  api.use(submissionRoutes(services))
  api.use(runRoutes(services, options.grading))
  api.use(gradeRoutes(services))
  api.use(studentRoutes())
  api.use(settingsRoutes(services))
  api.use((_request, _response) => {
    throw notFound()
  })
  app.use('/api/v1', api)

  if (clientFolder) app.use(client(clientFolder))
  app.use((_request, _response) => {
    throw notFound()
  })
  app.use(failed)
  return app
}
