import type { createManagedUser } from '@assay/shared/admin.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { queueLinkMails } from '../auth/link-mail.ts'
import { hashPassword } from '../auth/password-hash.ts'
import { createUser } from '../users/user.service.ts'
import { generatePassword } from './first-administrator.ts'

/**
 * An account an administrator creates. Its owner sets a password by a mailed link, which verifies the address; or one is
 * generated, returned this once and stored only as a hash.
 */
export async function createManagedAccount(
  { hand_over, ...fields }: BodyOf<typeof createManagedUser>,
  actor: Actor,
  services: Services,
): Promise<{ user: UserDoc; password: string | null }> {
  const { clock } = services
  const password = hand_over === 'once' ? generatePassword() : null
  const user = await createUser(
    {
      ...fields,
      account: password === null ? 'invited' : 'active',
      password_hash: password === null ? null : await hashPassword(password),
    },
    clock.now(),
  )
  const after = { role: user.role, account: user.account }
  await recordAudit(actor, 'user.created', { user_id: user._id }, clock.now(), { after })
  if (password === null) {
    await queueLinkMails([{ kind: 'invitation', userId: user._id, invitedBy: actor.id }], services)
  }
  return { user, password }
}

/** Mails the invitation again, or a link to set a new password. Returns a message that says which. */
export async function sendAccountLink(user: UserDoc, actor: Actor, services: Services): Promise<string> {
  if (user.account === 'deactivated') {
    throw new AppError('conflict', 'This account is deactivated. Reactivate it before emailing its owner.')
  }
  if (user.from_lms) {
    throw new AppError('conflict', 'This account comes from an LMS and has no password. Its owner opens Assay there.')
  }
  if (!user.email) {
    throw new AppError('conflict', 'This account has no email address. Enter one before emailing its owner.')
  }
  const invited = user.account === 'invited'
  await queueLinkMails(
    [invited ? { kind: 'invitation', userId: user._id, invitedBy: actor.id } : { kind: 'reset', email: user.email }],
    services,
  )
  const action = invited ? 'user.invited_again' : 'user.reset_link_sent'
  await recordAudit(actor, action, { user_id: user._id }, services.clock.now())
  return invited
    ? `The invitation is on its way to ${user.email}.`
    : `A link to set a new password is on its way to ${user.email}.`
}
