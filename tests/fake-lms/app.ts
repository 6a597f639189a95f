import express, { type Express } from 'express'
import { takeDeepLinks } from './deep-linking.ts'
import type { FakeLms } from './fake-lms.ts'
import { authorize } from './launches.ts'
import { changeLineItem, createLineItem, deleteLineItem, listLineItems, showLineItem } from './line-items.ts'
import { SCOPE } from './lti.ts'
import { addAdminPages } from './pages/admin-pages.ts'
import { addCoursePages } from './pages/course-pages.ts'
import { addFrontPages } from './pages/front-pages.ts'
import { addGradebookPages } from './pages/gradebook-pages.ts'
import { addToolPages } from './pages/tool-pages.ts'
import { openIdConfiguration } from './registration.ts'
import { answerMembers } from './roster.ts'
import { listResults, takeScore } from './scores.ts'
import { service } from './service.ts'
import { listening } from './traffic.ts'

const reading = [SCOPE.lineItems, SCOPE.lineItemsRead]
const writing = [SCOPE.lineItems]

/** Every address of the LMS. Bodies stay text: each service reads its own kind. */
export function createLmsApp(lms: FakeLms): Express {
  const { paths } = lms.kind
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(express.text({ type: () => true, limit: '20mb' }))

  app.all(paths.authorization, listening(lms, 'authorization'), (request, response) =>
    authorize(lms, request, response),
  )
  app.get(paths.jwks, listening(lms, 'jwks'), async (_request, response) => {
    response.json(await lms.keys.jwks())
  })
  app.post(paths.token, listening(lms, 'token'), (request, response) =>
    lms.tokens.answer(lms, request, response),
  )
  app.get(
    paths.members,
    listening(lms, 'members'),
    service(lms, [SCOPE.members], (call) => answerMembers(lms, call)),
  )
  app
    .route(paths.lineItems)
    .all(listening(lms, 'lineItems'))
    .get(service(lms, reading, (call) => listLineItems(lms, call)))
    .post(service(lms, writing, (call) => createLineItem(lms, call)))
  app
    .route(paths.lineItem)
    .all(listening(lms, 'lineItem'))
    .get(service(lms, reading, (call) => showLineItem(lms, call)))
    .put(service(lms, writing, (call) => changeLineItem(lms, call)))
    .delete(service(lms, writing, (call) => deleteLineItem(lms, call)))
  app.post(
    paths.scores,
    listening(lms, 'scores'),
    service(lms, [SCOPE.scores], (call) => takeScore(lms, call)),
  )
  app.get(
    paths.results,
    listening(lms, 'results'),
    service(lms, [SCOPE.results], (call) => listResults(lms, call)),
  )
  app.post(paths.deepLinkingReturn, listening(lms, 'deepLinkingReturn'), (request, response) =>
    takeDeepLinks(lms, request, response),
  )
  app.get(paths.configuration, listening(lms, 'configuration'), (_request, response) => {
    response.json(openIdConfiguration(lms))
  })
  app.post(paths.registration, listening(lms, 'registration'), (request, response) =>
    lms.registrations.register(lms, request, response),
  )
  app
    .route(`${paths.registration}/:clientId`)
    .all(listening(lms, 'registration'))
    .get((request, response) => lms.registrations.show(lms, request, response))
    .put((request, response) => lms.registrations.change(lms, request, response))

  addFrontPages(app, lms)
  addCoursePages(app, lms)
  addToolPages(app, lms)
  addGradebookPages(app, lms)
  addAdminPages(app, lms)
  return app
}
