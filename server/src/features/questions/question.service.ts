import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { Evidence } from '@assay/shared/papers.ts'
import type { AnswerDetails, DecisionResult, decideAnswers } from '@assay/shared/questions.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { invalidInput, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { PromiseCache } from '../../lib/promise-cache.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type QuestionAnswerDoc, QuestionAnswerModel } from '../../records/grading/question-answer.model.ts'
import {
  type DecisionChange,
  type PointsByCriterion,
  QuestionChangeModel,
} from '../../records/grading/question-change.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { type AssignmentNames, hidesNames, hideTexts } from '../anonymity/hidden-names.ts'
import { requireAssignmentFor } from '../assignments/assignment.service.ts'
import { findCriterionGrades } from '../grades/grade.service.ts'
import { findPenMarks } from '../grades/pen-marks/pen-mark.service.ts'
import { findItems, type ItemsById } from '../grades/rubric-items/rubric-item.service.ts'
import { readStoredPaper, renderStoredPage } from '../submissions/pages/paper-reading.service.ts'
import { findSubmissionLabels } from '../submissions/submission.present.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { findAnswers } from '../transcriptions/answers.service.ts'
import { namesById } from '../users/user.service.ts'
import { projectAnswers, questionAnswerId } from './answer-projection.ts'
import { type Names, nameOf, type ShownPapers } from './question.present.ts'
import { type ChangeOutcome, decide } from './question-changes.ts'

export function requireQuestion({ rubric }: AssignmentDoc, questionId: string): Question {
  const question = rubric?.questions.find(({ id }) => id === questionId)
  if (!question) throw notFound('This question is no longer in the rubric. Reload the page.')
  return question
}

export async function requireQuestionFor(actor: Actor, ids: { assignmentId: number; questionId: string }) {
  const assignment = await requireAssignmentFor(actor, ids.assignmentId)
  return { assignment, question: requireQuestion(assignment, ids.questionId) }
}

export async function showPapers(
  assignment: AssignmentDoc,
  answers: Pick<QuestionAnswerDoc, 'submission_id'>[],
  { names }: Pick<Services, 'names'>,
): Promise<ShownPapers> {
  const ids = answers.map(({ submission_id }) => submission_id)
  const [labels, mask] = await Promise.all([findSubmissionLabels(assignment, ids), names.maskFor(assignment)])
  return { labels, mask }
}

export const namesOfPeople = (answers: Pick<QuestionAnswerDoc, 'decided_by'>[]): Promise<Names> =>
  namesById(answers.flatMap(({ decided_by }) => decided_by ?? []))

export async function describeAnswer(
  assignment: AssignmentDoc,
  question: Question,
  submissionId: number,
  { names }: Pick<Services, 'names'>,
): Promise<AnswerDetails> {
  await projectAnswers(assignment)
  const own = { _id: questionAnswerId(submissionId, question.id), assignment_id: assignment._id }
  const answer = await QuestionAnswerModel.findOne(own).lean()
  if (!answer) throw notFound('This paper has no graded answer to this question.')
  const submission = await requireSubmission({ assignmentId: assignment._id, submissionId })
  const [stored, criteria, labels, mask, people, pen] = await Promise.all([
    findAnswers(submissionId),
    findCriterionGrades(answer.grade_id),
    findSubmissionLabels(assignment, [submissionId]),
    names.maskFor(assignment),
    namesOfPeople([answer]),
    findPenMarks(submission, 'grader'),
  ])
  const read = stored?.extracted.answers.find(({ question_id }) => question_id === question.id)
  const evidence = read?.evidence ?? []
  const strips = picturesOf(question, evidence, submission.page_count)
  const signs = pen.filter(
    (mark) =>
      (mark.kind === 'tick' || mark.kind === 'cross') &&
      strips.some(({ page, top, bottom }) => page === mark.page && mark.y >= top && mark.y <= bottom),
  )
  const student = labels.get(submissionId)
  if (student === undefined) throw notFound('This submission does not exist.')
  const presented: AnswerDetails = {
    submission_id: submissionId,
    student,
    state: answer.state,
    text: answer.text,
    evidence,
    pictures: strips.map(({ page }, i) => ({ picture: i + 1, page })),
    criteria: (criteria ?? [])
      .filter(({ question_id }) => question_id === question.id)
      .map(({ criterion_id, score, unscored_reason, max_score, llm_performance_level, llm_feedback, ...rest }) => ({
        criterion_id,
        score,
        ...(unscored_reason ? { unscored_reason } : {}),
        max_score,
        level: llm_performance_level,
        feedback: llm_feedback,
        confidence: rest.confidence,
        ...(rest.reasoning ? { reasoning: rest.reasoning } : {}),
      })),
    decided: answer.decided,
    decided_by: nameOf(answer.decided_by, people),
    reasons: (submission.grade?.review_reasons ?? []).flatMap(({ message, question_id, question_ids }) =>
      (question_ids ?? [question_id]).includes(question.id) ? [message] : [],
    ),
    ...(signs.length > 0 && { pen_marks: signs }),
  }
  return hideTexts(presented, mask)
}

