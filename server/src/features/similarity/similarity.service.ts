import { randomUUID } from 'node:crypto'
import type { Question, QuestionKind } from '@assay/shared/rubrics.ts'
import type { SimilarAnswers, SimilarityReport } from '@assay/shared/similarity.ts'
import { z } from 'zod'
import { recordAudit } from '../../audit/audit.service.ts'
import { normalFormOf } from '../../grader/grouping/normal-form.ts'
import { type PaperToCompare, type QuestionToCompare, similarPapers } from '../../grader/similarity/similar-papers.ts'
import { notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type BackgroundWork, defineJob } from '../../lib/jobs/job.ts'
import { createYielder } from '../../lib/yielder.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { QuestionAnswerDoc } from '../../records/grading/question-answer.model.ts'
import { type SimilarityReportDoc, SimilarityReportModel } from '../../records/grading/similarity-report.model.ts'
import { peopleOf } from '../../records/submissions/people-of-paper.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { findQuestionAnswers } from '../questions/question.present.ts'
import { answerTexts, showPapers } from '../questions/question.service.ts'
import { findSubmissionOwners } from '../submissions/submission-owners.ts'
import { namesById } from '../users/user.service.ts'

export const pairId = ({ first, second }: { first: number; second: number }) => `${first}-${second}`

export const findReport = (assignmentId: number): Promise<SimilarityReportDoc | null> =>
  SimilarityReportModel.findById(assignmentId).lean()

export async function setEnabled(
  { _id }: AssignmentDoc,
  enabled: boolean,
  actor: Actor,
  now: Date,
): Promise<SimilarityReportDoc> {
  const before = await findReport(_id)
  const report = await SimilarityReportModel.findByIdAndUpdate(
    _id,
    {
      $set: { enabled, ...(enabled ? { state: 'comparing', wanted: randomUUID() } : {}) },
      $setOnInsert: { compared_at: null, papers: 0, pairs: [], dismissed: {}, ...(enabled ? {} : { state: 'done' }) },
    },
    { upsert: true, returnDocument: 'after' },
  ).lean()
  if (enabled !== (before?.enabled ?? false))
    await recordAudit(actor, enabled ? 'similarity.enabled' : 'similarity.disabled', { assignment_id: _id }, now)
  return report
}

export async function storeComparing(assignmentId: number): Promise<boolean> {
  const { matchedCount } = await SimilarityReportModel.updateOne(
    { _id: assignmentId, enabled: true },
    { $set: { state: 'comparing', wanted: randomUUID() } },
  )
  return matchedCount > 0
}

/** Only while still wanted and not requested again. */
export async function storeCompared(
  { _id, wanted }: Pick<SimilarityReportDoc, '_id' | 'wanted'>,
  compared: Pick<SimilarityReportDoc, 'papers' | 'pairs'>,
  now: Date,
): Promise<void> {
  await SimilarityReportModel.updateOne(
    { _id, enabled: true, state: 'comparing', wanted: wanted ?? { $exists: false } },
    { $set: { ...compared, state: 'done', compared_at: now } },
  )
}

async function storeFailed(assignmentId: number): Promise<void> {
  await SimilarityReportModel.updateOne({ _id: assignmentId, state: 'comparing' }, { $set: { state: 'failed' } })
}

async function findToCompare(): Promise<number[]> {
  const found = await SimilarityReportModel.find({ enabled: true, state: 'comparing' }, { _id: 1 }).lean()
  return found.map(({ _id }) => _id)
}

/** @throws {AppError} `resource_not_found` */
export async function setDismissed(
  assignment: AssignmentDoc,
  ids: string[],
  dismissed: boolean,
  actor: Actor,
  now: Date,
): Promise<void> {
  const report = await findReport(assignment._id)
  const listed = new Set(report?.pairs.map(pairId))
  if (!report?.enabled || !ids.every((id) => listed.has(id)))
    throw notFound('These papers are not listed any more. Reload the page.')
  const each = (value: unknown) => Object.fromEntries(ids.map((id) => [`dismissed.${id}`, value]))
  await SimilarityReportModel.updateOne(
    { _id: assignment._id },
    dismissed ? { $set: each({ by: actor.id, at: now }) } : { $unset: each('') },
  )
  const action = dismissed ? 'similarity.dismissed' : 'similarity.dismissal_undone'
  await recordAudit(actor, action, { assignment_id: assignment._id }, now, { after: { pairs: ids } })
}

