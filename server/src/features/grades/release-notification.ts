import { z } from 'zod'
import { defineJob, type Job } from '../../lib/jobs/job.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { enrolledUsers } from '../courses/enrollment-queries.ts'
import { mailedName } from '../notifications/mailed-name.ts'
import { notify } from '../notifications/notify.ts'
import { submissionBatches } from '../submissions/submission-batches.ts'
import { findReleasedSubmission, markReleaseNotified } from '../submissions/submission-grades.ts'
import { adjustedReleaseScores } from './released-scores.ts'

const BATCH = 500

const ReleaseNotification = z.object({
  assignmentId: z.number(),
  /** Null: everybody who was not mailed about the grade they see. */
  submissionId: z.number().nullable(),
  /** When it was released, in ms: each release has its own mails. */
  at: z.number(),
})
type ReleaseNotification = z.infer<typeof ReleaseNotification>

/** Mails students that a grade was released to them: in the queue, so that publishing a thousand grades stays quick. */
export function releaseNotificationJob(services: Services): Job<typeof ReleaseNotification> {
  return defineJob({
    name: 'tell-released',
    payload: ReleaseNotification,
    attempts: 3,
    pool: 'io',
    run: (notification) => mailStudents(notification, services),
  })
}

/** Call it once students can see what was released. */
export async function notifyReleased(
  assignment: AssignmentDoc,
  submissionId: number | null,
  services: Services,
): Promise<void> {
  if (assignment.status !== 'published' || assignment.course_id === null) return
  const payload: ReleaseNotification = {
    assignmentId: assignment._id,
    submissionId,
    at: services.clock.now().getTime(),
  }
  const key = `${payload.assignmentId}/${submissionId ?? 'all'}/${payload.at}`
  const group = `assignment:${assignment._id}`
  await services.jobs.add(releaseNotificationJob(services), [{ key, group, payload }])
}

async function mailStudents(
  { assignmentId, submissionId, at }: ReleaseNotification,
  services: Services,
): Promise<void> {
  const assignment = await findAssignment(assignmentId)
  // Unpublished in the meantime: there is nothing to see.
  if (assignment?.status !== 'published' || assignment.course_id === null) return
  const enrolled = new Map((await enrolledUsers(assignment.course_id)).map((user) => [user._id, user]))
  const page = `${services.config.publicUrl}/student/assignments/${assignment._id}`
  const title = mailedName(assignment.title, 'an assignment')
  const compose = () => ({
    subject: `Your grade is ready: ${title}`,
    text: `Your instructor has released your grade for “${title}”. It was graded with the help of AI; your instructor decides.\n\nSee your grade and feedback, or request a regrade:\n${page}`,
  })
  const batches =
    submissionId === null
      ? submissionBatches(assignment._id, BATCH, 'released')
      : [[await findReleasedSubmission(assignment._id, submissionId)].filter((one) => one !== null)]
  for await (const batch of batches) {
    // A grade is ready once nothing is left to grade by hand.
    const ready = batch.filter(({ grade }) => !grade?.unscored_points)
    const adjusted = await adjustedReleaseScores(ready.map(({ _id }) => _id))
    const keyOf = (one: SubmissionDoc) => notificationKey(one, adjusted.get(one._id))
    const fresh = ready.filter((one) => one.told_release !== keyOf(one))
    const users = fresh.map(({ student_id }) => enrolled.get(student_id ?? 0)).filter((one) => one !== undefined)
    // Run again after a crash, the same mails have the same keys, and the queue holds each key once.
    await notify(users, 'grades', compose, `released/${assignment._id}/${at}`, services)
    await markReleaseNotified(fresh.map((one) => ({ submissionId: one._id, key: keyOf(one) })))
  }
}

/** Whose grade it is, what it says, and the score that rules have made of it: an approval without a change, or publishing again, sends no mail. */
function notificationKey({ student_id, grade }: SubmissionDoc, adjusted: number | undefined): string {
  const seen = [student_id, grade?.id, grade?.manual_score_override, grade?.manual_feedback]
  if (adjusted !== undefined) seen.push(adjusted)
  return hashOf(JSON.stringify(seen)).slice(0, 24)
}
