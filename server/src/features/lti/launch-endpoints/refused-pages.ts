import type { Request, RequestHandler, Response } from 'express'
import type { Log } from '../../../lib/log.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { platformOfLaunch } from '../launches/launch.service.ts'
import { LtiRefusal } from '../refusals.ts'
import { sendRefusedPage } from './pages/send-page.ts'

/** For a gateway, which serves the pages but knows no launch: 204 unless the launch is refused. */
export const REFUSED_PAGE_PATH = '/refused-page/:launchId'

/** In place of the client, which only active LMSs may frame: after a reload its reason would be a blocked frame. */
export function refusePagesOfInactive(log: Log): RequestHandler<{ launchId: string }> {
  return async ({ params, method }, response, next) => {
    if (method !== 'GET' && method !== 'HEAD') return next()
    const refusal = await findRefusal(params.launchId).catch((error: unknown) => {
      // The client itself says that the database cannot be reached, and offers to retry.
      log.error({ err: error }, 'a launch’s LMS could not be read')
      return null
    })
    if (!refusal) return next()
    sendRefusal(response, refusal)
  }
}

export const serveRefusedPage = async (
  { params }: Request<{ launchId: string }>,
  response: Response,
): Promise<void> => {
  const refusal = await findRefusal(params.launchId)
  if (refusal) return sendRefusal(response, refusal)
  response.status(204).set('Cache-Control', 'no-store').end()
}

/** An expired launch is refused too while no LMS is active, as none could frame the client. */
async function findRefusal(launchId: string): Promise<LtiRefusal | null> {
  const platform = await platformOfLaunch(launchId)
  const active = platform ? platform.status === 'active' : await LtiPlatformModel.exists({ status: 'active' })
  return active ? null : new LtiRefusal(platform?.status === 'pending' ? 'platform_pending' : 'platform_off')
}

function sendRefusal(response: Response, { code, words: { status, message, todo, fix } }: LtiRefusal): void {
  sendRefusedPage(response, { status, message, todo, details: { fix, code, detail: null } })
}
