import type { AssignmentQuestions, Mistake } from '@assay/shared/analytics.ts'
import { roundPercent, roundPoints } from '@assay/shared/rules/points.ts'
import { correlation, countTenths, sum } from '../../lib/numbers.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { QuestionStats } from '../../records/grading/analytics.model.ts'
import type { ReleaseDoc } from '../../records/grading/grade.model.ts'
import { publishedAssignmentsWithRubric } from '../assignments/assignment.service.ts'
import { findTestUserIds } from '../courses/enrollment-queries.ts'
import { releasedCriteria } from '../grades/release.service.ts'
import { cachedStats } from './analytics-cache.ts'
import { gradeStats, newestReleases } from './grade-statistics.ts'

export async function courseQuestionStatistics(
  course: CourseDoc,
  assignmentId?: number,
): Promise<AssignmentQuestions[]> {
  const assignments = await publishedAssignmentsWithRubric(course._id, assignmentId)
  const ids = assignments.map(({ _id }) => _id)
  const figures = await cachedStats(
    'questions',
    ids,
    (id) => [`assignment/${id}`, `course/${course._id}`],
    (id) => computeQuestionStats(id, course._id),
  )
  const classes = await gradeStats(course._id, ids)
  return assignments.flatMap((assignment) => {
    const found = figures.get(assignment._id)
    const tenths = classes.get(assignment._id)?.tenths
    return found && tenths ? [presentQuestions(assignment, found, tenths)] : []
  })
}

async function computeQuestionStats(assignmentId: number, courseId: number): Promise<QuestionStats> {
  const releases = await releasedCriteria(assignmentId)
  const tests = await findTestUserIds(courseId)
  const counted = newestReleases(releases).filter(({ student_id }) => student_id === null || !tests.has(student_id))
  return analyseQuestions(counted.map(({ _id, criteria }) => ({ submissionId: _id, criteria })))
}

function presentQuestions(assignment: AssignmentDoc, { papers, questions }: QuestionStats, tenths: number[]) {
  const inRubric = new Map((assignment.rubric?.questions ?? []).map((question) => [question.id, question]))
  return {
    assignment_id: assignment._id,
    title: assignment.title,
    papers,
    tenths,
    questions: questions.map((question) => {
      const known = inRubric.get(question.question_id)
      return { ...question, number: known?.number ?? null, prompt: known?.prompt ?? question.prompt }
    }),
  }
}

type ReleasedCriterion = ReleaseDoc['criteria'][number]
type Criterion = ReleasedCriterion & { score: number }

interface QuestionResult {
  submissionId: number
  earned: number
  possible: number
  /** Of the points of this paper's other questions, 0 to 1; null without any. */
  restShare: number | null
  lost: Criterion[]
}

const ENOUGH_PAPERS = 10
const MOST_MISTAKES = 3

export function analyseQuestions(papers: { submissionId: number; criteria: ReleasedCriterion[] }[]): QuestionStats {
  const answers = new Map<string, QuestionResult[]>()
  const prompts = new Map<string, string>()
  for (const { submissionId, criteria: released } of papers) {
    for (const key of released.map(questionKey)) answers.set(key, answers.get(key) ?? [])
    const criteria = released.filter((criterion): criterion is Criterion => criterion.score !== null)
    const all = pointsOf(criteria)
    for (const [id, own] of Map.groupBy(criteria, questionKey)) {
      const { earned, possible } = pointsOf(own)
      const rest = all.possible - possible
      const list = answers.get(id) ?? []
      answers.set(id, list)
      prompts.set(id, own[0]?.criterion_text ?? id)
      list.push({
        submissionId,
        earned,
        possible,
        restShare: rest > 0 ? (all.earned - earned) / rest : null,
        lost: own.filter(({ score, max_score }) => score < max_score),
      })
    }
  }
  return {
    papers: papers.length,
    questions: [...answers]
      .filter(([, list]) => list.length > 0)
      .map(([id, list]) => ({
        question_id: id,
        prompt: prompts.get(id) ?? id,
        papers: list.length,
        tenths: countTenths(list.map((result) => roundPercent(100 * scoreShare(result)))),
        average_share: roundPercent((100 * sum(list.map(scoreShare))) / list.length),
        discrimination: computeDiscrimination(list),
        mistakes: commonMistakes(list),
      })),
  }
}

/** Releases from before they named their question are identified by their text. */
const questionKey = ({ question_id, criterion_text }: ReleasedCriterion) => question_id ?? criterion_text

const pointsOf = (criteria: Criterion[]) => ({
  earned: sum(criteria.map(({ score }) => score)),
  possible: sum(criteria.map(({ max_score }) => max_score)),
})

const scoreShare = ({ earned, possible }: QuestionResult) => (possible > 0 ? earned / possible : 0)

/** Corrected item-total correlation (Nunnally & Bernstein, Psychometric Theory, ch. 8): against the other questions. */
function computeDiscrimination(list: QuestionResult[]): number | null {
  const pairs = list.flatMap((result): [number, number][] =>
    result.restShare === null ? [] : [[scoreShare(result), result.restShare]],
  )
  if (pairs.length < ENOUGH_PAPERS) return null
  const value = correlation(pairs)
  return value === null ? null : Math.round(value * 100) / 100
}

interface LostPoints {
  submissionId: number
  criterion: Criterion
}

function commonMistakes(list: QuestionResult[]): Mistake[] {
  const losses = list.flatMap(({ submissionId, lost }) =>
    lost.map((criterion): LostPoints => ({ submissionId, criterion })),
  )
  const level = ({ criterion }: LostPoints) =>
    `${criterion.criterion_id ?? criterion.criterion_text}\n${criterion.llm_performance_level ?? ''}`
  const byAdvice = Map.groupBy(losses, (loss) => `${level(loss)}\n${lastSentence(loss.criterion.llm_feedback)}`)
  const shared = [...byAdvice.values()].filter((group) => group.length > 1)
  const groups = shared.length > 0 ? shared : [...Map.groupBy(losses, level).values()]
  return groups
    .map(toMistake)
    .sort((a, b) => b.count - a.count || b.points_lost - a.points_lost)
    .slice(0, MOST_MISTAKES)
}

function toMistake(group: LostPoints[]): Mistake {
  const lost = ({ criterion }: LostPoints) => criterion.max_score - criterion.score
  const example = group.reduce((worst, loss) => (lost(loss) > lost(worst) ? loss : worst))
  return {
    criterion_text: example.criterion.criterion_text,
    feedback: example.criterion.llm_feedback,
    count: group.length,
    points_lost: roundPoints(sum(group.map(lost)) / group.length),
    example_submission_id: example.submissionId,
  }
}

function lastSentence(feedback: string): string {
  const text = feedback.trim().toLowerCase().replace(/\s+/g, ' ')
  return text.split(/(?<=[.!?])\s/).at(-1) ?? text
}
