import type { Actor, Permission } from '../../lib/http/handle.ts'

export const canAdminister = (actor: Actor): Permission => (actor.role === 'admin' ? 'yes' : 'forbidden')
