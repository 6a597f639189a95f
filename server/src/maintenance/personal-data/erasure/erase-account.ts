import { AuditModel, recordAudits } from '../../../audit/audit.service.ts'
import { revokeMailedLinks } from '../../../features/auth/link-mail.ts'
import { endSessionsOfUser } from '../../../features/auth/session.service.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import type { ErasureTask } from './erasure-rule.ts'

type Closing = Pick<ErasureTask, 'erasure' | 'services'>

/** Nothing new belongs to the person. */
export async function closeAccounts({ erasure, services }: Closing): Promise<void> {
  const now = services.clock.now()
  await UserModel.updateMany(
    { _id: { $in: erasure.account_ids } },
    { $set: { account: 'deactivated', password_hash: null, deleted_at: erasure.started_at, updated_at: now } },
  )
  await endSessions({ erasure, services })
  for (const id of erasure.account_ids) await revokeMailedLinks(id)
}

export async function endSessions({ erasure, services }: Closing): Promise<void> {
  for (const id of erasure.account_ids) await endSessionsOfUser(id, services)
}

/** Only for the job, which never runs twice at once: two requests would both find no entry. */
export async function recordErasure({ erasure, services }: ErasureTask): Promise<void> {
  const subject = { user_id: erasure._id }
  // The process may have died here before.
  if (await AuditModel.exists({ action: 'user.erased', 'subject.user_id': erasure._id })) return
  const actor = { id: erasure.actor_id, role: erasure.actor_role, sessionId: erasure.session_id }
  await recordAudits(actor, 'user.erased', [subject], services.clock.now())
}

/** Courses, grades and audit entries refer to the row. No username or address has the key's colon. */
export async function blankAccounts({ erasure, services }: ErasureTask): Promise<void> {
  const now = services.clock.now()
  for (const id of erasure.account_ids) {
    await UserModel.updateOne(
      { _id: id },
      {
        $set: {
          username: `deleted-${id}`,
          username_key: `deleted:${id}`,
          email: '',
          email_key: `deleted:${id}`,
          email_verified_at: null,
          password_hash: null,
          full_name: erasure.placeholder,
          institution: null,
          student_number: null,
          account: 'deactivated',
          registration_mailed_at: null,
          last_seen_at: null,
          from_lms: false,
          roster_course_id: null,
          demo: false,
          updated_at: now,
        },
        $unset: { notifications: 1 },
      },
    )
  }
}
