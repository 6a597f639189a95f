import type { RequestHandler } from 'express'
import { Kept } from '../../../lib/kept.ts'
import { type Framing, isSource } from '../../../lib/security-headers.ts'
import type { Services } from '../../../services.ts'
import { LtiPlatformModel } from '../platforms/platform.model.ts'
import { originsOf } from '../platforms/platform.service.ts'

/** Another process may have changed a platform. */
const MAX_AGE_MS = 30_000

/** Origins of those platforms that may stand in a header. */
export const framingBy = (platforms: Parameters<typeof originsOf>[0][]): Framing =>
  [...new Set(platforms.flatMap(originsOf))].filter(isSource).sort()

/** Who may put our pages into a frame: the active platforms' pages. */
export function keepFraming({ events, log }: Pick<Services, 'events' | 'log'>): Kept<Framing> {
  const kept = new Kept<Framing>(
    [],
    async () => framingBy(await LtiPlatformModel.find({ status: 'active' }).lean()),
    {
      maxAgeMs: MAX_AGE_MS,
      failed: (error) => log.error({ err: error }, 'who may frame our pages could not be read'),
    },
  )
  events.on('lti_platforms_changed', () => void kept.refresh())
  return kept
}

/** For a gateway, whose pages are framed too. No secret: every page's header says it. */
export function answerFraming(framing: Kept<Framing>): RequestHandler {
  return (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ origins: framing.current() })
  }
}
