import type { SubmissionCounts, SubmissionFilter, SubmissionOrder, SubmissionSort } from '@assay/shared/submissions.ts'
import type { QueryFilter } from 'mongoose'
import { allOf } from '../../../lib/all-of.ts'
import { literalRegExp } from '../../../lib/database/database.ts'
import { fileFaults } from '../../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { RetainedGradeModel } from '../../../records/grading/retained-grade.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { type AssignmentNames, hidesNames } from '../../anonymity/hidden-names.ts'
import { findRubricHead } from '../../assignments/assignment.service.ts'
import { outdatedGradesQuery } from '../../rubrics/outdated-grades.ts'
import { findUserIdsByName } from '../../users/user.service.ts'
import { hasGroups } from '../group-members.ts'
import { studentIdsWithSubmission } from '../submission-queries.ts'

type SubmissionQuery = QueryFilter<SubmissionDoc>

const hasGrade: SubmissionQuery = { 'grade.released': { $in: [true, false] } }

/** Written to use no index, as the conditions beside it select better. */
const complete: SubmissionQuery = { 'grade.unscored_points': { $not: { $gt: 0 } } }

const wasReviewed: SubmissionQuery = { 'grade.reviewed_at': { $gt: new Date(0) } }
const unflaggedDecided: SubmissionQuery = { 'grade.needs_review': false, ...wasReviewed }

const filters: Record<Exclude<SubmissionFilter, 'outdated'>, SubmissionQuery> = {
  all: {},
  held: { held: true },
  flagged: { 'grade.needs_review': true },
  // Both values, so that the index beginning with this field is used.
  by_hand: { 'grade.needs_review': { $in: [true, false] }, 'grade.unscored_points': { $gt: 0 } },
  failed: { status: 'failed' },
  pending: { status: { $ne: 'failed' }, grade: null },
  suggested: { ...complete, 'grade.needs_review': false, 'grade.reviewed_at': null },
  reviewed: { ...complete, ...unflaggedDecided },
  graded: hasGrade,
  unmatched: { student_id: null },
  late: { late: true },
  regrade: { regrade: 'open' },
}

/** Each uses an index. Identifiers sort by code point: capitals first. */
const sorts: Record<SubmissionSort, string[]> = {
  id: ['_id'],
  score: ['grade.final_score', '_id'],
  student: ['student_identifier', '_id'],
  submitted: ['created_at', '_id'],
  status: ['status', 'grade.needs_review', '_id'],
}

/** Ids follow the order of upload, which is often that of names. */
const anonymousSorts: typeof sorts = {
  ...sorts,
  id: ['paper_number', '_id'],
  student: ['paper_number', '_id'],
  submitted: ['created_at', 'paper_number'],
  score: ['grade.final_score', 'paper_number'],
  status: ['status', 'grade.needs_review', 'paper_number'],
}

async function buildQuery(assignment: AssignmentNames, { search, status }: SubmissionOrder): Promise<SubmissionQuery> {
  const assignment_id = assignment._id
  const where: SubmissionQuery =
    status === 'outdated' ? await outdatedQuery(assignment_id) : { assignment_id, ...filters[status] }
  if (search === '') return where
  const number = /^#?(\d{1,15})$/.exec(search)?.[1]
  if (hidesNames(assignment)) {
    const label = /^(?:paper )?(\d{1,15})$/i.exec(search)?.[1]
    where.$or = [{ paper_number: label ? Number(label) : -1 }, { _id: number ? Number(number) : -1 }]
    return where
  }
  const pattern = literalRegExp(search)
  const owners = await studentIdsWithSubmission(assignment_id)
  const named = await findUserIdsByName([...owners], pattern)
  where.$or = [
    { student_identifier: pattern },
    { 'file.name': pattern },
    ...(named.length > 0 ? [{ student_id: { $in: named } }, { partner_ids: { $in: named } }] : []),
    ...(number ? [{ _id: Number(number) }] : []),
  ]
  return where
}

