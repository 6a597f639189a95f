import { z } from 'zod'
import { withDatabaseLock } from '../../lib/database/database-lock.ts'
import { DeferJob, defineJob, type Job } from '../../lib/jobs/job.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { peopleOf } from '../../records/submissions/people-of-paper.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { enrolledUsers } from '../courses/enrollment-queries.ts'
import { submissionBatches } from '../submissions/submission-batches.ts'
import { findReleasedSubmission, markReleaseNotified } from '../submissions/submission-grades.ts'
import { mailedName } from '../users/notifications/mailed-name.ts'
import { notify } from '../users/notifications/notify.ts'
import { adjustedReleaseScores } from './released-scores.ts'

const BATCH = 500
/** The mail about a paper waits until nothing of it has changed for this long. */
const DEBOUNCE_MS = 120_000

const ReleaseNotification = z.object({
  assignmentId: z.number(),
  submissionId: z.number().nullable(),
  /** In ms: each release has its own mails. */
  at: z.number(),
  debounced: z.boolean().default(false),
})
type ReleaseNotification = z.infer<typeof ReleaseNotification>

export function releaseNotificationJob(services: Services): Job<typeof ReleaseNotification> {
  return defineJob({
    name: 'tell-released',
    payload: ReleaseNotification,
    run: (notification, signal) => mailStudents(notification, services, signal),
  })
}

/** Called once students can see the release. `debounced`: more changes may follow, which share one mail. */
export async function notifyReleased(
  assignment: AssignmentDoc,
  submissionId: number | null,
  services: Services,
  { debounced = false } = {},
): Promise<void> {
  if (assignment.status !== 'published' || assignment.course_id === null) return
  const payload: ReleaseNotification = {
    assignmentId: assignment._id,
    submissionId,
    at: services.clock.now().getTime(),
    debounced,
  }
  const key = `${payload.assignmentId}/${submissionId ?? 'all'}/${debounced ? 'debounced' : payload.at}`
  const group = `assignment:${assignment._id}`
  const { jobs } = services
  // A job already mailing runs once more, for what was changed since.
  if (debounced) await jobs.trigger(releaseNotificationJob(services), [{ key, group, payload }])
  else await jobs.add(releaseNotificationJob(services), [{ key, group, payload }])
}

async function mailStudents(
  { assignmentId, submissionId, at, debounced }: ReleaseNotification,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const assignment = await findAssignment(assignmentId)
  if (assignment?.status !== 'published' || assignment.course_id === null) return
  const enrolled = new Map((await enrolledUsers(assignment.course_id)).map((user) => [user._id, user]))
  const page = `${services.config.publicUrl}/student/assignments/${assignment._id}`
  const title = mailedName(assignment.title, 'an assignment')
  const compose = () => ({
    subject: `Your grade is ready: ${title}`,
    text: `Your instructor has released your grade for “${title}”. It was graded with the help of AI; your instructor decides.\n\nSee your grade and feedback, or request a regrade:\n${page}`,
  })
  // In ms.
  let wait = 0
  const mailAll = async () => {
    const now = services.clock.now().getTime()
    const one = submissionId === null ? null : await findReleasedSubmission(assignment._id, submissionId)
    const batches = submissionId === null ? submissionBatches(assignment._id, BATCH, 'released') : [one ? [one] : []]
    for await (const batch of batches) {
      const ready = batch.filter(({ grade }) => !grade?.unscored_points)
      const adjusted = await adjustedReleaseScores(ready.map(({ _id }) => _id))
      const keyOf = (paper: SubmissionDoc) => notificationKey(paper, adjusted.get(paper._id))
      const untold = ready.filter((paper) => paper.told_release !== keyOf(paper))
      const waitOf = ({ updated_at }: SubmissionDoc) => (debounced ? updated_at.getTime() + DEBOUNCE_MS - now : 0)
      wait = Math.max(wait, ...untold.map(waitOf))
      const fresh = untold.filter((paper) => waitOf(paper) <= 0)
      const users = fresh.flatMap(peopleOf).flatMap((id) => enrolled.get(id) ?? [])
      // Run again after a crash, the mails have the same keys, and the queue holds each key once.
      await notify(users, 'grades', compose, `released/${assignment._id}/${at}`, services)
      await markReleaseNotified(fresh.map((paper) => ({ submissionId: paper._id, key: keyOf(paper) })))
    }
  }
  // Of two at once, the second sees whom the first has mailed.
  await withDatabaseLock(`tell-released/${assignment._id}`, mailAll, signal)
  if (wait > 0) throw new DeferJob(wait, 'grades are still being changed')
}

const currentKey = async (paper: SubmissionDoc) =>
  notificationKey(paper, (await adjustedReleaseScores([paper._id])).get(paper._id))

export const isTold = async (paper: SubmissionDoc): Promise<boolean> =>
  paper.grade?.released === true && paper.told_release === (await currentKey(paper))

export const markToldOtherwise = async (paper: SubmissionDoc): Promise<void> =>
  markReleaseNotified([{ submissionId: paper._id, key: await currentKey(paper) }])

/** What its student sees: an approval without a change, or publishing again, sends no mail. */
function notificationKey({ student_id, group_id, grade }: SubmissionDoc, adjusted: number | undefined): string {
  const whose = group_id === undefined ? student_id : `group ${group_id}`
  const seen = [whose, grade?.id, grade?.manual_score_override, grade?.manual_feedback]
  if (adjusted !== undefined) seen.push(adjusted)
  return hashOf(JSON.stringify(seen)).slice(0, 24)
}
