import { isDeepStrictEqual } from 'node:util'
import type { CriterionGrade } from '@assay/shared/grades.ts'
import { auditedSubmissions, recordAuditEntries } from '../../audit/audit.service.ts'
import type { Anchor } from '../../grader/grader.ts'
import { batchesOf } from '../../lib/batches.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { GradeDetailsModel } from '../../records/grading/grade.model.ts'
import type { AppliedItems, DecisionChange, PointsByCriterion } from '../../records/grading/question-change.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { isPublished } from '../assignments/assignment-queries.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { findGradedSubmissions, findReviewedGrades, storeGradeDecisions } from '../submissions/submission-grades.ts'
import { findCriterionGradesOf } from './grade.service.ts'
import { itemsAfterPoints, pickItems, replaceItems, sameItems, scoreGrade, summaryAfter } from './grade-items.ts'
import { decisionAuthors, reviewAfterDecisions } from './record-override.ts'
import { releaseGrades } from './release.service.ts'
import { findItems, type ItemsById } from './rubric-items/rubric-item.service.ts'

const BATCH = 250

interface CriteriaDecisions {
  changed: SubmissionDoc[]
  conflicts: number[]
  unavailable: number[]
}

/** Each paper changes only while these are as `before`, so nobody is overwritten unseen. */
export async function decideCriteria(
  assignment: AssignmentDoc,
  criterionIds: ReadonlySet<string>,
  changes: readonly DecisionChange[],
  author: Author,
): Promise<CriteriaDecisions> {
  const result: CriteriaDecisions = { changed: [], conflicts: [], unavailable: [] }
  let released = false
  for (const batch of batchesOf(changes, BATCH)) {
    const visible = await decideBatch(assignment, criterionIds, batch, author, result)
    // Read again: publishing releases only what was stored before.
    if (visible.length === 0 || !(await isPublished(assignment._id))) continue
    await releaseGrades(visible, author.now)
    released = true
  }
  if (released) await markScoresChanged(assignment._id)
  return result
}

export async function releaseAgain(assignment: AssignmentDoc, submissionIds: number[], now: Date): Promise<void> {
  for (const ids of batchesOf(submissionIds, BATCH)) {
    const submissions = await findGradedSubmissions(assignment._id, ids)
    const released = submissions.filter(({ grade }) => grade?.released)
    await releaseGrades(released, now)
  }
}

interface Author {
  actor: Actor
  now: Date
  changeId: number
  /** May have been applied in part by a process that has died since. */
  replays: boolean
}

