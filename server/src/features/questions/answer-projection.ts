import type { CriterionGrade } from '@assay/shared/grades.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import type { AnyBulkWriteOperation } from 'mongoose'
import { answerState } from '../../grader/extraction/answer-state.ts'
import type { Answer } from '../../grader/grader.ts'
import { batchesOf } from '../../lib/batches.ts'
import { databaseNow, ignoreDuplicatesOnly } from '../../lib/database/database.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import {
  AnswerProjectionModel,
  type QuestionAnswerDoc,
  QuestionAnswerModel,
} from '../../records/grading/question-answer.model.ts'
import type { AnswerChange, DecisionChange, QuestionChangeDoc } from '../../records/grading/question-change.model.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { decideCriteria } from '../grades/decide-criteria.ts'
import { findCriterionGradesOf } from '../grades/grade.service.ts'
import { pickItems } from '../grades/grade-items.ts'
import { findItemsOfGrades } from '../grades/release.service.ts'
import { findItems, type ItemsById } from '../grades/rubric-items/rubric-item.service.ts'
import { findSubmissions, type GradeVersion, gradeVersionsSince } from '../submissions/submission-batches.ts'
import { findAllAnswers } from '../transcriptions/answers.service.ts'

const BATCH = 200
/** In ms: how much later than its database stamp a change may become visible. */
const OVERLAP_MS = 5_000

export const questionAnswerId = (submissionId: number, questionId: string) => `${submissionId}/${questionId}`

const underWay = new Map<number, Promise<void>>()
const waiting = new Map<number, Promise<void>>()

/** Papers changed since the last time, or all after a change of the rubric. Callers meanwhile share one more run. */
export function projectAnswers(assignment: AssignmentDoc): Promise<void> {
  const id = assignment._id
  const running = underWay.get(id)
  if (!running) {
    const work = project(assignment).finally(() => underWay.delete(id))
    underWay.set(id, work)
    return work
  }
  const next =
    waiting.get(id) ??
    running
      .catch(() => {})
      .then(() => {
        waiting.delete(id)
        return projectAnswers(assignment)
      })
  waiting.set(id, next)
  return next
}

async function project({ _id: assignment_id, rubric, rubric_version }: AssignmentDoc): Promise<void> {
  const questions = rubric?.questions ?? []
  const began = await databaseNow()
  const progress = await AnswerProjectionModel.findById(assignment_id).lean()
  const isCurrent = progress?.rubric_version === rubric_version
  if (!isCurrent)
    await QuestionAnswerModel.deleteMany({ assignment_id, question_id: { $nin: questions.map(({ id }) => id) } })
  const until = isCurrent ? progress.until : new Date(0)
  const changed = await gradeVersionsSince(assignment_id, new Date(Math.max(0, until.getTime() - OVERLAP_MS)))
  const stale = isCurrent ? await withoutProjected(assignment_id, changed, questions[0]) : changed
  for (const some of batchesOf(stale, BATCH))
    await projectPapers(await findSubmissions(some.map(({ _id }) => _id)), questions)
  if (isCurrent && changed.length === 0 && began.getTime() - until.getTime() < OVERLAP_MS) return
  await AnswerProjectionModel.updateOne(
    { _id: assignment_id },
    { $set: { until: began, rubric_version } },
    { upsert: true },
  )
}

/** The first answer stands for all: a change of any raises the paper's revision. */
async function withoutProjected(assignment_id: number, changed: GradeVersion[], question: Question | undefined) {
  if (!question || changed.length === 0) return changed
  const known = await QuestionAnswerModel.find(
    { _id: { $in: changed.map(({ _id }) => questionAnswerId(_id, question.id)) }, assignment_id },
    { submission_id: 1, grade_id: 1, grade_revision: 1, student_id: 1 },
  ).lean()
  const projected = new Map(known.map((one) => [one.submission_id, one]))
  return changed.filter(({ _id, grade, student_id }) => {
    const one = projected.get(_id)
    if (!grade) return one !== undefined
    return one?.grade_id !== grade.id || one.grade_revision !== grade.revision || one.student_id !== student_id
  })
}

async function projectPapers(submissions: SubmissionDoc[], questions: Question[]): Promise<void> {
  if (submissions.length === 0) return
  const graded = submissions.flatMap((submission) =>
    submission.grade ? [{ submission, grade: submission.grade }] : [],
  )
  const [criteriaOf, answers] = await Promise.all([
    findCriterionGradesOf(graded.map(({ grade }) => grade.id)),
    findAllAnswers(graded.map(({ submission }) => submission._id)),
  ])
  const items = await findItemsOfGrades(graded)
  const answersOf = new Map(answers.map(({ _id, extracted }) => [_id, extracted.answers]))
  const ungraded = submissions.filter(({ grade }) => !grade).map(({ _id }) => _id)
  const writes = graded.flatMap(({ submission, grade }) => {
    const criteria = criteriaOf.get(grade.id) ?? []
    const own = new Map(answersOf.get(submission._id)?.map((answer) => [answer.question_id, answer]))
    return questions.map((question) =>
      storeProjected(submission, grade, { question, items }, criteria, own.get(question.id)),
    )
  })
  if (ungraded.length > 0) await QuestionAnswerModel.deleteMany({ submission_id: { $in: ungraded } })
  // An answer decided meanwhile is newer: the upsert fails with a duplicate id.
  if (writes.length > 0) await QuestionAnswerModel.bulkWrite(writes, { ordered: false }).catch(ignoreDuplicatesOnly)
}

