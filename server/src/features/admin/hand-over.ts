import type { createManagedUser } from '@assay/shared/admin.ts'
import type { BodyOf } from '@assay/shared/endpoint.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Actor } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import { postLinkMail } from '../auth/link-mail.ts'
import { hashPassword } from '../auth/password.ts'
import { makePassword } from '../users/first-admin.ts'
import type { UserDoc } from '../users/user.model.ts'
import { createUser } from '../users/user.service.ts'
import { recordAudit } from './audit.service.ts'

/**
 * An account an administrator makes. Its owner sets a password by a mailed link, which shows that the address is theirs; or
 * one is made here, returned this once and kept nowhere in the clear.
 */
export async function createManaged(
  { hand_over, ...about }: BodyOf<typeof createManagedUser>,
  actor: Actor,
  services: Services,
): Promise<{ user: UserDoc; password: string | null }> {
  const { clock } = services
  const password = hand_over === 'once' ? makePassword() : null
  const user = await createUser(
    {
      ...about,
      account: password === null ? 'invited' : 'active',
      password_hash: password === null ? null : await hashPassword(password),
    },
    clock.now(),
  )
  const after = { role: user.role, account: user.account }
  await recordAudit(actor, 'user.created', { user_id: user._id }, clock.now(), { after })
  if (password === null) {
    await postLinkMail([{ kind: 'invitation', userId: user._id, invitedBy: actor.id }], services)
  }
  return { user, password }
}

/** Their invitation again, or a link to set a new password. Says what was done. */
export async function mailLinkTo(user: UserDoc, actor: Actor, services: Services): Promise<string> {
  if (user.account === 'deactivated') {
    throw new AppError('conflict', 'This account is switched off. Switch it on before you mail its owner.')
  }
  if (user.from_lms) {
    throw new AppError(
      'conflict',
      'This account comes from an LMS and has no password. Its owner opens Assay there.',
    )
  }
  const invited = user.account === 'invited'
  await postLinkMail(
    [
      invited
        ? { kind: 'invitation', userId: user._id, invitedBy: actor.id }
        : { kind: 'reset', email: user.email },
    ],
    services,
  )
  const action = invited ? 'user.invited_again' : 'user.reset_link_sent'
  await recordAudit(actor, action, { user_id: user._id }, services.clock.now())
  return invited
    ? `The invitation is on its way to ${user.email}.`
    : `A link to set a new password is on its way to ${user.email}.`
}
