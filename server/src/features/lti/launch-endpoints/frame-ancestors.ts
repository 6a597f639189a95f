import type { RequestHandler } from 'express'
import { StaleWhileRevalidate } from '../../../lib/cache/stale-while-revalidate.ts'
import { type FrameAncestors, isCspSource } from '../../../lib/security/security-headers.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { platformOrigins } from '../platforms/platform.service.ts'

/** Another process may have changed a platform. */
const MAX_AGE_MS = 30_000

/** Origins of those platforms that may stand in a header. */
export const frameAncestorsOf = (platforms: Parameters<typeof platformOrigins>[0][]): FrameAncestors =>
  [...new Set(platforms.flatMap(platformOrigins))].filter(isCspSource).sort()

/** Who may put our pages into a frame: the active platforms' pages. */
export function createFrameAncestorsCache({
  events,
  log,
}: Pick<Services, 'events' | 'log'>): StaleWhileRevalidate<FrameAncestors> {
  const kept = new StaleWhileRevalidate<FrameAncestors>(
    [],
    async () => frameAncestorsOf(await LtiPlatformModel.find({ status: 'active' }).lean()),
    {
      maxAgeMs: MAX_AGE_MS,
      failed: (error) => log.error({ err: error }, 'who may frame our pages could not be read'),
    },
  )
  events.on('lti_platforms_changed', () => void kept.refresh())
  return kept
}

/** For a gateway, whose pages are framed too. No secret: every page's header says it. */
export function serveFrameAncestors(framing: StaleWhileRevalidate<FrameAncestors>): RequestHandler {
  return (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ origins: framing.current() })
  }
}
