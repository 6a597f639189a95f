import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Anchor } from '../../grader/grader.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { QuestionAnswerDoc } from '../../records/grading/question-answer.model.ts'
import type { PointsByCriterion } from '../../records/grading/question-change.model.ts'
import type { AmendedAnswer, RubricAmendmentDoc } from '../../records/grading/rubric-amendment.model.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { findAnchors } from '../grades/anchors.ts'
import { findCriterionGrades } from '../grades/grade.service.ts'
import { requireQuestion } from '../questions/question.service.ts'
import { findQuestionAnswers, type ManualOrFoundGroup } from '../questions/question-answers.ts'
import { scoreQuestion } from '../rescoring/score-question.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { countGraded, findAllGraded } from '../submissions/submission-grades.ts'
import { currentRubric, reportProgress, rubricWith } from './amendment.service.ts'

/** How many papers are read and scored at once, between two reports of progress. */
const BATCH = 200

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
  const rubrics = [currentRubric(assignment), rubricWith(assignment, amendment)]
  const outdated = await outdatedVersions(assignment)
  const { answers, groups } = await findQuestionAnswers(assignment, question)
  const grouped = idsLike(groups, amendment.submission_id)
  const anchors = await anchorsBeside(assignment, amendment, grouped)
  const projected = new Map(answers.map((answer) => [answer.submission_id, answer]))
  const total = await countGraded(assignment._id)
  const preview: Preview = { answers: [], unchanged: [], done: 0, total }
  for await (const batch of batchesOf(findAllGraded(assignment._id))) {
    signal.throwIfAborted()
    if (!(await reportProgress(amendment, preview.done, total))) throw new AmendmentStopped()
    preview.done += batch.length
    const papers: GradedPaper[] = []
    for (const submission of batch) {
      const { grade } = submission
      // Judged by earlier words for this question: a new run will, by the new ones.
      const touched = grade && outdated.get(grade.rubric_version)?.changed.some(({ id }) => id === question.id)
      const before = grade && !touched && (await pointsOf(grade, question.id, projected.get(submission._id)))
      if (grade && before) papers.push({ submission, grade, before })
    }
    const others = papers.filter(({ submission }) => submission._id !== amendment.submission_id)
    // Words to graders are none that the built-in one reads.
    const moves =
      amendment.kind === 'clarification'
        ? new Map<number, PointsByCriterion>()
        : await movesOf(others, rubrics, { questionId: question.id, anchors }, services, signal)
    for (const { submission, grade, before } of papers) {
      const own = { submission_id: submission._id, grade_id: grade.id }
      if (submission._id === amendment.submission_id) {
        if (before.isDecided) preview.unchanged.push(own)
        continue
      }
      const moved = moves.get(submission._id)
      const inGroup = grouped.has(submission._id)
      const byGroup = inGroup && before.counted[amendment.criterion_id] !== amendment.granted
      const found = moved
        ? { after: moved, by: 'grader' as const }
        : byGroup
          ? { after: { [amendment.criterion_id]: amendment.granted }, by: 'group' as const }
          : null
      if (found) preview.answers.push({ ...describe(submission, grade, before), ...found })
      else if (grade.grader.name === services.grader.name || before.isDecided) preview.unchanged.push(own)
    }
  }
  return preview
}

async function* batchesOf(submissions: AsyncIterable<SubmissionDoc>): AsyncGenerator<SubmissionDoc[]> {
  let batch: SubmissionDoc[] = []
  for await (const submission of submissions) {
    batch.push(submission)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/**
 * People's decisions that the grader takes as its measure, without those on the granted answer and on the like ones: these are what is in
 * question, and would stand in for the amendment or against it.
 */
export async function anchorsBeside(
  assignment: AssignmentDoc,
  { rubric_version, submission_id, ...amendment }: RubricAmendmentDoc,
  grouped?: ReadonlySet<number>,
): Promise<Anchor[]> {
  const like = grouped ?? (await idsInGroup(assignment, { ...amendment, submission_id }))
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
  return idsLike(groups, amendment.submission_id)
}

function idsLike(groups: ManualOrFoundGroup[], submissionId: number): Set<number> {
  const ids = groups
    // Those that wrote nothing are no answer.
    .filter(({ kind }) => kind === 'same' || kind === 'similar' || kind === 'manual')
    .map(({ variants }) => variants.flatMap((variant) => variant.ids))
    .find((all) => all.includes(submissionId))
  return new Set(ids?.filter((id) => id !== submissionId))
}

interface PointsNow {
  /** By criterion: a person's, else the grader's. Without points: left out. */
  counted: PointsByCriterion
  decided: PointsByCriterion | null
  isDecided: boolean
}

/** Null where the paper was not graded on the question. @param projected the answer as its question's screen has it */
async function pointsOf(
  grade: GradeOfSubmission,
  questionId: string,
  projected: QuestionAnswerDoc | undefined,
): Promise<PointsNow | null> {
  // Thousands of grades need not be opened again where it is of this very grade.
  const criteria =
    projected?.grade_id === grade.id
      ? projected.criteria.map(({ id, score }) => ({ criterion_id: id, score }))
      : ((await findCriterionGrades(grade.id)) ?? []).filter(({ question_id }) => question_id === questionId)
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

interface GradedPaper {
  submission: SubmissionDoc
  grade: GradeOfSubmission
  before: PointsNow
}

/** The points that the amendment changes, by paper, then criterion; without papers of which it changes none, and those an LLM graded. */
async function movesOf(
  papers: GradedPaper[],
  rubrics: Rubric[],
  { questionId, anchors }: { questionId: string; anchors: Anchor[] },
  services: Services,
  signal: AbortSignal,
): Promise<Map<number, PointsByCriterion>> {
  const moves = new Map<number, PointsByCriterion>()
  const ours = papers.filter(({ grade }) => grade.grader.name === services.grader.name)
  for (const [isDecided, some] of Map.groupBy(ours, ({ before }) => before.decided !== null)) {
    const submissions = some.map(({ submission }) => submission)
    // A person's points on this very answer would be what the grader gives it.
    const context = { questionId, anchors: isDecided ? [] : anchors }
    const [current, amended] = await scoreQuestion(submissions, rubrics, context, services, signal)
    for (const { submission, before } of some) {
      const [earlier, later] = [current?.get(submission._id), amended?.get(submission._id)]
      if (!earlier || !later) continue
      const moved = Object.entries(later).flatMap(([id, score]) =>
        score !== null && score !== earlier[id] && score !== before.counted[id] ? [[id, score] as const] : [],
      )
      if (moved.length > 0) moves.set(submission._id, Object.fromEntries(moved))
    }
  }
  return moves
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
