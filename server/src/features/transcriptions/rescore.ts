import { z } from 'zod'
import { ModelTrouble } from '../../grader/model/model-trouble.ts'
import { defineJob, type Job, TryLater } from '../../lib/jobs.ts'
import type { Services } from '../../services.ts'
import { shareOf } from '../model/places.ts'
import type { GradesBy } from '../runs/grader-for.ts'
import { tellSubmissionChanged } from '../submissions/submission.events.ts'
import { SubmissionModel } from '../submissions/submission.model.ts'
import { CannotScore, Superseded, scoreAgain } from './score-again.ts'
import { type TranscriptionDoc, TranscriptionModel } from './transcription.model.ts'

/** Scores corrected answers again, one question at a time. */
export interface Rescoring {
  jobs: Job[]
  begin(correction: TranscriptionDoc): Promise<void>
  /** Takes up what an earlier process did not come to. */
  resume(): Promise<void>
}

const Payload = z.object({ id: z.string(), revision: z.number() })
type Payload = z.infer<typeof Payload>

/** One for each lane: which it is depends on who grades. */
const steps = {
  work: { name: 'rescore-answer', payload: Payload },
  model: { name: 'rescore-answer-by-model', payload: Payload },
} as const

/** How long a paper that is just being graded is waited for, and a provider that does not answer, in ms. */
const WHILE_GRADED_MS = 2_000
const PROVIDER_MS = 30_000

const BROKEN =
  'The answer could not be scored again because of an error on our side. Score it again; if that fails too, grade the paper again.'

export function createRescoring(services: Services): Rescoring {
  const { jobs, log } = services

  async function rescore(
    { id, revision }: Payload,
    lane: GradesBy['lane'],
    signal: AbortSignal,
  ): Promise<void> {
    const correction = await TranscriptionModel.findOne({ _id: id, revision, scoring: 'waiting' }).lean()
    const submission = correction && (await SubmissionModel.findById(correction.submission_id).lean())
    if (!correction || submission?.file.hash !== correction.file_hash) return
    if (['queued', 'reading', 'grading'].includes(submission.status))
      throw new TryLater(WHILE_GRADED_MS, 'the paper is being graded')
    const isWanted = async () => (await TranscriptionModel.exists({ _id: id, revision })) !== null
    try {
      const elsewhere =
        submission.grade &&
        (await scoreAgain(submission, correction.question_id, lane, services, signal, isWanted))
      if (elsewhere) await queue([correction], elsewhere, shareOf(submission.course_id))
      else await settle({ id, revision }, null)
    } catch (error) {
      if (error instanceof Superseded) return
      if (error instanceof ModelTrouble && error.scope === 'provider')
        throw new TryLater(error.retryAfterMs ?? PROVIDER_MS, error.message, { cause: error })
      if (!(error instanceof CannotScore || error instanceof ModelTrouble)) throw error
      await settle({ id, revision }, error.message)
    }
  }

  /** Says how it ended, unless the answer was corrected again meanwhile, and tells whoever looks at the paper. */
  async function settle({ id, revision }: Payload, failure: string | null): Promise<void> {
    const settled = await TranscriptionModel.findOneAndUpdate(
      { _id: id, revision },
      { $set: { scoring: failure === null ? 'settled' : 'failed', failure } },
    ).lean()
    const submission = settled && (await SubmissionModel.findById(settled.submission_id).lean())
    if (submission) await tellSubmissionChanged(submission, services)
  }

  const queue = (corrections: TranscriptionDoc[], lane: GradesBy['lane'] = 'work', share?: string) =>
    jobs.add(
      steps[lane],
      corrections.map(({ _id, revision }) => ({
        key: `${_id}/${revision}`,
        group: `rescore/${_id}`,
        payload: { id: _id, revision },
        ...(share ? { share } : {}),
      })),
    )

  const jobIn = (lane: GradesBy['lane']) =>
    defineJob({
      ...steps[lane],
      lane,
      attempts: 3,
      run: (payload, signal) => rescore(payload, lane, signal),
      onGivenUp: (payload) => settle(payload, BROKEN),
    })

  return {
    jobs: [jobIn('work') as Job, jobIn('model') as Job],
    begin: async (correction) => {
      if (correction.scoring === 'waiting') await queue([correction])
    },
    async resume() {
      const waiting = await TranscriptionModel.find({ scoring: 'waiting' }).lean()
      if (waiting.length > 0) log.info({ answers: waiting.length }, 'scoring corrected answers again')
      await queue(waiting)
    },
  }
}
