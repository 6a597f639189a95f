import { randomInt } from 'node:crypto'
import type { Assignment } from '@assay/shared/assignments.ts'
import type { QueryFilter } from 'mongoose'
import { allOf } from '../../lib/all-of.ts'
import { isDuplicateKeyError, nextIds, unlessDuplicate } from '../../lib/database/database.ts'
import { notFound, orNotFound } from '../../lib/http/app-error.ts'
import { shuffled } from '../../lib/seeded-random.ts'
import type { FileStore } from '../../lib/storage/file-store.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { findOwned, peopleOf } from '../../records/submissions/people-of-paper.ts'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'
import { hidesNames } from '../anonymity/hidden-names.ts'
import { type TimedPaper, timedPaperFields } from '../assignments/adjusted-score.ts'
import { assignmentExists } from '../assignments/assignment.service.ts'
import { handInWindowOf } from '../assignments/assignment-dates.ts'
import type { UploadedPaper } from '../assignments/uploaded-paper.ts'
import { alignWithGroups, groupFieldsOf } from './group-members.ts'
import { createMatcher, identifierFromFileName } from './matching/match-student.ts'
import { loadMatchingRoster } from './matching/name-index.ts'

/** Three, or so many that half of the numbers stay free, or the last one drawn would reveal more. */
const FEWEST_DIGITS = 3

export async function drawPaperNumbers(assignmentId: number, count: number): Promise<number[]> {
  const used = new Set<number>(await SubmissionModel.distinct('paper_number', { assignment_id: assignmentId }))
  let digits = FEWEST_DIGITS
  while (9 * 10 ** (digits - 1) < 2 * (used.size + count)) digits++
  const drawn: number[] = []
  while (drawn.length < count) {
    const number = randomInt(10 ** (digits - 1), 10 ** digits)
    if (used.has(number)) continue
    used.add(number)
    drawn.push(number)
  }
  return drawn
}

export async function numberAllPapers(assignmentId: number): Promise<void> {
  for (;;) {
    const without = await SubmissionModel.find(
      { assignment_id: assignmentId, paper_number: { $exists: false } },
      { _id: 1 },
    ).lean()
    if (without.length === 0) return
    const numbers = await drawPaperNumbers(assignmentId, without.length)
    // Drawn again where another paper has taken one meanwhile.
    await unlessDuplicate(
      SubmissionModel.bulkWrite(
        without.map(({ _id }, i) => ({
          updateOne: {
            filter: { _id, paper_number: { $exists: false } },
            update: { $set: { paper_number: numbers[i] ?? 0 } },
          },
        })),
        { ordered: false, timestamps: false },
      ),
    )
  }
}

/** By both ids: a submission of another assignment does not count. */
export const requireSubmission = (ids: { assignmentId: number; submissionId: number }): Promise<SubmissionDoc> =>
  orNotFound(
    SubmissionModel.findOne({ _id: ids.submissionId, assignment_id: ids.assignmentId }).lean(),
    'This submission does not exist.',
  )

export const findSubmission = (id: number): Promise<SubmissionDoc | null> => SubmissionModel.findById(id).lean()

export const submissionExists = async (id: number): Promise<boolean> =>
  (await SubmissionModel.exists({ _id: id })) !== null

type Counted = Pick<AssignmentDoc, '_id' | 'status'>
type Counts = Assignment['counts']

/** Up to this many, counts by index are faster than one aggregation. */
const MAX_SINGLE_COUNTS = 20

export async function countSubmissions(assignments: Counted[]): Promise<Map<number, Counts>> {
  if (assignments.length > MAX_SINGLE_COUNTS) return countByAggregation(assignments)
  return new Map(await Promise.all(assignments.map(async (one) => [one._id, await countOneAssignment(one)] as const)))
}

function countOneAssignment({ _id, status }: Counted): Promise<Counts> {
  const count = (where: QueryFilter<SubmissionDoc>) => SubmissionModel.countDocuments({ assignment_id: _id, ...where })
  return allOf({
    submissions: count({}),
    graded: count({ status: 'graded' }),
    failed: count({ status: 'failed' }),
    flagged: count({ 'grade.needs_review': true }),
    reviewed: count({ 'grade.needs_review': false, 'grade.reviewed_at': { $gt: new Date(0) } }),
    unreleased: status === 'published' ? count({ 'grade.released': false }) : 0,
    regrades: count({ regrade: 'open' }),
  })
}

