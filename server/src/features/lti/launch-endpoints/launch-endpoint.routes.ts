import { fileURLToPath } from 'node:url'
import express, { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express'
import { keyByIpAddress, limitRequests } from '../../../cluster/redis/rate-limit.ts'
import { AppError, fromExpressError } from '../../../lib/http/app-error.ts'
import { ANYONE } from '../../../lib/security/security-headers.ts'
import type { Services } from '../../../services.ts'
import { LtiRefusal } from '../refusals.ts'
import { frameAncestorsOf, handleLaunch, serveFrameAncestors } from './handle-launch.ts'
import { handleLogin } from './handle-login.ts'
import { createJwksCache } from './jwks-cache.ts'
import { type AttemptHandler, type LaunchAttempt, logLaunchAttempt, newLaunchAttempt } from './launch-attempt.ts'
import type { LaunchDependencies } from './launch-dependencies.ts'
import { newWindowLoginUrl } from './login-state.ts'
import { createLtijs, type Ltijs } from './ltijs/ltijs-provider.ts'
import { REFUSED_PAGE_PATH, sendRefusedPage, serveRefusedPage } from './pages/send-page.ts'

/** Two lecture halls behind one address; a launch is three calls. */
const RATE_LIMIT = { name: 'launch', limit: 10_000, minutes: 5, key: keyByIpAddress }
const font = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'))

/** No route of ltijs's own is reachable. */
export function launchEndpointRoutes(services: Services, framing: LaunchDependencies['framing']): Router {
  const deps = { services, framing, ltijs: createLtijs(services), jwksCache: createJwksCache(services) }
  const router = Router()
  router.get('/keys', serveJwks(deps.ltijs))
  router.get('/frame-ancestors', serveFrameAncestors(deps.framing))
  router.get(REFUSED_PAGE_PATH, serveRefusedPage)
  router.get('/inter.woff2', (_request, response) => {
    // A sandboxed page has no origin, so the font needs CORS.
    response.set({ 'Cache-Control': 'public, max-age=86400', 'Access-Control-Allow-Origin': '*' }).sendFile(font)
  })

  const paths = ['/login', '/launch']
  router.use(
    paths,
    limitRequests(services, RATE_LIMIT),
    express.urlencoded({ extended: false, limit: '128kb', parameterLimit: 100 }),
  )
  const login = handleAttempt(deps, 'login', handleLogin)
  const launch = handleAttempt(deps, 'launch', handleLaunch)
  router.route('/login').get(login).post(login)
  router.route('/launch').get(launch).post(launch)
  router.use(paths, sendErrorPage(deps))
  return router
}

function handleAttempt(deps: LaunchDependencies, step: LaunchAttempt['step'], handler: AttemptHandler): RequestHandler {
  return async (request, response) => {
    const attempt = newLaunchAttempt(step, String(response.locals.requestId), request.host ?? null)
    try {
      await handler(deps, request, response, attempt)
    } catch (error) {
      if (!(error instanceof LtiRefusal)) throw error
      // A GET is a bookmark, or the LMS checking the address (Moodle).
      if (step === 'login' || request.method === 'POST') await logLaunchAttempt(attempt, error, deps.services)
      sendRefusalPage(deps, response, attempt, error)
    }
  }
}

function sendRefusalPage(
  { framing }: LaunchDependencies,
  response: Response,
  attempt: LaunchAttempt,
  refusal: LtiRefusal,
): void {
  const ownOrigins = attempt.platform ? frameAncestorsOf([attempt.platform]) : []
  const restart = refusal.code === 'other_browser' && attempt.via !== 'window' ? attempt.request : null
  sendRefusedPage(response, {
    ...refusal.page,
    windowUrl: restart && newWindowLoginUrl(restart),
    // An unregistered LMS shows it too, so anyone may frame it unless it acts; `framing` lacks pending platforms.
    framing: restart ? [...new Set([...framing.current(), ...ownOrigins])] : ANYONE,
  })
}

/** A browser is waiting, so other failures get a page too. */
function sendErrorPage({ services }: LaunchDependencies): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const requestId = String(response.locals.requestId)
    const known = error instanceof AppError ? error : fromExpressError(error)
    if (!known) services.log.error({ err: error, requestId, path: request.path }, 'a launch failed')
    if (response.headersSent) return void response.destroy()
    if (!request.complete) request.resume()
    sendRefusedPage(response, {
      status: known?.status ?? 500,
      message: known?.message ?? 'Something went wrong in Assay.',
      todo: 'Wait a moment, then go back to the course and open Assay again.',
    })
  }
}

/** Including retired keys. */
function serveJwks(ltijs: Ltijs): RequestHandler {
  return async (_request, response) => {
    const { status, body } = await ltijs.request({ path: '/keys' })
    if (status !== 200) throw new Error(`ltijs made no key set (${status})`)
    response.set({ 'Cache-Control': 'public, max-age=60', 'Access-Control-Allow-Origin': '*' }).type('json').send(body)
  }
}
