import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Anchor } from '../../grader/grader.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { PointsByCriterion } from '../../records/grading/question-change.model.ts'
import type { AmendedAnswer, RubricAmendmentDoc } from '../../records/grading/rubric-amendment.model.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { findAnchors } from '../grades/anchors.ts'
import { findCriterionGrades } from '../grades/grade.service.ts'
import { requireQuestion } from '../questions/question.service.ts'
import { findQuestionAnswers } from '../questions/question-answers.ts'
import { gradeQuestionAgain } from '../rescoring/grade-question-again.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { countGraded, findAllGraded } from '../submissions/submission-grades.ts'
import { currentRubric, reportProgress, rubricWith } from './amendment.service.ts'

/** How many papers are graded between two reports of progress. */
const REPORT_EVERY = 25

/** It was stopped, or its rubric is another by now. */
export class AmendmentStopped extends Error {
  override name = 'AmendmentStopped'
}

type Preview = Pick<RubricAmendmentDoc, 'answers' | 'unchanged' | 'done' | 'total'>

/**
 * The answers whose points would change, without changing anything. What the built-in grader gave is graded by the rubric as it is and as it
 * would be, so that only what the amendment itself changes is listed; of the others, those in one group with the granted answer are.
 * @throws {AmendmentStopped}
 */
export async function previewAmendment(
  assignment: AssignmentDoc,
  amendment: RubricAmendmentDoc,
  services: Services,
  signal: AbortSignal,
): Promise<Preview> {
  const question = requireQuestion(assignment, amendment.question_id)
  const rubrics = { current: currentRubric(assignment), amended: rubricWith(assignment, amendment) }
  const outdated = await outdatedVersions(assignment)
  const grouped = await idsInGroup(assignment, amendment)
  const anchors = await anchorsBeside(assignment, amendment)
  const total = await countGraded(assignment._id)
  const preview: Preview = { answers: [], unchanged: [], done: 0, total }
  for await (const submission of findAllGraded(assignment._id)) {
    signal.throwIfAborted()
    preview.done += 1
    if (preview.done % REPORT_EVERY === 1 && !(await reportProgress(amendment, preview.done - 1, total)))
      throw new AmendmentStopped()
    const { grade } = submission
    // Judged by earlier words for this question: a new run will, by the new ones.
    const touched = grade && outdated.get(grade.rubric_version)?.changed.some(({ id }) => id === question.id)
    if (!grade || touched) continue
    const before = await pointsOf(grade, question.id)
    if (!before) continue
    if (submission._id === amendment.submission_id) {
      if (before.isDecided) preview.unchanged.push({ submission_id: submission._id, grade_id: grade.id })
      continue
    }
    const moves = await movesOf(
      submission,
      grade,
      before,
      { rubrics, questionId: question.id, anchors },
      services,
      signal,
    )
    const inGroup = grouped.has(submission._id)
    const byGroup = inGroup && before.counted[amendment.criterion_id] !== amendment.granted
    const found = moves
      ? { after: moves, by: 'grader' as const }
      : byGroup
        ? { after: { [amendment.criterion_id]: amendment.granted }, by: 'group' as const }
        : null
    if (found) preview.answers.push({ ...describe(submission, grade, before), ...found })
    else if (grade.grader.name === services.grader.name || before.isDecided)
      preview.unchanged.push({ submission_id: submission._id, grade_id: grade.id })
  }
  return preview
}

/**
 * People's decisions that the grader takes as its measure, without those on the granted answer and on the like ones: these are what is in
 * question, and would stand in for the amendment or against it.
 */
export async function anchorsBeside(
  assignment: AssignmentDoc,
  { rubric_version, submission_id, ...amendment }: RubricAmendmentDoc,
): Promise<Anchor[]> {
  const like = await idsInGroup(assignment, { ...amendment, submission_id })
  // As they counted when the list was made, also once the rubric is changed.
  const anchors = await findAnchors({ ...assignment, rubric_version })
  return anchors.filter((one) => one.submission_id !== submission_id && !like.has(one.submission_id))
}

