import { fileURLToPath } from 'node:url'
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import { AppError, fromExpress } from '../../../lib/app-error.ts'
import { byAddress, limitCalls } from '../../../lib/rate-limit.ts'
import { LtiRefusal } from '../refusals.ts'
import type { Door } from './door.ts'
import { answerFraming, framingBy } from './frame-ancestors.ts'
import { answerKeys } from './keys.ts'
import { type Knock, logKnock, newKnock } from './knock.ts'
import { answerLaunch } from './launch.ts'
import { answerLogin } from './login.ts'
import { windowAddress } from './login-request.ts'
import { sendPage } from './pages.ts'
import { refusalBody } from './refusal-page.ts'

/** A lecture hall behind one address, twice over; a launch is three calls. */
const CALLS = { limit: 10_000, minutes: 5, key: byAddress }
const script = fileURLToPath(new URL('./door-page.js', import.meta.url))

type Answer = (door: Door, request: Request, response: Response, knock: Knock) => Promise<void>

/** What an LMS and its browsers knock at, below `/lti`: nothing of ltijs's own can be reached but through these. */
export function doorRoutes(door: Door): Router {
  const router = Router()
  router.get('/keys', answerKeys(door.ltijs))
  router.get('/frame-ancestors', answerFraming(door.framing))
  router.get('/door.js', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=300').sendFile(script)
  })

  const knocks = ['/login', '/launch']
  router.use(
    knocks,
    limitCalls(CALLS),
    express.urlencoded({ extended: false, limit: '128kb', parameterLimit: 100 }),
  )
  const login = answering(door, 'login', answerLogin)
  const launch = answering(door, 'launch', answerLaunch)
  router.route('/login').get(login).post(login)
  // Opened by GET there is nothing in it: a page says so.
  router.route('/launch').get(launch).post(launch)
  router.use(knocks, failedPage(door))
  return router
}

function answering(door: Door, step: Knock['step'], answer: Answer): RequestHandler {
  return async (request, response) => {
    const knock = newKnock(step, String(response.locals.requestId))
    try {
      await answer(door, request, response, knock)
    } catch (error) {
      if (!(error instanceof LtiRefusal)) throw error
      await logKnock(knock, error, door.services)
      refuse(door, response, knock, error)
    }
  }
}

function refuse({ framing }: Door, response: Response, knock: Knock, refusal: LtiRefusal): void {
  const { code, mend, detail, said, todo } = refusal
  const own = knock.platform ? framingBy([knock.platform]) : []
  const anew = code === 'other_browser' && knock.via !== 'window' ? knock.request : null
  response.status(refusal.status)
  sendPage(response, {
    title: 'Assay did not open',
    body: refusalBody({
      said,
      todo,
      requestId: knock.requestId,
      details: { mend, code, detail },
      windowUrl: anew && windowAddress(anew),
    }),
    // Whoever waits for approval is to read so where they tried it: in their own frame.
    framing: [...new Set([...framing.current(), ...own])],
  })
}

/** Failures that are no refusals, in a page too: a browser is waiting, inside somebody's course. */
function failedPage({ services, framing }: Door): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const requestId = String(response.locals.requestId)
    const known = error instanceof AppError ? error : fromExpress(error)
    if (!known) services.log.error({ err: error, requestId, path: request.path }, 'a launch failed')
    if (response.headersSent) return void response.destroy()
    if (!request.complete) request.resume()
    response.status(known?.status ?? 500)
    sendPage(response, {
      title: 'Assay did not open',
      body: refusalBody({
        said: known?.message ?? 'Something went wrong in Assay.',
        todo: 'Wait a moment, then go back to the course and open Assay again.',
        requestId,
      }),
      framing: framing.current(),
    })
  }
}
