import { AppError } from '../../lib/http/app-error.ts'
import { type Actor, type Authenticate, bearerTokenOf } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { isValidCsrfToken } from './csrf-token.ts'
import { requireActor } from './session.service.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A change must carry the session's CSRF token beside the bearer token. */
export function createAuthenticator(services: Services): Authenticate {
  return async (request): Promise<Actor> => {
    const token = bearerTokenOf(request)
    if (!token) throw new AppError('auth_required')
    const actor = await requireActor(token, services)
    const { config, clock } = services
    const csrf = request.get('x-csrf-token')
    if (!SAFE_METHODS.has(request.method) && !isValidCsrfToken(csrf, actor.sessionId, config.secretKey, clock.now())) {
      throw new AppError('csrf_failed')
    }
    return actor
  }
}
