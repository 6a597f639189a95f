import { createHash } from 'node:crypto'
import { z } from 'zod'
import { defineJob, type Job } from '../../lib/jobs/job.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { enrolledUsers } from '../courses/enrollment.service.ts'
import { notify } from '../notifications/notify.ts'

const BATCH = 500

const ReleaseNotification = z.object({
  assignmentId: z.number(),
  /** Null: everybody who has not been told of the grade they see. */
  submissionId: z.number().nullable(),
  /** When it was released, in ms: two releases are two pieces of news. */
  at: z.number(),
})
type ReleaseNotification = z.infer<typeof ReleaseNotification>

/** Mails students that a grade was released to them: in the queue, so that publishing a thousand grades stays quick. */
export function releaseNotificationJob(services: Services): Job<typeof ReleaseNotification> {
  return defineJob({
    name: 'tell-released',
    payload: ReleaseNotification,
    attempts: 3,
    pool: 'aside',
    run: (news) => mailStudents(news, services),
  })
}

/** To be called once students can see what was released. */
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
  // Hidden again meanwhile: there is nothing to see.
  if (assignment?.status !== 'published' || assignment.course_id === null) return
  const enrolled = new Map((await enrolledUsers(assignment.course_id)).map((user) => [user._id, user]))
  const page = `${services.config.publicUrl}/student/assignments/${assignment._id}`
  const compose = () => ({
    subject: `Your grade is there: ${assignment.title}`,
    text: `Your instructor has released your grade for “${assignment.title}”. AI helped to grade it, and your instructor decides.\n\nSee your grade and feedback, or ask for another look:\n${page}`,
  })
  let after = submissionId === null ? 0 : submissionId - 1
  for (;;) {
    const batch = await SubmissionModel.find({
      assignment_id: assignment._id,
      'grade.released': true,
      _id: submissionId === null ? { $gt: after } : submissionId,
    })
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean()
    const fresh = batch.filter((one) => one.told_release !== notificationKey(one))
    const users = fresh.map(({ student_id }) => enrolled.get(student_id ?? 0)).filter((one) => one !== undefined)
    // Once more after a crash, the same mails have the same keys and stand once in the queue.
    await notify(users, 'grades', compose, `released/${assignment._id}/${at}`, services)
    await recordNotified(fresh)
    after = batch.at(-1)?._id ?? 0
    if (submissionId !== null || batch.length < BATCH) return
  }
}

/** Whose grade it is and what they read in it: an approval that changes neither is no news, nor is publishing again. */
function notificationKey({ student_id, grade }: SubmissionDoc): string {
  const seen = [student_id, grade?.id, grade?.manual_score_override, grade?.manual_feedback]
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 24)
}

async function recordNotified(told: SubmissionDoc[]): Promise<void> {
  if (told.length === 0) return
  await SubmissionModel.bulkWrite(
    told.map((one) => ({
      updateOne: { filter: { _id: one._id }, update: { $set: { told_release: notificationKey(one) } } },
    })),
    { ordered: false },
  )
}
