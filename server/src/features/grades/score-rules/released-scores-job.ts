import { z } from 'zod'
import { type BackgroundWork, defineJob, type Job } from '../../../lib/jobs/job.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { markScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import type { Services } from '../../../services.ts'
import {
  findAssignment,
  findReleasedScoresDue,
  markReleasedScoresDone,
  markReleasedScoresDue,
  storeTimeZone,
} from '../../assignments/assignment.service.ts'
import { notifyListChanged } from '../../submissions/submission.events.ts'
import { notifyReleased } from '../release-notification.ts'
import { refreshReleasedScores, releaseIdsAfter } from '../released-scores.ts'

const BATCH = 200

const Payload = z.object({ assignmentId: z.number() })

function releasedScoresJob(services: Services): Job<typeof Payload> {
  return defineJob({
    name: 'refresh-released-scores',
    payload: Payload,
    run: ({ assignmentId }, signal) => refreshAll(assignmentId, signal, services),
  })
}

async function refreshAll(assignmentId: number, signal: AbortSignal, services: Services): Promise<void> {
  const assignment = await findAssignment(assignmentId)
  if (assignment?.released_scores_due === undefined) return
  let after = 0
  for (;;) {
    signal.throwIfAborted()
    const ids = await releaseIdsAfter(assignmentId, after, BATCH)
    const last = ids.at(-1)
    if (last === undefined) break
    await refreshReleasedScores(assignmentId, ids)
    after = last
  }
  await markScoresChanged(assignmentId)
  notifyListChanged(assignmentId, services)
  await notifyReleased(assignment, null, services)
  // Last: after a crash it starts over, which changes, sends and mails nothing twice.
  await markReleasedScoresDone(assignment)
}

export async function queueReleasedScores(assignmentIds: number[], services: Services): Promise<void> {
  await services.jobs.trigger(
    releasedScoresJob(services),
    assignmentIds.map((id) => ({ key: `${id}`, group: `assignment:${id}`, payload: { assignmentId: id } })),
  )
}

export async function datesChanged(assignment: Pick<AssignmentDoc, '_id' | 'score_rules'>, services: Services) {
  if (await markReleasedScoresDue(assignment)) await queueReleasedScores([assignment._id], services)
}

export const changeTimeZone = async (courseId: number, timeZone: string, services: Services): Promise<void> =>
  queueReleasedScores(await storeTimeZone(courseId, timeZone), services)

export const releasedScoresWork = (services: Services): BackgroundWork => ({
  jobs: [releasedScoresJob(services)],
  resume: async () => queueReleasedScores(await findReleasedScoresDue(), services),
})