/** With names hidden, texts are masked, and changed ones have no marked passages. */
export async function presentReport(
  assignment: AssignmentDoc,
  report: SimilarityReportDoc | null,
  services: Pick<Services, 'names'>,
): Promise<SimilarityReport> {
  if (!report?.enabled) return { enabled: false, state: 'off', compared: null, pairs: [] }
  const ids = [...new Set(report.pairs.flatMap(({ first, second }) => [first, second]))]
  const papers = ids.map((submission_id) => ({ submission_id }))
  const { labels, mask } = await showPapers(assignment, papers, services)
  const questions = new Map((assignment.rubric?.questions ?? []).map((question) => [question.id, question]))
  const texts = new Map<string, Map<number, string>>()
  for (const id of new Set(report.pairs.flatMap(({ answers }) => answers.map(({ question_id }) => question_id))))
    texts.set(id, await answerTexts(assignment._id, id, ids))
  const people = await namesById(Object.values(report.dismissed).map(({ by }) => by))
  const shown = (questionId: string, submissionId: number) => {
    const text = texts.get(questionId)?.get(submissionId) ?? ''
    const masked = mask.hide(text)
    return { text: masked, changed: masked !== text }
  }
  return {
    enabled: true,
    state: report.state === 'stopped' ? 'done' : report.state,
    compared: report.compared_at && { at: report.compared_at.toISOString(), papers: report.papers },
    pairs: report.pairs.flatMap(({ first, second, answers }) => {
      const [one, other] = [labels.get(first), labels.get(second)]
      if (one === undefined || other === undefined) return []
      const dismissed = report.dismissed[pairId({ first, second })]
      return [
        {
          id: pairId({ first, second }),
          first: { submission_id: first, student: one },
          second: { submission_id: second, student: other },
          answers: answers.flatMap(({ question_id, kind, passages }): SimilarAnswers[] => {
            const question = questions.get(question_id)
            if (!question) return []
            const [a, b] = [shown(question_id, first), shown(question_id, second)]
            const fits = ({ first: [, end], second: [, other] }: (typeof passages)[number]) =>
              end <= a.text.length && other <= b.text.length
            // Positions do not fit masked or corrected texts.
            const marked = a.changed || b.changed || !passages.every(fits) ? [] : passages
            return [{ question_id, number: question.number, kind, first: a.text, second: b.text, passages: marked }]
          }),
          dismissed: dismissed ? { by_name: people.get(dismissed.by) ?? '', at: dismissed.at.toISOString() } : null,
        },
      ]
    }),
  }
}

const comparison = { name: 'compare-papers', payload: z.object({ assignmentId: z.number() }) } as const

/** Once more where a comparison is under way. */
export const queueComparison = (assignmentId: number, { jobs }: Pick<Services, 'jobs'>): Promise<void> =>
  jobs.trigger(comparison, [
    { key: String(assignmentId), group: `similarity/${assignmentId}`, payload: { assignmentId } },
  ])

export function similarityWork(services: Services): BackgroundWork {
  const { events, log, clock } = services
  for (const event of ['assignment_completion', 'answer_rescored'] as const)
    events.onLocal(event, async ({ assignmentId }) => {
      try {
        if (await storeComparing(assignmentId)) await queueComparison(assignmentId, services)
      } catch (error) {
        log.error({ err: error }, 'papers were not compared')
      }
    })

  return {
    jobs: [
      defineJob({
        ...comparison,
        pool: 'cpu',
        attempts: 2,
        async run({ assignmentId }, signal) {
          const report = await findReport(assignmentId)
          const assignment = await findAssignment(assignmentId)
          if (!assignment || !report?.enabled || report.state !== 'comparing') return
          await storeCompared(report, await comparePapers(assignment, signal), clock.now())
        },
        onFailed: ({ assignmentId }) => storeFailed(assignmentId),
      }),
    ],
    async resume() {
      // Stored by a process that ended before it queued the job.
      for (const assignmentId of await findToCompare()) await queueComparison(assignmentId, services)
    },
  }
}

/** Nobody looks at more; twenty papers that are all alike are 190 pairs. */
const MOST_PAIRS = 300
const IN_WORDS: ReadonlySet<QuestionKind> = new Set(['text', 'essay'])

async function comparePapers(assignment: AssignmentDoc, signal: AbortSignal) {
  const questions = (assignment.rubric?.questions ?? []).filter(({ kind }) => kind !== 'drawing')
  const papers = new Map<number, Map<string, { text: string; normal: string; right: boolean | null }>>()
  const next = createYielder()
  const pause = () => {
    signal.throwIfAborted()
    return next()
  }
  for (const question of questions) {
    const normal = IN_WORDS.has(question.kind) ? () => '' : normalFormOf(question)
    const { answers } = await findQuestionAnswers(assignment, question)
    for (const answer of answers) {
      const own = papers.get(answer.submission_id) ?? new Map()
      papers.set(answer.submission_id, own)
      if (answer.state === 'read')
        own.set(question.id, { text: answer.text, normal: normal(answer.text), right: isRight(answer) })
      await pause()
    }
  }
  const list = [...papers].map(([id, answers]): PaperToCompare => ({ id, answers }))
  const found = await similarPapers(questions.map(toCompare), list, MOST_PAIRS, pause)
  const owners = await findSubmissionOwners(found.flatMap(({ first, second }) => [first, second]))
  const people = new Map(owners.map((paper) => [paper._id, peopleOf(paper)]))
  // What a group handed in twice is copied from nobody.
  const pairs = found.filter(({ first, second }) => !people.get(first)?.some((id) => people.get(second)?.includes(id)))
  return {
    papers: list.length,
    pairs: pairs.map(({ first, second, reasons }) => ({
      first,
      second,
      answers: reasons.map(({ questionId, kind, passages }) => ({ question_id: questionId, kind, passages })),
    })),
  }
}

const toCompare = ({ id, kind, prompt, criteria }: Question): QuestionToCompare => ({
  id,
  exact: !IN_WORDS.has(kind),
  known: [prompt, ...criteria.flatMap(({ text, expected, alternatives }) => [text, expected, ...alternatives])],
})

function isRight({ criteria, decided }: QuestionAnswerDoc): boolean | null {
  const points = criteria.map(({ id, score }) => decided?.[id] ?? score)
  if (points.some((given) => given === null)) return null
  return points.every((given, i) => given === criteria[i]?.max)
}
