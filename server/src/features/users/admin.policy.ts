import type { Permission } from '../../lib/http/allow.ts'
import type { Actor } from '../../lib/http/handle.ts'

/** People, settings and the audit log are administrators' alone. */
export function canAdminister(actor: Actor): Permission {
  return actor.role === 'admin' ? 'yes' : 'forbidden'
}