const DEFAULT_SECONDS = 12
const LONGEST_SECONDS = 120
const FEWEST_GAPS = 5

/** The median time between one person's decisions, in seconds. */
export async function secondsPerGroup(assignmentId: number): Promise<number> {
  const latest = await QuestionChangeModel.find(
    { assignment_id: assignmentId, kind: 'decision' },
    { actor_id: 1, at: 1 },
  )
    .sort({ _id: -1 })
    .limit(200)
    .lean()
  const gaps = latest.flatMap((change, i) => {
    const before = latest.slice(i + 1).find(({ actor_id }) => actor_id === change.actor_id)
    const seconds = before ? (change.at.getTime() - before.at.getTime()) / 1000 : Number.POSITIVE_INFINITY
    return seconds <= LONGEST_SECONDS ? [seconds] : []
  })
  gaps.sort((a, b) => a - b)
  return gaps.length < FEWEST_GAPS ? DEFAULT_SECONDS : (gaps[Math.floor(gaps.length / 2)] ?? DEFAULT_SECONDS)
}

export async function answerTexts(
  assignmentId: number,
  questionId: string,
  submissionIds: number[],
): Promise<Map<number, string>> {
  const answers = await QuestionAnswerModel.find(
    { _id: { $in: submissionIds.map((id) => questionAnswerId(id, questionId)) }, assignment_id: assignmentId },
    { submission_id: 1, text: 1 },
  ).lean()
  return new Map(answers.map(({ submission_id, text }) => [submission_id, text]))
}

/** In pixels. */
const PAGE_WIDTH = 1400
/** Around an answer, in PDF points: about two lines. */
const MARGIN = 28
/** In PDF points. A line alone would not show what it belongs to. */
const LEAST_HEIGHT = 90

/** Of a page over its whole width; `top` and `bottom` in PDF points. */
interface PageStrip {
  page: number
  top: number
  bottom: number
}

/** One a page: around the lines it was read from, else where the blank has the answer. */
export function picturesOf(
  { regions }: Pick<Question, 'regions'>,
  evidence: readonly Evidence[],
  pageCount: number | null,
): PageStrip[] {
  const places = evidence.length > 0 ? evidence : regions.filter(({ page }) => page <= (pageCount ?? 0))
  return [...Map.groupBy(places, ({ page }) => page)].map(([page, on]) => {
    const top = Math.min(...on.map(({ box }) => box.y)) - MARGIN
    const bottom = Math.max(...on.map(({ box }) => box.y + box.height)) + MARGIN
    const lacking = Math.max(0, LEAST_HEIGHT - (bottom - top)) / 2
    return { page, top: top - lacking, bottom: bottom + lacking }
  })
}

const pages = new PromiseCache<string, Buffer>({ max: 60 })

const renderPage = (hash: string, page: number, services: Services): Promise<Buffer> =>
  pages.get(`${hash}/${page}`, () => renderStoredPage(hash, page, PAGE_WIDTH, services))

