import express, { type Express } from 'express'
import { isDatabaseConnected } from './lib/database/database.ts'
import { notFound } from './lib/http/app-error.ts'
import { createErrorHandler } from './lib/http/error-handler.ts'
import { logRequests } from './lib/http/request-log.ts'
import { type Collectors, measureRequests, serveMetrics } from './lib/metrics/serve-metrics.ts'
import type { Services } from './services.ts'

export interface HealthOptions {
  isReady: () => boolean
  collectors: Collectors
}

export function serveHealth(app: Express, { config, metrics, log }: Services, options: HealthOptions): void {
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', (_request, response) => {
    const ready = options.isReady() && isDatabaseConnected()
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' })
  })
  app.get('/metrics', serveMetrics(config.metricsToken, metrics, options.collectors, log))
}

export function createWorkerApp(services: Services, options: HealthOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', services.config.trustProxy)
  app.use(logRequests(services.log), measureRequests(services.metrics))
  serveHealth(app, services, options)
  app.use((_request, _response) => {
    throw notFound()
  })
  app.use(createErrorHandler(services))
  return app
}