async function decideBatch(
  assignment: AssignmentDoc,
  criterionIds: ReadonlySet<string>,
  changes: readonly DecisionChange[],
  author: Author,
  result: CriteriaDecisions,
): Promise<SubmissionDoc[]> {
  const visible: SubmissionDoc[] = []
  let open = new Map(changes.map((change) => [change.submission_id, change]))
  // A paper changed meanwhile is tried again: mostly another question of it was changed.
  while (open.size > 0) {
    const submissions = await findGradedSubmissions(assignment._id, [...open.keys()])
    const criteriaOf = await findCriterionGradesOf(submissions.flatMap(({ grade }) => (grade ? [grade.id] : [])))
    // After the grades were read: an item is stored before any grade has it.
    const items = await findItems(assignment._id)
    const found = new Set(submissions.map(({ _id }) => _id))
    result.unavailable.push(...[...open.keys()].filter((id) => !found.has(id)))
    const decided: { submission: SubmissionDoc; before: GradeOfSubmission; grade: GradeOfSubmission }[] = []
    const applied: SubmissionDoc[] = []
    for (const submission of submissions) {
      const { _id, grade } = submission
      const change = open.get(_id)
      const criteria = grade && criteriaOf.get(grade.id)
      if (!change || !grade || !criteria || !canEarn(change.after, criteria)) {
        result.unavailable.push(_id)
        continue
      }
      const standing = compare(grade, change, criterionIds, items)
      // Somebody else's, unless ours from before a crash: undoing must not take it back.
      if (standing === 'after') author.replays && isBy(author.actor, grade, change) && applied.push(submission)
      else if (standing === 'other') result.conflicts.push(_id)
      else
        decided.push({
          submission,
          before: grade,
          grade: decidedGrade(grade, criteria, { ids: criterionIds, change, items, rubric: assignment.rubric }, author),
        })
    }
    const stored = await storeGradeDecisions(
      decided.map(({ submission, before, grade }) => ({ _id: submission._id, revision: before.revision, grade })),
    )
    const audited = decided.filter(({ submission }) => stored.has(submission._id))
    result.changed.push(...applied, ...audited.map(({ submission, grade }) => ({ ...submission, grade })))
    const seen = audited.filter(({ before, grade }) => before.released || grade.reviewed_at !== null)
    visible.push(...applied, ...seen.map(({ submission, grade }) => ({ ...submission, grade })))
    await recordAuditEntries(
      author.actor,
      'grade.overridden',
      [
        ...(await unaudited(applied, criterionIds, open, author)),
        ...audited.map(({ submission, before, grade }) => ({ submission, before: auditedPoints(before), grade })),
      ].map(({ submission, before, grade }) => ({
        subject: {
          assignment_id: assignment._id,
          submission_id: submission._id,
          grade_id: grade.id,
          change_id: author.changeId,
        },
        before,
        after: auditedPoints(grade),
      })),
      author.now,
    )
    open = new Map(
      decided.flatMap(({ submission: { _id } }) => {
        const change = open.get(_id)
        return change && !stored.has(_id) ? [[_id, change]] : []
      }),
    )
  }
  return visible
}

/** Withdrawn points have no author. */
const isBy = ({ id }: Actor, { decided_by }: GradeOfSubmission, { after }: DecisionChange): boolean =>
  Object.keys(after ?? {}).some((criterion) => decided_by?.[criterion] === id) || Object.keys(after ?? {}).length === 0

async function unaudited(
  applied: SubmissionDoc[],
  criterionIds: ReadonlySet<string>,
  changes: ReadonlyMap<number, DecisionChange>,
  { changeId }: Author,
) {
  if (applied.length === 0) return []
  const ids = applied.map(({ _id }) => _id)
  const known = await auditedSubmissions('grade.overridden', { changeId, submissionIds: ids })
  return applied.flatMap((submission) => {
    const { grade } = submission
    if (!grade || known.has(submission._id)) return []
    const others = Object.entries(grade.decisions ?? {}).filter(([id]) => !criterionIds.has(id))
    const points = { ...Object.fromEntries(others), ...changes.get(submission._id)?.before }
    return [{ submission, grade, before: Object.keys(points).length > 0 ? { points } : {} }]
  })
}

function compare(
  grade: GradeOfSubmission,
  { before, after, items: change }: DecisionChange,
  criterionIds: ReadonlySet<string>,
  items: ItemsById,
): 'before' | 'after' | 'other' {
  const points = pickDecisions(grade.decisions, criterionIds)
  const own = pickItems(grade, criterionIds, items)
  const isAt = (there: PointsByCriterion | null, applied: AppliedItems | undefined) =>
    isDeepStrictEqual(points, there ?? {}) && (!applied || sameItems(own.items, applied.items))
  if (isAt(after, change?.after) && (!change || isDeepStrictEqual(own.adjustments, change.after.adjustments)))
    return 'after'
  return isAt(before, change?.before) ? 'before' : 'other'
}

const pickDecisions = (
  decisions: PointsByCriterion | undefined,
  criterionIds: ReadonlySet<string>,
): PointsByCriterion => Object.fromEntries(Object.entries(decisions ?? {}).filter(([id]) => criterionIds.has(id)))

