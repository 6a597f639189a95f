import type { CourseStudent } from '@assay/shared/courses.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { Services } from '../../services.ts'
import { inviteStudent } from './invite-students.ts'

/** Mails the link again, for one that was lost or has expired. Earlier links stay valid. */
export async function resendInvitation(
  course: CourseDoc,
  { id, email, state }: CourseStudent,
  actor: Actor,
  services: Services,
): Promise<{ success: boolean; message: string }> {
  const nothing = { success: false, message: `${email} has an account in use and needs no invitation.` }
  if (state === 'enrolled') return nothing
  const { outcome } = await inviteStudent({ email, invitedBy: actor, course }, services)
  if (outcome === 'enrolled_account' || outcome === 'not_a_student') return nothing
  const subject = { course_id: course._id, user_id: id }
  await recordAudit(actor, 'student.invited_again', subject, services.clock.now())
  const message =
    state === 'waiting'
      ? `The link to confirm the address was sent to ${email} again.`
      : `The invitation was sent to ${email} again.`
  return { success: true, message }
}
