import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Anchor } from '../../../grader/grader.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { QuestionAnswerDoc } from '../../../records/grading/question-answer.model.ts'
import type { PointsByCriterion } from '../../../records/grading/question-change.model.ts'
import type { AmendedAnswer, RubricAmendmentDoc } from '../../../records/grading/rubric-amendment.model.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { findAnchors } from '../../grades/decide-criteria.ts'
import { findQuestionAnswers, type ManualOrFoundGroup } from '../../questions/question.present.ts'
import { requireQuestion } from '../../questions/question.service.ts'
import { scoreQuestion } from '../../questions/rescoring/score-question.ts'
import { outdatedVersions } from '../../rubrics/outdated-grades.ts'
import { findAllGraded } from '../../submissions/submission-grades.ts'
import { type AmendmentDraft, amendedRubric, currentRubric } from './amendment.service.ts'

const BATCH = 200

interface GradedPaper {
  submission: SubmissionDoc
  grade: GradeOfSubmission
  answer: QuestionAnswerDoc
  counted: PointsByCriterion
}

/** The built-in grader's papers are graded by both rubrics, so that only the amendment's own effect is listed. */
export async function compareRubrics(
  assignment: AssignmentDoc,
  draft: AmendmentDraft,
  services: Pick<Services, 'grader'>,
  signal: AbortSignal,
): Promise<Pick<RubricAmendmentDoc, 'answers' | 'unchanged'>> {
  const { submission_id: grantedId, criterion_id, granted } = draft
  const question = requireQuestion(assignment, draft.question_id)
  const rubric = currentRubric(assignment)
  const rubrics = [rubric, amendedRubric(rubric, draft)]
  const outdated = await outdatedVersions(assignment)
  const { answers, groups } = await findQuestionAnswers(assignment, question)
  const answerOf = new Map(answers.map((answer) => [answer.submission_id, answer]))
  const like = idsLike(groups, grantedId)
  // Decisions on these answers would stand in for the amendment or against it.
  const anchors = (await findAnchors(assignment)).filter(
    ({ submission_id }) => submission_id !== grantedId && !like.has(submission_id),
  )
  const result: Pick<RubricAmendmentDoc, 'answers' | 'unchanged'> = { answers: [], unchanged: [] }
  for await (const batch of batchesOf(findAllGraded(assignment._id))) {
    signal.throwIfAborted()
    const papers = batch.flatMap((submission): GradedPaper[] => {
      const { _id, grade } = submission
      const answer = answerOf.get(_id)
      // Judged by earlier words: a new run will judge it.
      const touched = grade && outdated.get(grade.rubric_version)?.changed.some(({ id }) => id === question.id)
      return !grade || touched || answer?.grade_id !== grade.id
        ? []
        : [{ submission, grade, answer, counted: countedPoints(answer) }]
    })
    const others = papers.filter(({ submission }) => submission._id !== grantedId)
    // The built-in grader does not read notes.
    const moves: Map<number, PointsByCriterion> =
      draft.kind === 'clarification'
        ? new Map()
        : await movesOf(others, rubrics, { questionId: question.id, anchors }, services, signal)
    for (const paper of papers) {
      const { submission, grade, answer, counted } = paper
      const moved = moves.get(submission._id)
      const byGroup = like.has(submission._id) && counted[criterion_id] !== granted
      if (moved) result.answers.push({ ...describe(paper), after: moved, by: 'grader' })
      else if (byGroup) result.answers.push({ ...describe(paper), after: { [criterion_id]: granted }, by: 'group' })
      else if (answer.complete || (submission._id !== grantedId && grade.grader.name === services.grader.name))
        result.unchanged.push({ submission_id: submission._id, grade_id: grade.id })
    }
  }
  return result
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

export async function countGroup(
  assignment: AssignmentDoc,
  { question_id, submission_id, criterion_id }: Pick<AmendmentDraft, 'question_id' | 'submission_id' | 'criterion_id'>,
): Promise<{ answers: number; other_points: number }> {
  const { answers, groups } = await findQuestionAnswers(assignment, requireQuestion(assignment, question_id))
  const like = idsLike(groups, submission_id)
  const own = answers.find((one) => one.submission_id === submission_id)
  const others = answers.filter((one) => like.has(one.submission_id))
  const pointsFor = (answer: QuestionAnswerDoc) => countedPoints(answer)[criterion_id]
  return {
    answers: others.length,
    other_points: own ? others.filter((one) => pointsFor(one) !== pointsFor(own)).length : 0,
  }
}

function idsLike(groups: ManualOrFoundGroup[], submissionId: number): Set<number> {
  const ids = groups
    .filter(({ kind }) => kind === 'same' || kind === 'similar' || kind === 'manual')
    .map(({ variants }) => variants.flatMap((variant) => variant.ids))
    .find((all) => all.includes(submissionId))
  return new Set(ids?.filter((id) => id !== submissionId))
}

const countedPoints = ({ criteria, decided }: QuestionAnswerDoc): PointsByCriterion =>
  Object.fromEntries(
    criteria.flatMap(({ id, score }) => {
      const points = decided?.[id] ?? score
      return points === null ? [] : [[id, points] as const]
    }),
  )

async function movesOf(
  papers: GradedPaper[],
  rubrics: Rubric[],
  { questionId, anchors }: { questionId: string; anchors: Anchor[] },
  services: Pick<Services, 'grader'>,
  signal: AbortSignal,
): Promise<Map<number, PointsByCriterion>> {
  const moves = new Map<number, PointsByCriterion>()
  const ours = papers.filter(({ grade }) => grade.grader.name === services.grader.name)
  for (const [isDecided, some] of Map.groupBy(ours, ({ answer }) => answer.decided !== null)) {
    const submissions = some.map(({ submission }) => submission)
    // Otherwise the grader would return a person's points on this very answer.
    const context = { questionId, anchors: isDecided ? [] : anchors }
    const [current, amended] = await scoreQuestion(submissions, rubrics, context, services, signal)
    for (const { submission, counted } of some) {
      const [earlier, later] = [current?.get(submission._id), amended?.get(submission._id)]
      if (!earlier || !later) continue
      const moved = Object.entries(later).flatMap(([id, score]) =>
        score !== null && score !== earlier[id] && score !== counted[id] ? [[id, score] as const] : [],
      )
      if (moved.length > 0) moves.set(submission._id, Object.fromEntries(moved))
    }
  }
  return moves
}

function describe({ submission, grade, answer, counted }: GradedPaper): Omit<AmendedAnswer, 'after' | 'by'> {
  const { decided, decided_by } = answer
  const isPersons = decided !== null || grade.reviewed_at !== null
  return {
    submission_id: submission._id,
    grade_id: grade.id,
    before: counted,
    decided,
    decided_by: isPersons ? (decided_by ?? grade.reviewed_by) : null,
    released: grade.released,
    whole_score: grade.manual_score_override !== null && !grade.override_from_points,
  }
}