export async function renderStrip(
  assignment: AssignmentNames,
  submission: SubmissionDoc,
  strip: PageStrip | undefined,
  services: Services,
): Promise<Buffer> {
  if (!strip) throw notFound('There is no such picture of this answer.')
  const { file } = submission
  const [image, paper] = await Promise.all([
    hidesNames(assignment)
      ? services.names.coveredPage(assignment, submission, strip.page, PAGE_WIDTH)
      : renderPage(file.hash, strip.page, services),
    readStoredPaper(file.hash, services),
  ])
  const size = paper.pages.find(({ number }) => number === strip.page)
  if (!size) throw notFound('This paper has no such page.')
  const { default: sharp } = await import('sharp')
  const { width, height } = await sharp(image).metadata()
  const scale = height / size.height
  const top = Math.min(Math.max(0, Math.round(strip.top * scale)), height - 1)
  const bottom = Math.min(height, Math.max(top + 1, Math.round(strip.bottom * scale)))
  return sharp(image)
    .extract({ left: 0, top, width, height: bottom - top })
    .png()
    .toBuffer()
}

type Decision = BodyOf<typeof decideAnswers>

/** @throws {AppError} `validation_failed` */
export async function decideQuestion(
  assignment: AssignmentDoc,
  question: Question,
  { answers, points }: Decision,
  actor: Actor,
  now: Date,
): Promise<ChangeOutcome> {
  if (points !== null && points !== 'suggested') checkPoints(question, points)
  await projectAnswers(assignment)
  const seen = new Map(answers.map(({ submission_id, decided }) => [submission_id, decided]))
  const projected = await QuestionAnswerModel.find({
    _id: { $in: [...seen.keys()].map((id) => questionAnswerId(id, question.id)) },
    assignment_id: assignment._id,
  }).lean()
  const items = points === null ? await findItems(assignment._id, question.id) : null
  const changes = projected.map((answer): DecisionChange => {
    const before = seen.get(answer.submission_id) ?? null
    const after = pointsAfter(answer, before, points)
    return { submission_id: answer.submission_id, before, after, ...(items ? withoutItems(answer, items) : {}) }
  })
  const outcome = await decide(assignment, question, changes, actor, now)
  const known = new Set(projected.map(({ submission_id }) => submission_id))
  return { ...outcome, unavailable: [...outcome.unavailable, ...[...seen.keys()].filter((id) => !known.has(id))] }
}

/** Withdrawing points removes the items that count; comments stay. */
function withoutItems({ item_ids = [], adjustments = {} }: QuestionAnswerDoc, items: ItemsById) {
  const comments = item_ids.filter((id) => items.get(id)?.kind === 'comment')
  if (comments.length === item_ids.length) return {}
  return { items: { before: { items: item_ids, adjustments }, after: { items: comments, adjustments: {} } } }
}

/** @throws {AppError} `validation_failed` */
export function checkPoints({ criteria }: Question, points: PointsByCriterion): void {
  const most = new Map(criteria.map((criterion) => [criterion.id, criterion.points]))
  for (const [id, given] of Object.entries(points)) {
    const max = most.get(id)
    const msg =
      max === undefined ? 'This question no longer has this criterion. Reload the page.' : `At most ${max} points`
    if (max === undefined || given > max) throw invalidInput(['points', id], msg, 'points')
  }
}

function pointsAfter({ criteria }: QuestionAnswerDoc, before: PointsByCriterion | null, points: Decision['points']) {
  if (points === null) return null
  if (points !== 'suggested') return { ...before, ...points }
  const suggested = criteria.flatMap(({ id, score }) => (score === null ? [] : [[id, score] as const]))
  // A person's points stay: accepting is for undecided answers.
  return suggested.length === 0 ? before : { ...Object.fromEntries(suggested), ...before }
}

export async function presentOutcome(question: Question, outcome: ChangeOutcome): Promise<DecisionResult> {
  const { change_id, changed, conflicts, unavailable } = outcome
  const theirs = await QuestionAnswerModel.find({
    _id: { $in: conflicts.map((id) => questionAnswerId(id, question.id)) },
  }).lean()
  const people = await namesOfPeople(theirs)
  return {
    change_id,
    changed,
    conflicts: theirs.map(({ submission_id, decided, decided_by, item_ids = [] }) => ({
      submission_id,
      decided,
      decided_by: nameOf(decided_by, people),
      ...(item_ids.length > 0 ? { items: item_ids } : {}),
    })),
    unavailable,
  }
}
