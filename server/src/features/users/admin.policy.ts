import type { Actor, Permission } from '../../lib/http/handle.ts'

export function canAdminister(actor: Actor): Permission {
  return actor.role === 'admin' ? 'yes' : 'forbidden'
}
