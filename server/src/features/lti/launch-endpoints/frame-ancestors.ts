import type { RequestHandler } from 'express'
import { type FrameAncestors, isCspSource } from '../../../lib/security/security-headers.ts'
import { StaleWhileRevalidate } from '../../../lib/stale-while-revalidate.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { platformOrigins } from '../platforms/platform.service.ts'

/** Another process may have changed a platform. */
const MAX_AGE_MS = 30_000

/** Only origins valid in a CSP header. */
export const frameAncestorsOf = (platforms: Parameters<typeof platformOrigins>[0][]): FrameAncestors =>
  [...new Set(platforms.flatMap(platformOrigins))].filter(isCspSource).sort()

export function createFrameAncestorsCache({
  events,
  log,
}: Pick<Services, 'events' | 'log'>): StaleWhileRevalidate<FrameAncestors> {
  const cache = new StaleWhileRevalidate<FrameAncestors>(
    [],
    async () => frameAncestorsOf(await LtiPlatformModel.find({ status: 'active' }).lean()),
    {
      maxAgeMs: MAX_AGE_MS,
      failed: (error) => log.error({ err: error }, 'the frame ancestors could not be read'),
    },
  )
  events.onAny('lti_platforms_changed', () => void cache.refresh())
  return cache
}

/** For a gateway, whose pages are framed too. Not secret: every page's header names them. */
export function serveFrameAncestors(framing: StaleWhileRevalidate<FrameAncestors>): RequestHandler {
  return (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ origins: framing.current() })
  }
}