function canEarn(points: PointsByCriterion | null, criteria: readonly CriterionGrade[]): boolean {
  const most = new Map(criteria.map(({ criterion_id, max_score }) => [criterion_id, max_score]))
  return Object.entries(points ?? {}).every(([id, given]) => given <= (most.get(id) ?? -1))
}

function decidedGrade(
  before: GradeOfSubmission,
  criteria: readonly CriterionGrade[],
  about: { ids: ReadonlySet<string>; change: DecisionChange; items: ItemsById; rubric: AssignmentDoc['rubric'] },
  { actor, now }: Author,
): GradeOfSubmission {
  const { ids, change, items, rubric } = about
  const others = Object.entries(before.decisions ?? {}).filter(([id]) => !ids.has(id))
  const decisions: PointsByCriterion = { ...Object.fromEntries(others), ...change.after }
  const score = scoreGrade(before, criteria, decisions)
  return {
    ...before,
    ...(change.items
      ? replaceItems(before, ids, change.items.after, items)
      : itemsAfterPoints(before, decisions, items, criteria)),
    revision: before.revision + 1,
    decisions,
    decided_by: decisionAuthors(before, decisions, actor.id),
    ...score,
    summary: summaryAfter(before, criteria, { ...score, decisions }, rubric),
    ...reviewAfterDecisions(before, criteria, decisions, now),
    reviewed_by: actor.id,
    released: false,
  }
}

const auditedPoints = ({ manual_score_override, decisions, needs_review, applied_items }: GradeOfSubmission) => ({
  manual_score_override,
  needs_review,
  ...(decisions && Object.keys(decisions).length > 0 ? { points: decisions } : {}),
  ...(applied_items && applied_items.length > 0 ? { rubric_items: applied_items } : {}),
})

/** The latest decisions. More would not calibrate better, and are sent along with every paper. */
const MAX_PAPERS = 200

/** A score for the whole paper says nothing about its criteria. */
const isApprovedUnchanged = ({ reviewed_at, manual_score_override }: GradeOfSubmission) =>
  reviewed_at !== null && manual_score_override === null

type AnchoredAssignment = Pick<AssignmentDoc, '_id' | 'rubric' | 'rubric_version'>

/** Given or approved points, without changed questions: 5 points of 5 mean nothing once there are 10. */
export async function findAnchors(assignment: AnchoredAssignment): Promise<Anchor[]> {
  const { rubric } = assignment
  const reviewed = await findReviewedGrades(assignment._id, MAX_PAPERS)
  const approved = reviewed.flatMap(({ grade }) => (grade && isApprovedUnchanged(grade) ? [grade.id] : []))
  const details = await GradeDetailsModel.find({ _id: { $in: approved } }).lean()
  const suggested = new Map(details.map(({ _id, criteria }) => [_id, criteria]))
  const questionOf = new Map(
    rubric?.questions.flatMap(({ id, criteria }) => criteria.map((criterion) => [criterion.id, id])),
  )
  const outdated = await outdatedVersions(assignment)
  return reviewed
    .flatMap(({ _id: submission_id, grade }): Anchor[] => {
      if (!grade) return []
      const changed = new Set(outdated.get(grade.rubric_version)?.changed.map(({ id }) => id))
      const unchangedSince = ({ criterion_id }: Anchor) => {
        const question = questionOf.get(criterion_id)
        return question !== undefined && !changed.has(question)
      }
      const points: Anchor[] = isApprovedUnchanged(grade)
        ? (suggested.get(grade.id) ?? []).flatMap(({ criterion_id, score }) =>
            score === null ? [] : [{ submission_id, criterion_id, score, approved: true as const }],
          )
        : Object.entries(grade.decisions ?? {}).map(([criterion_id, score]) => ({ submission_id, criterion_id, score }))
      return points.filter(unchangedSince)
    })
    .sort((a, b) => a.submission_id - b.submission_id || a.criterion_id.localeCompare(b.criterion_id))
}