async function countByAggregation(assignments: Counted[]): Promise<Map<number, Counts>> {
  const countIf = (field: string, value: unknown, count: unknown = 1) => ({
    $sum: { $cond: [{ $eq: [field, value] }, count, 0] },
  })
  const found = await SubmissionModel.aggregate<Counts & { _id: number }>([
    { $match: { assignment_id: { $in: assignments.map(({ _id }) => _id) } } },
    {
      $group: {
        _id: '$assignment_id',
        submissions: { $sum: 1 },
        graded: countIf('$status', 'graded'),
        failed: countIf('$status', 'failed'),
        flagged: countIf('$grade.needs_review', true),
        reviewed: countIf('$grade.needs_review', false, { $cond: [{ $eq: ['$grade.reviewed_at', null] }, 0, 1] }),
        unreleased: countIf('$grade.released', false),
        regrades: countIf('$regrade', 'open'),
      },
    },
  ])
  const byId = new Map(found.map(({ _id, ...counts }) => [_id, counts]))
  const none = { submissions: 0, graded: 0, failed: 0, flagged: 0, reviewed: 0, unreleased: 0, regrades: 0 }
  return new Map(
    assignments.map(({ _id, status }) => {
      const counts = byId.get(_id) ?? none
      return [_id, status === 'published' ? counts : { ...counts, unreleased: 0 }]
    }),
  )
}

/** All or none. Returns the existing one for the same file. @throws {AppError} `resource_not_found` */
export async function addSubmissions(
  assignment: AssignmentDoc,
  papers: UploadedPaper[],
  uploader: { id: number },
  files: FileStore,
  now: Date,
): Promise<SubmissionDoc[]> {
  const added = await storeSubmissions(assignment, papers, uploader, files, now)
  if (await assignmentExists(assignment._id)) return added
  // The deletion had looked for submissions before these were stored.
  await deleteSubmissionRows(added)
  throw notFound('This assignment has been deleted.')
}

export async function storeSubmissions(
  assignment: AssignmentDoc,
  papers: UploadedPaper[],
  uploader: { id: number },
  files: FileStore,
  now: Date,
): Promise<SubmissionDoc[]> {
  if (papers.length === 0) return []
  const matcher = createMatcher(await loadMatchingRoster(assignment.course_id))
  for (const { file } of papers) await files.store(file.path, file.hash)
  const firstId = await nextIds('submissions', papers.length)
  // While names are hidden, ids must not follow the order of the files, which is often that of names.
  const inOrder = (hidesNames(assignment) ? shuffled(papers) : papers).map((paper) => {
    const matched = paper.matched ?? (paper.student === undefined ? matcher.byFileName(paper.file.name) : null)
    return { ...paper, given: paper.student, ...(matched ?? { student: paper.student ?? null, reason: null }) }
  })
  const groups = await groupFieldsOf(
    assignment._id,
    inOrder.flatMap(({ student }) => student?._id ?? []),
  )
  const wanted = inOrder.map(
    ({ file, handwritten, photos, draft, given, student, reason, isNobodys, splitFrom }, i): SubmissionDoc => {
      const identifier = student?.username ?? identifierFromFileName(file.name)
      return {
        _id: firstId + i,
        assignment_id: assignment._id,
        course_id: assignment.course_id,
        student_id: student?._id ?? null,
        student_identifier: identifier,
        ...groups.get(student?._id ?? 0),
        ...(reason ? { match_reason: reason } : {}),
        ...(given || isNobodys ? { student_set_by: 'teacher' as const } : {}),
        file: {
          ...{ hash: file.hash, name: file.name, size: file.size, handwritten },
          ...(photos && { photos }),
          ...(draft && { photo_draft: draft }),
        },
        ...(splitFrom === undefined ? {} : { split_from: splitFrom }),
        upload_key: `${file.hash} ${identifier}`,
        page_count: null,
        status: 'uploaded',
        failure: null,
        run_id: null,
        grade: null,
        uploaded_by: uploader.id,
        created_at: now,
        updated_at: now,
      }
    },
  )
  try {
    return await alignWithGroups(await insertAll(wanted))
  } catch (error) {
    // The upload is reported as failed, so none may stay.
    const mine = { assignment_id: assignment._id, _id: { $in: wanted.map(({ _id }) => _id) } }
    await SubmissionModel.deleteMany(mine).catch(() => {})
    throw error
  }
}

/** Retries when a unique index rejects a file, or a number, of the same moment. */
async function insertAll(wanted: SubmissionDoc[], before = Number.POSITIVE_INFINITY): Promise<SubmissionDoc[]> {
  const { all, fresh } = await separateExisting(wanted)
  if (fresh.length === 0) return all
  const numbers = await drawPaperNumbers(fresh[0]?.assignment_id ?? 0, fresh.length)
  for (const [i, doc] of fresh.entries()) doc.paper_number = numbers[i] ?? 0
  try {
    await SubmissionModel.insertMany(fresh, { ordered: false, lean: true })
    return all
  } catch (error) {
    if (!isDuplicateKeyError(error) || fresh.length >= before) throw error
    return insertAll(wanted, fresh.length)
  }
}

