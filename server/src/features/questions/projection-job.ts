import type { Question, RubricProblem } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { questionProblem, withDoubtfulResults } from '@assay/shared/rules/rubric-problems.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'
import { z } from 'zod'
import { normalFormOf } from '../../grader/grouping/normal-form.ts'
import { type BackgroundWork, defineJob } from '../../lib/jobs/job.ts'
import { correlation, mean, sum } from '../../lib/numbers.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { changeRubricProblems } from '../assignments/assignment-queries.ts'
import { notifyReleased } from '../grades/release-notification.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { openStoredRubric } from '../rubrics/rubric.service.ts'
import { countGrades } from '../submissions/submission-grading.ts'
import { type AnsweredQuestion, countingShare, findQuestionAnswers } from './question.present.ts'

/** Others see it, students are mailed, like answers get new suggestions. */
export type AfterDecision = (assignment: AssignmentDoc, questionId: string, changeId: number | null) => Promise<void>

export function notifyQuestionChanged(
  { _id: assignmentId }: AssignmentDoc,
  questionId: string,
  changeId: number | null,
  { events }: Pick<Services, 'events'>,
): void {
  events.emit('question_changed', {
    assignmentId,
    payload: { assignment_id: assignmentId, question_id: questionId, change_id: changeId },
  })
}

export const createAfterDecision =
  (
    services: Services,
    carryDecisions: (assignment: AssignmentDoc, questionId: string) => Promise<void>,
  ): AfterDecision =>
  async (assignment, questionId, changeId) => {
    if (changeId !== null) await dismissDoubtfulResult(assignment, questionId)
    notifyQuestionChanged(assignment, questionId, changeId, services)
    // Students not yet mailed about a grade this released.
    await notifyReleased(assignment, null, services, { debounced: true })
    await carryDecisions(assignment, questionId)
  }

async function dismissDoubtfulResult(assignment: AssignmentDoc, questionId: string): Promise<void> {
  const problems = assignment.rubric?.problems ?? []
  const isDoubt = ({ code, question_id }: RubricProblem) => code === 'results_doubtful' && question_id === questionId
  if (!problems.some((problem) => isDoubt(problem) && !problem.dismissed)) return
  await changeRubricProblems(assignment, (now) =>
    now.map((problem) => (isDoubt(problem) ? { ...problem, dismissed: true } : problem)),
  )
}

const projection = { name: 'project-answers', payload: z.object({ assignmentId: z.number() }) } as const

/** When a run ends, so that nobody who opens a question of thousands has to wait. */
export function answerProjectionWork({ jobs, events, log }: Pick<Services, 'jobs' | 'events' | 'log'>): BackgroundWork {
  events.onLocal('assignment_completion', ({ assignmentId }) => {
    const job = { key: String(assignmentId), group: `project/${assignmentId}`, payload: { assignmentId } }
    // Otherwise the first to open a question waits.
    jobs.trigger(projection, [job]).catch((error) => log.error({ err: error }, 'answers were not projected'))
  })
  return {
    jobs: [
      defineJob({
        ...projection,
        pool: 'cpu',
        attempts: 2,
        async run({ assignmentId }, signal) {
          const assignment = await findAssignment(assignmentId)
          if (!assignment?.rubric) return
          const results = []
          for (const question of assignment.rubric.questions) {
            if (signal.aborted) return
            results.push(resultsOf(await findQuestionAnswers(assignment, question)))
          }
          const versions = await outdatedVersions(assignment)
          const { outdated } = await countGrades(assignmentId, [...versions.keys()])
          // Points by another key say nothing of this one; the run that regrades them ends here again.
          if (outdated > 0) return
          const found = doubtfulResults(results)
          const { questions } = assignment.rubric
          await changeRubricProblems(assignment, (problems) =>
            withDoubtfulResults(openStoredRubric({ questions, problems: [...problems] }).problems, found),
          )
          for (const { question_id = '' } of found) notifyQuestionChanged(assignment, question_id, null, { events })
        },
      }),
    ],
  }
}

const FEWEST_ANSWERS = 5
/** Standard deviations that chance exceeds once in a thousand questions; fewer than eleven papers never reach them. */
const BEYOND_CHANCE = 3.1
/** With fewer different results elsewhere, chance decides which papers are the best. */
const FEWEST_RANKS = 5
/** Of the points, by which the worst third is ahead of the best. */
const CLEARLY = 0.2

/** `share`: of the points, 0..1. */
interface Result {
  paper: number
  share: number
  written: boolean
  decided: boolean
  /** Null where hardly anybody else wrote it, as a large class's words would fill the memory. */
  text: string | null
}

interface QuestionResults {
  question: Question
  results: Result[]
  differ: boolean
}

export function resultsOf({ question, answers, groups }: AnsweredQuestion): QuestionResults {
  const variants = groups.flatMap((group) => group.variants)
  const shared = variants.filter(({ ids }) => ids.length > 2)
  const texts = new Map(shared.flatMap(({ text, ids }) => ids.map((id) => [id, text])))
  const results = answers.flatMap((answer): Result[] => {
    const { submission_id: paper, state, complete: decided } = answer
    const share = countingShare(answer)
    const written = state === 'read' && answer.text.trim() !== ''
    return share === null ? [] : [{ paper, share, written, decided, text: texts.get(paper) ?? null }]
  })
  return { question, results, differ: canDiffer(question) && isContradictory(question, variants) }
}