/** How many other answers stand in one group with one, and how many of these have other points for a criterion. */
export async function countGroup(
  assignment: AssignmentDoc,
  amendment: Pick<RubricAmendmentDoc, 'question_id' | 'submission_id' | 'criterion_id'>,
): Promise<{ answers: number; other_points: number }> {
  const { question_id, submission_id, criterion_id } = amendment
  const like = await idsInGroup(assignment, amendment)
  const { answers } = await findQuestionAnswers(assignment, requireQuestion(assignment, question_id))
  const pointsFor = ({ decided, criteria }: (typeof answers)[number]) =>
    decided?.[criterion_id] ?? criteria.find(({ id }) => id === criterion_id)?.score
  const own = answers.find((one) => one.submission_id === submission_id)
  const others = answers.filter((one) => like.has(one.submission_id))
  return {
    answers: others.length,
    other_points: own ? others.filter((one) => pointsFor(one) !== pointsFor(own)).length : 0,
  }
}

/** The other answers that stand in one group with the granted one. */
async function idsInGroup(
  assignment: AssignmentDoc,
  amendment: Pick<RubricAmendmentDoc, 'question_id' | 'submission_id'>,
): Promise<Set<number>> {
  const { groups } = await findQuestionAnswers(assignment, requireQuestion(assignment, amendment.question_id))
  const ids = groups
    // Those that wrote nothing are no answer.
    .filter(({ kind }) => kind === 'same' || kind === 'similar' || kind === 'manual')
    .map(({ variants }) => variants.flatMap((variant) => variant.ids))
    .find((all) => all.includes(amendment.submission_id))
  return new Set(ids?.filter((id) => id !== amendment.submission_id))
}

interface PointsNow {
  /** By criterion: a person's, else the grader's. Without points: left out. */
  counted: PointsByCriterion
  decided: PointsByCriterion | null
  isDecided: boolean
}

/** Null where the paper was not graded on the question. */
async function pointsOf(grade: GradeOfSubmission, questionId: string): Promise<PointsNow | null> {
  const criteria = ((await findCriterionGrades(grade.id)) ?? []).filter(({ question_id }) => question_id === questionId)
  if (criteria.length === 0) return null
  const decided = criteria.flatMap(({ criterion_id }) => {
    const points = grade.decisions?.[criterion_id]
    return points === undefined ? [] : [[criterion_id, points] as const]
  })
  return {
    counted: Object.fromEntries(
      criteria.flatMap(({ criterion_id, score }) => {
        const points = grade.decisions?.[criterion_id] ?? score
        return points === null ? [] : [[criterion_id, points] as const]
      }),
    ),
    decided: decided.length === 0 ? null : Object.fromEntries(decided),
    isDecided: decided.length === criteria.length,
  }
}

interface MoveContext {
  rubrics: { current: Rubric; amended: Rubric }
  questionId: string
  anchors: Anchor[]
}

/** The points that the amendment changes, by criterion; null where it changes none, or where an LLM graded. */
async function movesOf(
  submission: SubmissionDoc,
  grade: GradeOfSubmission,
  { counted, decided }: PointsNow,
  { rubrics, questionId, anchors }: MoveContext,
  services: Services,
  signal: AbortSignal,
): Promise<PointsByCriterion | null> {
  if (grade.grader.name !== services.grader.name) return null
  // A person's points on this very answer would be what the grader gives it.
  const context = { anchors: decided ? [] : anchors, only: new Set([questionId]) }
  const [current, amended] = [
    await gradeQuestionAgain(submission, rubrics.current, context, services, signal),
    await gradeQuestionAgain(submission, rubrics.amended, context, services, signal),
  ]
  if (!current || !amended) return null
  const earlier = new Map(current.grade.criteria.map(({ criterion_id, score }) => [criterion_id, score]))
  const moved = amended.grade.criteria.flatMap(({ question_id, criterion_id, score }) =>
    question_id === questionId &&
    score !== null &&
    score !== earlier.get(criterion_id) &&
    score !== counted[criterion_id]
      ? [[criterion_id, score] as const]
      : [],
  )
  return moved.length === 0 ? null : Object.fromEntries(moved)
}

function describe(
  { _id }: SubmissionDoc,
  grade: GradeOfSubmission,
  { counted, decided }: PointsNow,
): Omit<AmendedAnswer, 'after' | 'by'> {
  const author = Object.keys(decided ?? {})
    .map((id) => grade.decided_by?.[id])
    .find((id) => id !== undefined)
  const isPersons = decided !== null || grade.reviewed_at !== null
  return {
    submission_id: _id,
    grade_id: grade.id,
    before: counted,
    decided,
    decided_by: isPersons ? (author ?? grade.reviewed_by) : null,
    released: grade.released,
    whole_score: grade.manual_score_override !== null && !grade.override_from_points,
  }
}
