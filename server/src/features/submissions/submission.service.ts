import type { Assignment } from '@assay/shared/assignments.ts'
import { notFound } from '../../lib/app-error.ts'
import { nextIds } from '../../lib/db.ts'
import type { FileStore } from '../../lib/files.ts'
import type { ReceivedFile } from '../../lib/uploads.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { enrolledUsers } from '../courses/enrollment.service.ts'
import { forgetGrades } from '../grades/grade.service.ts'
import { AnswersModel } from './answers.model.ts'
import { identifierOf, matchByFileName } from './match-student.ts'
import { type SubmissionDoc, SubmissionModel } from './submission.model.ts'

/** Both ids, never the last one alone: a submission of another assignment is none. */
export async function requireSubmission(ids: {
  assignmentId: number
  submissionId: number
}): Promise<SubmissionDoc> {
  const submission = await SubmissionModel.findOne({
    _id: ids.submissionId,
    assignment_id: ids.assignmentId,
  }).lean()
  if (!submission) throw notFound('There is no such submission.')
  return submission
}

/** By upload, oldest first; the reasons behind a flag are left to the submission's own page. */
export function listSubmissions(
  assignment: AssignmentDoc,
  { skip, limit }: { skip: number; limit: number },
): Promise<SubmissionDoc[]> {
  return SubmissionModel.find({ assignment_id: assignment._id })
    .sort({ _id: 1 })
    .skip(skip)
    .limit(limit)
    .lean()
}

export function countAll(assignment: AssignmentDoc): Promise<number> {
  return SubmissionModel.countDocuments({ assignment_id: assignment._id })
}

export async function countSubmissions(assignment: AssignmentDoc): Promise<Assignment['counts']> {
  const all = { assignment_id: assignment._id }
  const [submissions, graded, failed, flagged, unreleased] = await Promise.all([
    SubmissionModel.countDocuments(all),
    SubmissionModel.countDocuments({ ...all, status: 'graded' }),
    SubmissionModel.countDocuments({ ...all, status: 'failed' }),
    SubmissionModel.countDocuments({ ...all, 'grade.needs_review': true }),
    assignment.status === 'published'
      ? SubmissionModel.countDocuments({ ...all, 'grade.released': false })
      : 0,
  ])
  return { submissions, graded, failed, flagged, unreleased }
}

/** Where a submission stands among the others, from 1, and who is beside it. */
export async function placeOf(submission: SubmissionDoc): Promise<{
  position: number
  total: number
  previous_id: number | null
  next_id: number | null
}> {
  const all = { assignment_id: submission.assignment_id }
  const [before, total, previous, next] = await Promise.all([
    SubmissionModel.countDocuments({ ...all, _id: { $lt: submission._id } }),
    SubmissionModel.countDocuments(all),
    SubmissionModel.findOne({ ...all, _id: { $lt: submission._id } }, { _id: 1 })
      .sort({ _id: -1 })
      .lean(),
    SubmissionModel.findOne({ ...all, _id: { $gt: submission._id } }, { _id: 1 })
      .sort({ _id: 1 })
      .lean(),
  ])
  return { position: before + 1, total, previous_id: previous?._id ?? null, next_id: next?._id ?? null }
}

export interface UploadedPaper {
  file: ReceivedFile
  handwritten: boolean
}

/**
 * Keeps papers as submissions of an assignment. The very same file for the same student changes nothing: the
 * submission that is there is answered with.
 */
export async function addSubmissions(
  assignment: AssignmentDoc,
  papers: UploadedPaper[],
  uploader: { id: number },
  files: FileStore,
  now: Date,
): Promise<SubmissionDoc[]> {
  if (papers.length === 0) return []
  const students = assignment.course_id === null ? [] : await enrolledUsers(assignment.course_id)
  const same = await SubmissionModel.find({
    assignment_id: assignment._id,
    'file.hash': { $in: papers.map(({ file }) => file.hash) },
  }).lean()
  const keyOf = (hash: string, identifier: string) => `${hash} ${identifier}`
  const known = new Map<string, SubmissionDoc>(
    same.map((doc) => [keyOf(doc.file.hash, doc.student_identifier), doc]),
  )

  for (const { file } of papers) await files.keep(file.path, file.hash)
  let id = await nextIds('submissions', papers.length)
  const fresh: SubmissionDoc[] = []
  const all = papers.map(({ file, handwritten }) => {
    const student = matchByFileName(file.name, students)
    const identifier = student?.username ?? identifierOf(file.name)
    const present = known.get(keyOf(file.hash, identifier))
    if (present) return present
    const doc: SubmissionDoc = {
      _id: id++,
      assignment_id: assignment._id,
      course_id: assignment.course_id,
      student_id: student?._id ?? null,
      student_identifier: identifier,
      file: { hash: file.hash, name: file.name, size: file.size, handwritten },
      page_count: null,
      status: 'uploaded',
      failure: null,
      run_id: null,
      grade: null,
      uploaded_by: uploader.id,
      created_at: now,
      updated_at: now,
    }
    known.set(keyOf(file.hash, identifier), doc)
    fresh.push(doc)
    return doc
  })
  if (fresh.length > 0) await SubmissionModel.create(fresh, { ordered: true })
  return all
}

/** With grades, releases and answers; the papers themselves go with the next sweep when nothing else needs them. */
export async function deleteSubmissions(submissions: Pick<SubmissionDoc, '_id'>[]): Promise<void> {
  const ids = submissions.map((submission) => submission._id)
  await forgetGrades(ids)
  await AnswersModel.deleteMany({ _id: { $in: ids } })
  await SubmissionModel.deleteMany({ _id: { $in: ids } })
}