/** Other text may be right in many ways, and so may “B or C” or “20 to 30”; versions have their own letters. */
const canDiffer = ({ kind, version_keys, criteria }: Question) =>
  !version_keys &&
  (kind === 'choice' || kind === 'true_false' || kind === 'number') &&
  !criteria.some(({ expected }) => /\bor\b|\bto\b|\bbetween\b|±|\d\s*[-–]\s*\d/i.test(expected))

/** A quarter differ from the most frequent one, more ways than the key accepts, numbers by far. */
function isContradictory(question: Question, variants: { text: string; ids: number[] }[]): boolean {
  const normalForm = normalFormOf(question)
  const counts = new Map<string, number>()
  for (const { text, ids } of variants) {
    const form = normalForm(text)
    if (!form.startsWith('words ')) counts.set(form, (counts.get(form) ?? 0) + ids.length)
  }
  const all = sum([...counts.values()])
  const accepted = sum(question.criteria.map(({ alternatives }) => 1 + alternatives.length))
  if (counts.size <= accepted || all - Math.max(...counts.values()) < all / 4) return false
  if (question.kind !== 'number') return true
  const values = [...counts.keys()].map((form) => Number.parseFloat(form.slice('number '.length)))
  const [least, most] = [Math.min(...values), Math.max(...values)]
  // Roundings of one value, or an accepted range.
  return most - least > 0.2 * Math.max(Math.abs(least), Math.abs(most))
}

export function doubtfulResults(all: readonly QuestionResults[]): RubricProblem[] {
  const none = { earned: 0, possible: 0 }
  const totals = new Map<number, typeof none>()
  for (const { question, results } of all)
    for (const { paper, share } of results) {
      const { earned, possible } = totals.get(paper) ?? none
      const points = questionPoints(question)
      totals.set(paper, { earned: earned + share * points, possible: possible + points })
    }
  return all.flatMap((one) => {
    const { question } = one
    const points = questionPoints(question)
    const doubt = doubtOf(one, ({ paper, share }) => {
      const { earned, possible } = totals.get(paper) ?? none
      return possible > points ? (earned - share * points) / (possible - points) : null
    })
    if (doubt === null) return []
    const problem = questionProblem('results_doubtful', question, `: ${doubt}. Is the expected answer right?`)
    // Without figures: one more paper does not reopen what a teacher has dismissed.
    return [{ ...problem, id: `results_doubtful/${question.id}` }]
  })
}

/** @param restOf share of the paper's other points; null without any */
function doubtOf({ question, results, differ }: QuestionResults, restOf: (one: Result) => number | null) {
  const written = results.filter((one) => one.written)
  if (written.length < FEWEST_ANSWERS || written.every(({ decided }) => decided)) return null
  if (written.every(({ share }) => share === 0)) {
    const { text, count } = mostFrequent(written)
    const same = count * 2 > written.length ? `, and ${count} of them are “${text}”` : ''
    return `all ${written.length} answers got 0 points${same}`
  }
  if (differ && written.every(({ share }) => share === 1))
    return `all ${written.length} answers got full points, though they differ`
  const compared = written.flatMap((one) => {
    const rest = restOf(one)
    return rest === null ? [] : [{ ...one, rest }]
  })
  compared.sort((a, b) => b.rest - a.rest)
  return doubtOfBest(question, compared)
}

/** @param ranked by the other questions, the best papers first */
function doubtOfBest({ criteria }: Question, ranked: (Result & { rest: number })[]): string | null {
  const rests = new Set(ranked.map(({ rest }) => rest))
  // Equal papers have no best ones.
  if (rests.size * 2 < ranked.length && rests.size < FEWEST_RANKS) return null
  // By rank, or one paper that failed altogether would decide.
  const trend = correlation(ranked.map(({ share }, i) => [share, -i])) ?? 0
  if (trend > 0) return null
  const best = ranked.slice(0, Math.ceil(ranked.length / 2))
  const right = best.filter(({ share }) => share >= 0.5).length
  const { text, count } = mostFrequent(best.filter(({ share }) => share < 0.5))
  // A sign test: with the right key, the best are at least as likely to have it as another answer.
  if (count > 0 && count - right >= BEYOND_CHANCE * Math.sqrt(count + right)) {
    const key = shorten(criteria.map(({ expected }) => expected).join(' · '), 40)
    const who = count === best.length ? `the ${count} best papers all` : `${count} of the ${best.length} best papers`
    return `${who} have “${text}”, the key has “${key}”`
  }
  const third = Math.floor(ranked.length / 3)
  const shares = ranked.map(({ share }) => share)
  const lag = mean(shares.slice(-third)) - mean(shares.slice(0, third))
  // Without any connection, a correlation of ranks varies by 1/√(n - 1).
  return lag >= CLEARLY && -trend * Math.sqrt(ranked.length - 1) >= BEYOND_CHANCE
    ? 'the better a paper did on the other questions, the fewer points it got here'
    : null
}

function mostFrequent(results: readonly Result[]): { text: string; count: number } {
  const withText = results.filter(({ text }) => text !== null)
  const byText = Map.groupBy(withText, ({ text }) => text)
  const [most = []] = [...byText.values()].sort((a, b) => b.length - a.length)
  return { text: shorten(most[0]?.text ?? '', 40), count: most.length }
}
