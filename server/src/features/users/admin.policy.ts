import type { Permission } from '../../lib/http/allow.ts'
import type { Actor } from '../../lib/http/handle.ts'

export function canAdminister(actor: Actor): Permission {
  return actor.role === 'admin' ? 'yes' : 'forbidden'
}
