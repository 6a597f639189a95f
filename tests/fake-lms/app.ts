import express, { type Express } from 'express'
import { type DeepLinkResponse, receiveDeepLinkResponse } from './launches/deep-linking.ts'
import { authorize, type Launches } from './launches/launches.ts'
import { SCOPE } from './lms-kinds.ts'
import { addAdminPages } from './pages/admin-pages.ts'
import { addCoursePages, addFrontPages } from './pages/course-pages.ts'
import { addGradebookPages } from './pages/gradebook-pages.ts'
import { addPageWeight } from './pages/page-weight.ts'
import { addToolPages } from './pages/tool-pages.ts'
import type { Platform } from './platform.ts'
import { openIdConfiguration, type Registrations } from './registration.ts'
import { type RequestLog, recordRequests } from './request-log.ts'
import { answerMembers } from './services/roster.ts'
import {
  changeLineItem,
  createLineItem,
  deleteLineItem,
  listLineItems,
  listResults,
  receiveScore,
  showLineItem,
} from './services/scores.ts'
import { serviceHandler } from './services/service.ts'
import type { Tokens } from './services/tokens.ts'

type LmsApp = Platform & {
  requestLog: RequestLog
  tokens: Tokens
  launches: Launches
  registrations: Registrations
  deepLinked: DeepLinkResponse[]
}

const reading = [SCOPE.lineItems, SCOPE.lineItemsRead]
const writing = [SCOPE.lineItems]

/** Bodies stay text: each service reads its own kind. */
export function createLmsApp(lms: LmsApp): Express {
  const { paths } = lms.kind
  const app = express()
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