function storeProjected(
  submission: SubmissionDoc,
  grade: GradeOfSubmission,
  { question, items }: { question: Question; items: ItemsById },
  all: CriterionGrade[],
  answer: Answer | undefined,
): AnyBulkWriteOperation<QuestionAnswerDoc> {
  const _id = questionAnswerId(submission._id, question.id)
  const criteria = all.filter(({ question_id }) => question_id === question.id)
  if (criteria.length === 0) return { deleteOne: { filter: { _id } } }
  const projected: Omit<QuestionAnswerDoc, '_id' | 'manual_group'> = {
    assignment_id: submission.assignment_id,
    question_id: question.id,
    submission_id: submission._id,
    student_id: submission.student_id,
    grade_id: grade.id,
    state: answerState(answer),
    text: answer?.text ?? '',
    criteria: criteria.map(({ criterion_id, score, max_score, confidence }) => ({
      id: criterion_id,
      score,
      max: max_score,
      confidence,
    })),
    ...projectDecision(grade, question, items),
  }
  const notNewer = { $or: [{ grade_id: { $ne: grade.id } }, { grade_revision: { $lte: grade.revision } }] }
  return { updateOne: { filter: { _id, ...notNewer }, update: { $set: projected }, upsert: true } }
}

/** A paper with an earlier unprojected change is left to `projectAnswers`. */
async function projectDecisions(
  { rubric }: AssignmentDoc,
  question: Question,
  decided: SubmissionDoc[],
  items: ItemsById,
): Promise<void> {
  const witness = rubric?.questions[0]?.id ?? question.id
  const writes = decided.flatMap(({ _id, grade }): AnyBulkWriteOperation<QuestionAnswerDoc>[] => {
    if (!grade) return []
    const before = { grade_id: grade.id, grade_revision: grade.revision - 1 }
    const update = { $set: projectDecision(grade, question, items) }
    const own = questionAnswerId(_id, question.id)
    if (witness === question.id) return [{ updateOne: { filter: { _id: own, ...before }, update } }]
    return [
      { updateOne: { filter: { _id: own, grade_id: grade.id, grade_revision: { $lt: grade.revision } }, update } },
      {
        updateOne: {
          filter: { _id: questionAnswerId(_id, witness), ...before },
          update: { $set: { grade_revision: grade.revision } },
        },
      },
    ]
  })
  if (writes.length > 0) await QuestionAnswerModel.bulkWrite(writes, { ordered: false })
}

export function projectDecision(
  grade: GradeOfSubmission,
  { id, criteria }: Pick<Question, 'id' | 'criteria'>,
  items: ItemsById,
): Pick<
  QuestionAnswerDoc,
  'grade_revision' | 'flagged' | 'total_in_doubt' | 'decided' | 'decided_by' | 'complete' | 'item_ids' | 'adjustments'
> {
  const decided = Object.fromEntries(
    criteria.flatMap((criterion) => {
      const points = grade.decisions?.[criterion.id]
      return points === undefined ? [] : [[criterion.id, points]]
    }),
  )
  const reasons = grade.needs_review
    ? grade.review_reasons.filter(({ question_id, question_ids }) => (question_ids ?? [question_id]).includes(id))
    : []
  const applied = pickItems(grade, new Set(criteria.map((criterion) => criterion.id)), items)
  const authors = criteria.flatMap((criterion) => grade.decided_by?.[criterion.id] ?? [])
  return {
    grade_revision: grade.revision,
    flagged: reasons.length > 0,
    // Doubts about the total name several questions.
    total_in_doubt: reasons.length > 0 && reasons.every(({ question_ids }) => question_ids !== undefined),
    decided: Object.keys(decided).length > 0 ? decided : null,
    decided_by: authors.at(-1) ?? null,
    complete: criteria.every((criterion) => decided[criterion.id] !== undefined),
    item_ids: applied.items,
    adjustments: applied.adjustments,
  }
}

export interface AppliedChange {
  changed: number[]
  conflicts: number[]
  unavailable: number[]
}

type ChangeAuthor = Pick<QuestionChangeDoc, '_id' | 'actor_id' | 'actor_role' | 'session_id' | 'at'>

export async function applyDecision(
  assignment: AssignmentDoc,
  question: Question,
  changes: DecisionChange[],
  { change, replays }: { change: ChangeAuthor; replays: boolean },
): Promise<AppliedChange> {
  const { _id: changeId, actor_id, actor_role, session_id, at } = change
  const actor = { id: actor_id, role: actor_role, sessionId: session_id } as Actor
  const criteria = new Set(question.criteria.map(({ id }) => id))
  const author = { actor, now: at, changeId, replays }
  const { changed, conflicts, unavailable } = await decideCriteria(assignment, criteria, changes, author)
  const items = await findItems(assignment._id, question.id)
  await projectDecisions(assignment, question, changed, items)
  return { changed: changed.map(({ _id }) => _id), conflicts, unavailable }
}

export async function applyGrouping(question: Question, changes: AnswerChange<string>[]): Promise<AppliedChange> {
  await QuestionAnswerModel.bulkWrite(
    changes.map(({ submission_id, after }) => ({
      updateOne: {
        filter: { _id: questionAnswerId(submission_id, question.id) },
        update: { $set: { manual_group: after } },
      },
    })),
    { ordered: false },
  )
  return { changed: changes.map(({ submission_id }) => submission_id), conflicts: [], unavailable: [] }
}