async function outdatedQuery(assignment_id: number): Promise<SubmissionQuery> {
  const current = await findRubricHead(assignment_id)
  return outdatedGradesQuery(current ?? { _id: assignment_id, rubric_version: 0 })
}

interface Page {
  skip: number
  limit: number
}

const directionOf = ({ direction }: SubmissionOrder) => (direction === 'asc' ? 1 : -1)

type ListOrder = SubmissionOrder & { sorts: typeof sorts }

const listOrder = (assignment: AssignmentNames, order: SubmissionOrder): ListOrder => ({
  ...order,
  sorts: hidesNames(assignment) ? anonymousSorts : sorts,
})

type Fields = { _id: 1; 'grade.id'?: 1; 'grade.revision'?: 1 }

function findSorted(where: SubmissionQuery, order: ListOrder, page: Page, fields?: Fields) {
  const sort = order.sorts[order.sort].map((field): [string, 1 | -1] => [field, directionOf(order)])
  return SubmissionModel.find(where, fields).sort(sort).skip(page.skip).limit(page.limit).lean()
}

/** Papers without a score come last both ways, so they are queried separately. */
async function findInOrder(where: SubmissionQuery, order: ListOrder, page: Page, fields?: Fields) {
  if (order.sort !== 'score') return findSorted(where, order, page, fields)
  const scored: SubmissionQuery = { $and: [where, hasScore] }
  const first = await findSorted(scored, order, page, fields)
  if (page.limit > 0 && first.length === page.limit) return first
  const before = first.length > 0 ? page.skip + first.length : await SubmissionModel.countDocuments(scored)
  const rest: SubmissionQuery = { $and: [where, { 'grade.final_score': null }] }
  const restPage = { skip: Math.max(0, page.skip - before), limit: page.limit && page.limit - first.length }
  return [...first, ...(await findSorted(rest, { ...order, sort: 'score' }, restPage, fields))]
}

const hasScore: SubmissionQuery = { 'grade.final_score': { $gte: 0 } }

const ALL: Page = { skip: 0, limit: 0 }

const findIds = async (where: SubmissionQuery, order: ListOrder): Promise<number[]> =>
  (await findInOrder(where, order, ALL, { _id: 1 })).map(({ _id }) => _id)

export async function listSubmissionIdsInOrder(assignment: AssignmentNames, order: SubmissionOrder) {
  const fields: Fields = { _id: 1, 'grade.id': 1, 'grade.revision': 1 }
  const found = await findInOrder(await buildQuery(assignment, order), listOrder(assignment, order), ALL, fields)
  return found.map(({ _id, grade }) => ({ id: _id, grade: grade ?? null }))
}

export async function listSubmissions(
  assignment: AssignmentNames,
  { skip, limit, ...order }: SubmissionOrder & Page,
): Promise<{ submissions: SubmissionDoc[]; total: number }> {
  const where = await buildQuery(assignment, order)
  const [submissions, total] = await Promise.all([
    findInOrder(where, listOrder(assignment, order), { skip, limit }),
    SubmissionModel.countDocuments(where),
  ])
  return { submissions, total }
}

