import { AppError } from '../../../lib/http/app-error.ts'
import type { Permission } from '../../../lib/http/handle.ts'
import type { Services } from '../../../services.ts'
import { requireActor } from '../../auth/session.service.ts'

/** In production only for administrators, where they are turned on. */
export async function canUseTestPages(bearer: string | null, services: Services): Promise<Permission> {
  const { config } = services
  if (!config.testPages) return 'hidden'
  if (!config.production) return 'yes'
  try {
    const actor = await requireActor(bearer ?? '', services)
    return actor.role === 'admin' ? 'yes' : 'hidden'
  } catch (error) {
    if (error instanceof AppError) return 'hidden'
    throw error
  }
}
