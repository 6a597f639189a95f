import { fileURLToPath } from 'node:url'
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import { AppError, fromExpressError } from '../../../lib/http/app-error.ts'
import { keyByIpAddress, limitRequests } from '../../../lib/http/rate-limit.ts'
import { LtiRefusal } from '../refusals.ts'
import { frameAncestorsOf, serveFrameAncestors } from './frame-ancestors.ts'
import { handleLaunch } from './handle-launch.ts'
import { handleLogin } from './handle-login.ts'
import { serveJwks } from './jwks-endpoint.ts'
import { type LaunchAttempt, logLaunchAttempt, newLaunchAttempt } from './launch-attempt.ts'
import type { LaunchDependencies } from './launch-dependencies.ts'
import { newWindowLoginUrl } from './login-request.ts'
import { refusalBody } from './pages/refusal-page.ts'
import { sendPage } from './pages/send-page.ts'

/** A lecture hall behind one address, twice over; a launch is three calls. */
const RATE_LIMIT = { limit: 10_000, minutes: 5, key: keyByIpAddress }
const script = fileURLToPath(new URL('./pages/browser-check-page.js', import.meta.url))

type AttemptHandler = (
  door: LaunchDependencies,
  request: Request,
  response: Response,
  knock: LaunchAttempt,
) => Promise<void>

/** What an LMS and its browsers knock at, below `/lti`: nothing of ltijs's own can be reached but through these. */
export function launchEndpointRoutes(door: LaunchDependencies): Router {
  const router = Router()
  router.get('/keys', serveJwks(door.ltijs))
  router.get('/frame-ancestors', serveFrameAncestors(door.framing))
  router.get('/door.js', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=300').sendFile(script)
  })

  const knocks = ['/login', '/launch']
  router.use(
    knocks,
    limitRequests(RATE_LIMIT),
    express.urlencoded({ extended: false, limit: '128kb', parameterLimit: 100 }),
  )
  const login = handleAttempt(door, 'login', handleLogin)
  const launch = handleAttempt(door, 'launch', handleLaunch)
  router.route('/login').get(login).post(login)
  // Opened by GET there is nothing in it: a page says so.
  router.route('/launch').get(launch).post(launch)
  router.use(knocks, sendErrorPage(door))
  return router
}

function handleAttempt(door: LaunchDependencies, step: LaunchAttempt['step'], answer: AttemptHandler): RequestHandler {
  return async (request, response) => {
    const knock = newLaunchAttempt(step, String(response.locals.requestId))
    try {
      await answer(door, request, response, knock)
    } catch (error) {
      if (!(error instanceof LtiRefusal)) throw error
      await logLaunchAttempt(knock, error, door.services)
      sendRefusalPage(door, response, knock, error)
    }
  }
}

function sendRefusalPage(
  { framing }: LaunchDependencies,
  response: Response,
  knock: LaunchAttempt,
  refusal: LtiRefusal,
): void {
  const { code, mend, detail, said, todo } = refusal
  const own = knock.platform ? frameAncestorsOf([knock.platform]) : []
  const anew = code === 'other_browser' && knock.via !== 'window' ? knock.request : null
  response.status(refusal.status)
  sendPage(response, {
    title: 'Assay did not open',
    body: refusalBody({
      said,
      todo,
      requestId: knock.requestId,
      details: { mend, code, detail },
      windowUrl: anew && newWindowLoginUrl(anew),
    }),
    // Whoever waits for approval is to read so where they tried it: in their own frame.
    framing: [...new Set([...framing.current(), ...own])],
  })
}

/** Failures that are no refusals, in a page too: a browser is waiting, inside somebody's course. */
function sendErrorPage({ services, framing }: LaunchDependencies): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const requestId = String(response.locals.requestId)
    const known = error instanceof AppError ? error : fromExpressError(error)
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
