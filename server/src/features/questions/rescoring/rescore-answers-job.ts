import { z } from 'zod'
import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import { type BackgroundWork, DeferJob, defineJob } from '../../../lib/jobs/job.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { TranscriptionDoc } from '../../../records/submissions/transcription.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { fairShareKey } from '../../llm/concurrency-limits.ts'
import type { GradingPool } from '../../runs/steps/run-steps.ts'
import { notifySubmissionChanged } from '../../submissions/submission.events.ts'
import { findSubmission } from '../../submissions/submission.service.ts'
import {
  correctionsToScore,
  findCorrectionToScore,
  isLatestCorrection,
  recordScored,
} from '../../transcriptions/transcription.service.ts'
import { notifyQuestionChanged } from '../projection-job.ts'
import { CannotRescoreError, carryDecisions, rescoreAnswer, SupersededError } from './carry-decisions.ts'

export interface Rescoring extends BackgroundWork {
  enqueue(correction: TranscriptionDoc): Promise<void>
  /** Runs once more where it is under way. */
  carryDecisions(assignment: Pick<AssignmentDoc, '_id' | 'course_id'>, questionId: string): Promise<void>
  isCarrying(assignmentId: number, questionId: string): Promise<boolean>
}

const Payload = z.object({ id: z.string(), revision: z.number() })
type Payload = z.infer<typeof Payload>

const jobByPool = {
  cpu: { name: 'rescore-answer', payload: Payload },
  llm: { name: 'rescore-answer-by-llm', payload: Payload },
} as const

const CarryPayload = z.object({ assignmentId: z.number(), questionId: z.string() })
const carryJob = { name: 'carry-decisions', payload: CarryPayload } as const

const carryGroup = (assignmentId: number, questionId: string) => `carry/${assignmentId}/${questionId}`

/** In ms: while the paper is graded, and while a provider does not answer. */
const GRADING_RETRY_MS = 2_000
const PROVIDER_RETRY_MS = 30_000

const INTERNAL_FAILURE =
  'The answer could not be rescored because of an internal error. Try again; if that fails, grade the whole paper again.'

export function createRescoring(services: Services): Rescoring {
  const { jobs, log, events } = services

  async function rescore({ id, revision }: Payload, pool: GradingPool, signal: AbortSignal): Promise<void> {
    const correction = await findCorrectionToScore(id, revision)
    const submission = correction && (await findSubmission(correction.submission_id))
    if (!correction || submission?.file.hash !== correction.file_hash) return
    if (['queued', 'reading', 'grading'].includes(submission.status))
      throw new DeferJob(GRADING_RETRY_MS, 'the paper is being graded')
    const isWanted = () => isLatestCorrection(id, revision)
    let failure: string | null = null
    try {
      const elsewhere =
        submission.grade && (await rescoreAnswer(submission, correction.question_id, pool, services, signal, isWanted))
      if (elsewhere) return await queue([correction], elsewhere, fairShareKey(submission.course_id))
    } catch (error) {
      if (error instanceof SupersededError) return
      if (error instanceof LlmError && error.scope === 'provider')
        throw new DeferJob(error.retryAfterMs ?? PROVIDER_RETRY_MS, error.message, { cause: error })
      if (!(error instanceof CannotRescoreError || error instanceof LlmError)) throw error
      failure = error.message
    }
    // Before it is recorded: if the process ends in between, both are repeated.
    events.emit('answer_rescored', { assignmentId: submission.assignment_id })
    await finish({ id, revision }, failure)
  }

  async function finish({ id, revision }: Payload, failure: string | null): Promise<void> {
    const scored = await recordScored(id, revision, failure)
    const submission = scored && (await findSubmission(scored.submission_id))
    if (submission) await notifySubmissionChanged(submission, services)
  }

  const queue = (corrections: TranscriptionDoc[], pool: GradingPool = 'cpu', fairShare?: string) =>
    jobs.add(
      jobByPool[pool],
      corrections.map(({ _id, revision }) => ({
        key: `${_id}/${revision}`,
        group: `rescore/${_id}`,
        payload: { id: _id, revision },
        ...(fairShare ? { fairShareKey: fairShare } : {}),
      })),
    )

  const jobInPool = (pool: GradingPool) =>
    defineJob({
      ...jobByPool[pool],
      pool,
      run: (payload, signal) => rescore(payload, pool, signal),
      onFailed: (payload) => finish(payload, INTERNAL_FAILURE),
    })

  const carry = defineJob({
    ...carryJob,
    pool: 'cpu',
    async run({ assignmentId, questionId }, signal) {
      const assignment = await findAssignment(assignmentId)
      if (!assignment) return
      const changed = await carryDecisions(assignment, questionId, services, signal)
      if (changed > 0) notifyQuestionChanged(assignment, questionId, null, services)
    },
  })

  return {
    jobs: [jobInPool('cpu'), jobInPool('llm'), carry],
    carryDecisions: ({ _id: assignmentId, course_id }, questionId) =>
      jobs.trigger(carryJob, [
        {
          key: `${assignmentId}/${questionId}`,
          group: carryGroup(assignmentId, questionId),
          payload: { assignmentId, questionId },
          fairShareKey: fairShareKey(course_id),
        },
      ]),
    isCarrying: (assignmentId, questionId) => jobs.hasJobs(carryGroup(assignmentId, questionId)),
    enqueue: async (correction) => {
      if (correction.scoring === 'waiting') await queue([correction])
    },
    async resume() {
      const waiting = await correctionsToScore()
      if (waiting.length > 0) log.info({ answers: waiting.length }, 'scoring corrected answers again')
      await queue(waiting)
    },
  }
}