async function separateExisting(wanted: SubmissionDoc[]): Promise<{ all: SubmissionDoc[]; fresh: SubmissionDoc[] }> {
  const keysOf = ({ file, student_identifier, upload_key }: SubmissionDoc) => [
    `${file.hash} ${student_identifier}`,
    `${file.hash}/${file.name}`,
    ...(upload_key ? [upload_key] : []),
  ]
  const same = await SubmissionModel.find({
    assignment_id: wanted[0]?.assignment_id ?? 0,
    'file.hash': { $in: wanted.map(({ file }) => file.hash) },
  }).lean()
  const known = new Map<string, SubmissionDoc>()
  const remember = (doc: SubmissionDoc) => {
    for (const key of keysOf(doc)) known.set(key, doc)
  }
  for (const doc of same) remember(doc)
  const fresh: SubmissionDoc[] = []
  const all = wanted.map((doc) => {
    const present = keysOf(doc).flatMap((key) => known.get(key) ?? [])[0]
    if (present) return present
    remember(doc)
    fresh.push(doc)
    return doc
  })
  return { all, fresh }
}

/** What belongs to them is deleted by `maintenance/deletion`, or by the next sweep. */
export async function deleteSubmissionRows(submissions: Pick<SubmissionDoc, '_id'>[]): Promise<void> {
  await SubmissionModel.deleteMany({ _id: { $in: submissions.map(({ _id }) => _id) } })
}

export async function findPaperTimes(ids: number[]): Promise<Map<number, TimedPaper>> {
  const found: (TimedPaper & { _id: number })[] = await SubmissionModel.find({ _id: { $in: ids } })
    .select(timedPaperFields)
    .lean()
  return new Map(found.map((paper) => [paper._id, paper]))
}

export function storeLateWaiver(
  { _id, file }: Pick<SubmissionDoc, '_id' | 'file'>,
  waived: boolean,
  now: Date,
): Promise<SubmissionDoc | null> {
  return SubmissionModel.findOneAndUpdate(
    { _id, 'file.hash': file.hash, late_waived: waived ? { $ne: true } : true },
    waived
      ? { $set: { late_waived: true, updated_at: now } }
      : { $unset: { late_waived: '' }, $set: { updated_at: now } },
  ).lean()
}

/** Null: unknown. */
export type HandInTime = Date | 'on_time' | null

export const handInTimeOf = ({ uploaded_at, on_time, created_at }: SubmissionDoc): HandInTime =>
  on_time ? 'on_time' : uploaded_at ? created_at : null

/** Of those that a teacher uploaded; returns them as they were. */
export async function storeHandInTimes(
  assignment: AssignmentDoc,
  ids: number[],
  at: HandInTime,
  now: Date,
): Promise<SubmissionDoc[]> {
  const uploads = { assignment_id: assignment._id, handed_in_by: { $ne: 'student' as const } }
  const papers = await SubmissionModel.find({ ...uploads, _id: { $in: ids } }).lean()
  if (papers.length === 0) return []
  const said = at === 'on_time' ? { $set: { on_time: true as const } } : { $unset: { on_time: '' as const } }
  await SubmissionModel.bulkWrite(
    papers.map(({ _id, created_at, uploaded_at = created_at }) => ({
      updateOne: {
        // No paper that a student has handed in meanwhile.
        filter: { ...uploads, _id },
        update:
          at instanceof Date
            ? { $set: { created_at: at, uploaded_at, updated_at: now }, ...said }
            : {
                $set: { created_at: uploaded_at, late: false, updated_at: now, ...said.$set },
                $unset: { uploaded_at: '', ...said.$unset },
              },
      },
    })),
    { ordered: false },
  )
  await recomputeLateness(assignment)
  return papers
}

export async function recomputeLateness(assignment: AssignmentDoc, studentId?: number): Promise<void> {
  const known = [{ handed_in_by: 'student' as const }, { uploaded_at: { $gt: new Date(0) } }]
  const own = { assignment_id: assignment._id, $or: known }
  const fields = { student_id: 1, partner_ids: 1, created_at: 1, late: 1 } as const
  const papers: Pick<SubmissionDoc, '_id' | 'student_id' | 'partner_ids' | 'created_at' | 'late'>[] =
    studentId === undefined
      ? await SubmissionModel.find(own, fields).lean()
      : await findOwned([studentId], (whose) => SubmissionModel.find({ ...own, ...whose }, fields).lean())
  const wrong = papers.filter((paper) => (paper.late ?? false) !== isLate(paper))
  for (const late of [true, false]) {
    const ids = wrong.filter((paper) => isLate(paper) === late).map(({ _id }) => _id)
    if (ids.length > 0) await SubmissionModel.updateMany({ _id: { $in: ids } }, { $set: { late } })
  }

  function isLate(paper: (typeof papers)[number]): boolean {
    return handInWindowOf(assignment, peopleOf(paper), paper.created_at).late
  }
}
