import { contract } from '@assay/shared/contract.ts'
import express, { type Express, type RequestHandler, Router } from 'express'
import { apiDocs } from './api-docs/api-docs.ts'
import { auditRoutes } from './features/admin/audit.routes.ts'
import { dashboardRoutes } from './features/admin/dashboard.routes.ts'
import { userManagementRoutes } from './features/admin/user-management.routes.ts'
import { analyticsRoutes } from './features/analytics/analytics.routes.ts'
import { assignmentRoutes } from './features/assignments/assignment.routes.ts'
import { deletionRoutes } from './features/assignments/deletion.routes.ts'
import { extensionRoutes } from './features/assignments/extension.routes.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { authenticateBy } from './features/auth/authenticate.ts'
import { mailedLinkRoutes } from './features/auth/mailed-link.routes.ts'
import { passwordRoutes } from './features/auth/password.routes.ts'
import { courseRoutes } from './features/courses/course.routes.ts'
import { joinCodeRoutes } from './features/courses/join-code.routes.ts'
import { gradeRoutes } from './features/grades/grade.routes.ts'
import { regradeRoutes } from './features/regrades/regrade.routes.ts'
import { rosterRoutes } from './features/roster/roster.routes.ts'
import type { Grading } from './features/runs/grading.ts'
import { runRoutes } from './features/runs/run.routes.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import { studentRoutes } from './features/students/student.routes.ts'
import { matchRoutes } from './features/submissions/match.routes.ts'
import { submissionRoutes } from './features/submissions/submission.routes.ts'
import { uploadLimits } from './features/submissions/upload-limits.ts'
import { testPageRoutes } from './features/test-pages/test-page.routes.ts'
import { profileRoutes } from './features/users/profile.routes.ts'
import { AppError, notFound } from './lib/app-error.ts'
import { clientAssets, clientPages, compressReplies, findClient } from './lib/client-pages.ts'
import { databaseIsOpen } from './lib/db.ts'
import { replyWithErrors } from './lib/error-reply.ts'
import { configureHandle } from './lib/handle.ts'
import { limitIdleBody } from './lib/idle-body.ts'
import { openApi } from './lib/openapi.ts'
import { requestLog } from './lib/request-log.ts'
import { securityHeaders } from './lib/security-headers.ts'
import { version } from './lib/version.ts'
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

/** The contract as OpenAPI, made when it is first asked for: it is some work, and always the same. */
function publishContract(): RequestHandler {
  let document: string | undefined
  return (_request, response) => {
    document ??= JSON.stringify(openApi(contract, version))
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

  const clientFolder = findClient(options.clientFolder)
  const failed = replyWithErrors(services)
  app.use(requestLog(services.log), compressReplies())
  app.use(
    limitIdleBody(options.idleBodyMs, (request, response) =>
      failed(new AppError('request_timeout'), request, response, () => {}),
    ),
  )
  const headers = securityHeaders(config.publicUrl)
  if (clientFolder) app.use('/assets', ...clientAssets(clientFolder, headers))
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
  api.use(passwordRoutes(services))
  api.use(mailedLinkRoutes(services))
  api.use(profileRoutes(services))
  api.use(courseRoutes(services))
  api.use(joinCodeRoutes(services))
  api.use(rosterRoutes(services))
  api.use(deletionRoutes(services))
  api.use(assignmentRoutes(services))
  api.use(extensionRoutes(services))
  api.use(matchRoutes(services))
  api.use(submissionRoutes(services))
  api.use(runRoutes(services, options.grading))
  api.use(gradeRoutes(services))
  api.use(analyticsRoutes(services))
  api.use(studentRoutes(services))
  api.use(regradeRoutes(services))
  api.use(settingsRoutes(services))
  api.use(userManagementRoutes(services))
  if (config.testPages) api.use(testPageRoutes(services))
  api.use(dashboardRoutes(services))
  api.use(auditRoutes())
  api.use((_request, _response) => {
    throw notFound()
  })
  app.use('/api/v1', api)
  app.get('/api/docs', apiDocs())

  if (clientFolder) app.use(clientPages(clientFolder))
  app.use((_request, _response) => {
    throw notFound()
  })
  app.use(failed)
  return app
}