/** By indexes only, as a screen waits for this. */
export async function countByFilter(assignment: Pick<AssignmentDoc, '_id'>): Promise<SubmissionCounts> {
  const count = (where: SubmissionQuery) => SubmissionModel.countDocuments({ assignment_id: assignment._id, ...where })
  // An index can count numbers, but not their absence.
  const owned = { student_id: { $gt: 0 } }
  const outdatedGrades = await outdatedQuery(assignment._id)
  const [counts, parts, partners] = await Promise.all([
    allOf({
      all: count({}),
      graded: count(hasGrade),
      flagged: count(filters.flagged),
      held: count(filters.held),
      by_hand: count(filters.by_hand),
      failed: count(filters.failed),
      // Only this, `decidedByHand` and `partners` read papers.
      failed_files: count({ ...filters.failed, 'failure.code': { $in: fileFaults } }),
      late: count(filters.late),
      regrade: count(filters.regrade),
      unreleased: count({ 'grade.released': false }),
      unreleased_matched: count({ 'grade.released': false, ...owned }),
      unreleased_reviewed: count({ 'grade.released': false, ...wasReviewed }),
      outdated: count(outdatedGrades),
      retained: RetainedGradeModel.countDocuments({ assignment_id: assignment._id }),
    }),
    allOf({
      decided: count(unflaggedDecided),
      unflaggedByHand: count({ ...filters.by_hand, 'grade.needs_review': false }),
      decidedByHand: count({ ...filters.by_hand, ...unflaggedDecided }),
      failedBefore: count({ ...filters.failed, 'grade.needs_review': { $in: [true, false] } }),
      matched: count(owned),
      matchedGraded: count({ ...hasGrade, ...owned }),
      approved: count({ ...hasGrade, ...wasReviewed }),
    }),
    countPartners(assignment._id),
  ])
  const { all, graded, flagged, failed } = counts
  const reviewed = parts.decided - parts.decidedByHand
  return {
    ...counts,
    suggested: graded - flagged - reviewed - parts.unflaggedByHand,
    reviewed,
    // A paper that failed when graded again still has its earlier grade.
    pending: all - graded - (failed - parts.failedBefore),
    unmatched: all - parts.matched,
    unapproved: graded - parts.approved,
    graded_unmatched: graded - parts.matchedGraded,
    ...(partners.graded > 0 && { partners }),
  }
}

/** Reads the papers of groups, where the assignment has any. */
async function countPartners(assignment_id: number) {
  const shared = (await hasGroups(assignment_id))
    ? await SubmissionModel.find(
        { assignment_id, ...hasGrade, partner_ids: { $exists: true } },
        { partner_ids: 1, 'grade.released': 1 },
      ).lean<Pick<SubmissionDoc, 'partner_ids' | 'grade'>[]>()
    : []
  const partnersOf = (papers: typeof shared) => papers.reduce((sum, one) => sum + (one.partner_ids?.length ?? 0), 0)
  return { graded: partnersOf(shared), unreleased: partnersOf(shared.filter(({ grade }) => !grade?.released)) }
}

interface Neighbours {
  /** From 1. */
  position: number
  total: number
  previous_id: number | null
  next_id: number | null
}

/** Counts even if it no longer matches, so that after an approval the next flagged one is next. */
export async function findNeighbours(
  assignment: AssignmentNames,
  submission: SubmissionDoc,
  order: SubmissionOrder,
): Promise<Neighbours> {
  const { _id, assignment_id } = submission
  const { assignment_id: _, ...filter } = await buildQuery(assignment, order)
  const unfiltered = Object.keys(filter).length === 0
  if (unfiltered && order.sort === 'id' && !hidesNames(assignment))
    return findNeighboursById(submission, directionOf(order))
  const where = unfiltered ? { assignment_id } : { assignment_id, $or: [filter, { _id }] }
  const ids = await findIds(where, listOrder(assignment, order))
  const index = ids.indexOf(_id)
  return {
    position: index + 1,
    total: ids.length,
    previous_id: ids[index - 1] ?? null,
    next_id: ids[index + 1] ?? null,
  }
}

async function findNeighboursById({ _id, assignment_id }: SubmissionDoc, direction: 1 | -1): Promise<Neighbours> {
  const [before, after] = [{ _id: { $lt: _id } }, { _id: { $gt: _id } }]
  const nearest = (where: SubmissionQuery, order: 1 | -1) =>
    SubmissionModel.findOne({ assignment_id, ...where }, { _id: 1 })
      .sort({ _id: order })
      .lean()
  const [earlier, total, lower, higher] = await Promise.all([
    SubmissionModel.countDocuments({ assignment_id, ...(direction === 1 ? before : after) }),
    SubmissionModel.countDocuments({ assignment_id }),
    nearest(before, -1),
    nearest(after, 1),
  ])
  const [previous, next] = direction === 1 ? [lower, higher] : [higher, lower]
  return { position: earlier + 1, total, previous_id: previous?._id ?? null, next_id: next?._id ?? null }
}
