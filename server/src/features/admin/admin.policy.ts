import type { Permission } from '../../lib/allow.ts'
import type { Actor } from '../../lib/handle.ts'

/** People, settings and the audit log are administrators' alone. */
export function canAdminister(actor: Actor): Permission {
  return actor.role === 'admin' ? 'yes' : 'forbidden'
}
