import { AppError } from '../../lib/app-error.ts'
import { type Actor, type Authenticate, bearerOf } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import { csrfTokenHolds } from './csrf.ts'
import { requireActor } from './session.service.ts'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Who is asking, from the bearer token; a change must carry the session's CSRF token as well. */
export function authenticateBy(services: Services): Authenticate {
  return async (request): Promise<Actor> => {
    const token = bearerOf(request)
    if (!token) throw new AppError('auth_required')
    const actor = await requireActor(token, services)
    const { config, clock } = services
    const csrf = request.get('x-csrf-token')
    if (
      !reading.has(request.method) &&
      !csrfTokenHolds(csrf, actor.sessionId, config.secretKey, clock.now())
    ) {
      throw new AppError('csrf_failed')
    }
    return actor
  }
}
