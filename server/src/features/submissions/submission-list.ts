import type {
  SubmissionCounts,
  SubmissionFilter,
  SubmissionOrder,
  SubmissionSort,
} from '@assay/shared/submissions.ts'
import type { QueryFilter } from 'mongoose'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { UserModel } from '../users/user.model.ts'
import { type SubmissionDoc, SubmissionModel } from './submission.model.ts'

type Where = QueryFilter<SubmissionDoc>
type Place = Pick<SubmissionDoc, 'assignment_id'>

const hasGrade: Where = { 'grade.released': { $in: [true, false] } }

const filters: Record<SubmissionFilter, Where> = {
  all: {},
  flagged: { 'grade.needs_review': true },
  failed: { status: 'failed' },
  pending: { status: { $ne: 'failed' }, grade: null },
  graded: hasGrade,
  unmatched: { student_id: null },
  late: { late: true },
  regrade: { regrade: 'open' },
}

/** All but `score`, which is computed, are read off an index. Identifiers sort by code point: capitals first. */
const sorts: Record<Exclude<SubmissionSort, 'score'>, string[]> = {
  id: ['_id'],
  student: ['student_identifier', '_id'],
  submitted: ['created_at', '_id'],
  status: ['status', 'grade.needs_review', '_id'],
}

const literally = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i')

async function whereOf({ assignment_id }: Place, { search, status }: SubmissionOrder): Promise<Where> {
  const where: Where = { assignment_id, ...filters[status] }
  if (search === '') return where
  const pattern = literally(search)
  const number = /^#?(\d{1,15})$/.exec(search)?.[1]
  const owners = await SubmissionModel.distinct('student_id', { assignment_id })
  const named = await UserModel.find(
    { _id: { $in: owners }, $or: [{ full_name: pattern }, { username: pattern }] },
    { _id: 1 },
  ).lean()
  where.$or = [
    { student_identifier: pattern },
    { 'file.name': pattern },
    ...(named.length > 0 ? [{ student_id: { $in: named.map(({ _id }) => _id) } }] : []),
    ...(number ? [{ _id: Number(number) }] : []),
  ]
  return where
}

interface Page {
  skip: number
  limit: number
}

/** Papers without a score come last either way. One pass over the assignment's rows. */
async function idsByScore(where: Where, direction: 1 | -1, page?: Page): Promise<number[]> {
  const found = await SubmissionModel.aggregate<{ _id: number }>([
    { $match: where },
    {
      $project: {
        score: { $ifNull: ['$grade.manual_score_override', '$grade.overall_score'] },
        none: { $cond: [{ $eq: ['$grade', null] }, 1, 0] },
      },
    },
    { $sort: { none: 1, score: direction, _id: direction } },
    ...(page ? [{ $skip: page.skip }, { $limit: page.limit }] : []),
  ])
  return found.map(({ _id }) => _id)
}

const directionOf = ({ direction }: SubmissionOrder) => (direction === 'asc' ? 1 : -1)

function sortOf(sort: Exclude<SubmissionSort, 'score'>, direction: 1 | -1): [string, 1 | -1][] {
  return sorts[sort].map((field) => [field, direction])
}

async function idsWhere(where: Where, order: SubmissionOrder): Promise<number[]> {
  const { sort } = order
  if (sort === 'score') return idsByScore(where, directionOf(order))
  const found = await SubmissionModel.find(where, { _id: 1 })
    .sort(sortOf(sort, directionOf(order)))
    .lean()
  return found.map(({ _id }) => _id)
}

/** Every submission that fits, in order. */
export async function idsInOrder(
  assignment: Pick<AssignmentDoc, '_id'>,
  order: SubmissionOrder,
): Promise<number[]> {
  return idsWhere(await whereOf({ assignment_id: assignment._id }, order), order)
}

/** A page of those that fit, whole: leaving out the little evidence behind a flag costs more than sending it. */
export async function listSubmissions(
  assignment: Pick<AssignmentDoc, '_id'>,
  { skip, limit, ...order }: SubmissionOrder & Page,
): Promise<{ submissions: SubmissionDoc[]; total: number }> {
  const where = await whereOf({ assignment_id: assignment._id }, order)
  const { sort } = order
  const [submissions, total] = await Promise.all([
    sort === 'score'
      ? idsByScore(where, directionOf(order), { skip, limit }).then(inThisOrder)
      : SubmissionModel.find(where)
          .sort(sortOf(sort, directionOf(order)))
          .skip(skip)
          .limit(limit)
          .lean(),
    SubmissionModel.countDocuments(where),
  ])
  return { submissions, total }
}

async function inThisOrder(ids: number[]): Promise<SubmissionDoc[]> {
  const found = await SubmissionModel.find({ _id: { $in: ids } }).lean()
  const byId = new Map(found.map((submission) => [submission._id, submission]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** How many there are of which kind; every count is read off an index. */
export async function countKinds(assignment: Pick<AssignmentDoc, '_id'>): Promise<SubmissionCounts> {
  const count = (where: Where) => SubmissionModel.countDocuments({ assignment_id: assignment._id, ...where })
  const ownerlessWhere = { ...filters.unmatched, ...hasGrade }
  const [
    all,
    graded,
    flagged,
    failed,
    failedBefore,
    unmatched,
    late,
    regrade,
    unreleased,
    ownerless,
    ownerlessWaiting,
  ] = await Promise.all([
    count({}),
    count(hasGrade),
    count(filters.flagged),
    count(filters.failed),
    count({ ...filters.failed, ...hasGrade }),
    count(filters.unmatched),
    count(filters.late),
    count(filters.regrade),
    count({ 'grade.released': false }),
    count(ownerlessWhere),
    count({ ...filters.unmatched, 'grade.released': false }),
  ])
  return {
    all,
    graded,
    flagged,
    failed,
    // One graded anew may fail and keep the grade it had.
    pending: all - graded - (failed - failedBefore),
    unmatched,
    late,
    regrade,
    unreleased,
    awaited: unreleased - ownerlessWaiting,
    ownerless,
  }
}

interface Neighbours {
  /** From 1. */
  position: number
  total: number
  previous_id: number | null
  next_id: number | null
}

/**
 * Where a submission stands among those a list shows, and who is beside it. It is one of them even when it no longer fits:
 * approved, it leaves the flagged ones, and the next of them is still the next.
 */
export async function placeOf(submission: SubmissionDoc, order: SubmissionOrder): Promise<Neighbours> {
  const { _id, assignment_id } = submission
  const { assignment_id: _, ...fits } = await whereOf({ assignment_id }, order)
  const plain = Object.keys(fits).length === 0
  if (plain && order.sort === 'id') return placeById(submission, directionOf(order))
  const where = plain ? { assignment_id } : { assignment_id, $or: [fits, { _id }] }
  const ids = await idsWhere(where, order)
  const place = ids.indexOf(_id)
  return {
    position: place + 1,
    total: ids.length,
    previous_id: ids[place - 1] ?? null,
    next_id: ids[place + 1] ?? null,
  }
}

async function placeById({ _id, assignment_id }: SubmissionDoc, direction: 1 | -1): Promise<Neighbours> {
  const [before, after] = [{ _id: { $lt: _id } }, { _id: { $gt: _id } }]
  const nearest = (where: Where, way: 1 | -1) =>
    SubmissionModel.findOne({ assignment_id, ...where }, { _id: 1 })
      .sort({ _id: way })
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
