import type { Question, QuestionKind } from '@assay/shared/rubrics.ts'
import { z } from 'zod'
import { normalFormOf } from '../../grader/grouping/normal-form.ts'
import { type PaperToCompare, type QuestionToCompare, similarPapers } from '../../grader/similarity/similar-papers.ts'
import type { BackgroundWork } from '../../lib/jobs/background-work.ts'
import { defineJob } from '../../lib/jobs/job.ts'
import { createYielder } from '../../lib/yielder.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { QuestionAnswerDoc } from '../../records/grading/question-answer.model.ts'
import type { SimilarPairDoc } from '../../records/grading/similarity-report.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { findQuestionAnswers } from '../questions/question.present.ts'
import { findReport, findToCompare, storeCompared, storeComparing, storeFailed } from './similarity.service.ts'

const comparison = { name: 'compare-papers', payload: z.object({ assignmentId: z.number() }) } as const

/** Once more where a comparison is under way. */
export const queueComparison = (assignmentId: number, { jobs }: Pick<Services, 'jobs'>): Promise<void> =>
  jobs.trigger(comparison, [
    { key: String(assignmentId), group: `similarity/${assignmentId}`, payload: { assignmentId } },
  ])

/** Where it is turned on: again after each run, and after corrections of what was read. */
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

async function comparePapers(
  assignment: AssignmentDoc,
  signal: AbortSignal,
): Promise<{ papers: number; pairs: SimilarPairDoc[] }> {
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
  const pairs = await similarPapers(questions.map(toCompare), list, MOST_PAIRS, pause)
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

/** By people's points, else by the suggested ones; null where there are neither. */
function isRight({ criteria, decided }: QuestionAnswerDoc): boolean | null {
  const points = criteria.map(({ id, score }) => decided?.[id] ?? score)
  if (points.some((given) => given === null)) return null
  return points.every((given, i) => given === criteria[i]?.max)
}
