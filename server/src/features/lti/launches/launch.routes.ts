import { getLaunch, openInWindow, openLaunch, resumeLaunch } from '@assay/shared/lti/lti.ts'
import type { Request, Router } from 'express'
import { keyByIpAddress, limitRequests } from '../../../cluster/redis/rate-limit.ts'
import { readCookie } from '../../../lib/http/cookies.ts'
import { allow, handle } from '../../../lib/http/handle.ts'
import type { Services } from '../../../services.ts'
import { requireUser } from '../../users/user.service.ts'
import {
  headingOnTheWayIn,
  type LaunchSession,
  openLaunchByCode,
  presentLaunch,
  presentLaunchSession,
  requireLaunch,
  resumeLaunchByCookie,
} from './launch.service.ts'
import { createWindowHandoff, ENTRY_COOKIE } from './launch-handoff.ts'
import type { ReadFirst } from './read-first.ts'

const RESUME_COOKIE = 'assay_resume'
/** From one address in 15 minutes: a lecture hall shares one address. */
const MAX_FAILED_ATTEMPTS = 600

/** Session cookies end with the browser of a shared computer; `partitioned` is for frames. */
const resumeCookie = (launchId: string) =>
  ({
    path: `/api/v1/auth/lti/resume/${launchId}`,
    httpOnly: true,
    secure: true,
    sameSite: 'none',
    partitioned: true,
  }) as const

/** Never keeps a page from opening: without a heading it shows that it is loading. */
export async function headingOfLaunch(request: Request): Promise<string | null> {
  const [, , launchId = ''] = request.path.split('/')
  return headingOnTheWayIn(launchId, readCookie(request, ENTRY_COOKIE)).catch(() => null)
}

export function launchRoutes(router: Router, services: Services, readFirst: ReadFirst): void {
  const present = async (opened: LaunchSession, first: readonly string[] = []) => ({
    ...(await presentLaunchSession(opened, services)),
    first_replies: await readFirst(opened.token, first),
  })

  router.post(
    [openLaunch.path, resumeLaunch.path],
    limitRequests(services, {
      name: 'launch code',
      minutes: 15,
      limit: MAX_FAILED_ATTEMPTS,
      key: keyByIpAddress,
      countOnlyStatus: 401,
    }),
  )

  handle(router, openLaunch, async ({ params, body, cookie, setCookie, requestId }) => {
    const shown = [cookie(ENTRY_COOKIE), body.storage_secret]
    const { resume, ...opened } = await openLaunchByCode(
      params.launchId,
      { code: body.code, shown },
      requestId,
      services,
    )
    setCookie(RESUME_COOKIE, resume, resumeCookie(opened.launch._id))
    return present(opened, body.first)
  })

  handle(router, resumeLaunch, async ({ params, body, cookie }) =>
    present(await resumeLaunchByCookie(params.launchId, cookie(RESUME_COOKIE), services), body?.first),
  )

  handle(router, getLaunch, async ({ actor }) => {
    const found = await requireLaunch(actor)
    allow('yes') // One's own.
    return presentLaunch(found, await requireUser(actor.id))
  })

  handle(router, openInWindow, async ({ actor }) => {
    const { launch } = await requireLaunch(actor)
    allow('yes') // One's own.
    return { path: await createWindowHandoff(launch, services) }
  })
}
