import { isDuplicateKeyError, nextId } from '../../lib/database/database.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import type { ReceivedFile } from '../../lib/http/uploads.ts'
import { AssignmentModel, type AssignmentOverview, type StoredPdf } from '../../records/assignments/assignment.model.ts'
import { ReleaseModel } from '../../records/grading/grade.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { AnswersModel } from '../../records/submissions/answers.model.ts'
import { type EarlierAttempt, type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { deleteSubmissions } from '../submissions/submission.service.ts'
import { deleteTranscriptions } from '../transcriptions/corrections.ts'
import { RELEASED_MESSAGE } from './hand-in.policy.ts'

export async function assertNotReleased(assignment: AssignmentOverview, student: { id: number }): Promise<void> {
  const released = await ReleaseModel.exists({ assignment_id: assignment._id, student_id: student.id })
  if (released) throw new AppError('hand_in_refused', RELEASED_MESSAGE)
}

interface HandedInPaper {
  student: UserDoc
  file: ReceivedFile
  handwritten: boolean
  late: boolean
  at: Date
}

/**
 * Keeps a student's paper as their one submission. Handed in again, the new file takes the place of the one that is there,
 * whoever brought it; that one stays listed as an earlier attempt, and its grade, which nobody was shown, goes. The very
 * same file changes nothing.
 * @throws {AppError} `hand_in_refused` when the grade is released
 */
export async function handIn(
  assignment: AssignmentOverview,
  paper: HandedInPaper,
  services: Services,
): Promise<SubmissionDoc> {
  await services.files.keep(paper.file.path, paper.file.hash)
  for (;;) {
    const own = await SubmissionModel.findOne({
      assignment_id: assignment._id,
      student_id: paper.student._id,
    })
      .sort({ _id: -1 })
      .lean()
    if (own?.file.hash === paper.file.hash) return own
    if (own?.grade?.released) throw new AppError('hand_in_refused', RELEASED_MESSAGE)
    await assertNotReleased(assignment, { id: paper.student._id })
    const kept = own ? await replaceSubmission(own, paper) : await insertSubmission(assignment, paper)
    // Handed in from two places at once, or released or deleted in between: once more, on what stands now.
    if (!kept) continue
    if (!(await AssignmentModel.exists({ _id: assignment._id }))) {
      // Whoever deleted it had looked for its submissions before this one was in.
      await deleteSubmissions([kept])
      throw notFound('This assignment was deleted meanwhile.')
    }
    await notifySubmissionChanged(kept, services)
    return kept
  }
}

const toStoredPdf = ({ file, handwritten }: HandedInPaper): StoredPdf => ({
  hash: file.hash,
  name: file.name,
  size: file.size,
  handwritten,
})

/** Null when one was handed in at the same moment: the index lets only one in. */
async function insertSubmission(assignment: AssignmentOverview, paper: HandedInPaper): Promise<SubmissionDoc | null> {
  const submission: SubmissionDoc = {
    _id: await nextId('submissions'),
    assignment_id: assignment._id,
    course_id: assignment.course_id,
    student_id: paper.student._id,
    student_identifier: paper.student.username,
    file: toStoredPdf(paper),
    upload_key: `handed in by ${paper.student._id}`,
    page_count: null,
    status: 'uploaded',
    failure: null,
    run_id: null,
    grade: null,
    uploaded_by: paper.student._id,
    handed_in_by: 'student',
    late: paper.late,
    created_at: paper.at,
    updated_at: paper.at,
  }
  try {
    await SubmissionModel.create(submission)
    return submission
  } catch (error) {
    if (isDuplicateKeyError(error)) return null
    throw error
  }
}

const IN_PROGRESS: SubmissionDoc['status'][] = ['queued', 'reading', 'grading']

/**
 * In one step, and only while what was seen still stands. The row leaves the run it may be in, so that a result of the old
 * file, which asks for that run, is never stored with the new one.
 */
async function replaceSubmission(own: SubmissionDoc, paper: HandedInPaper): Promise<SubmissionDoc | null> {
  const earlier: EarlierAttempt = {
    file: own.file,
    student_id: own.student_id,
    handed_in_at: own.created_at,
    handed_in_by: own.handed_in_by ?? 'teacher',
    late: own.late ?? false,
  }
  const replaced = await SubmissionModel.findOneAndUpdate(
    { _id: own._id, student_id: own.student_id, 'file.hash': own.file.hash, 'grade.released': { $ne: true } },
    {
      $set: {
        file: toStoredPdf(paper),
        page_count: null,
        status: 'uploaded',
        failure: null,
        run_id: null,
        grade: null,
        uploaded_by: paper.student._id,
        handed_in_by: 'student',
        late: paper.late,
        created_at: paper.at,
        updated_at: paper.at,
      },
      $push: { attempts: earlier },
      // What the teacher uploaded it under; the file is another now.
      $unset: { turned_pages: '', ...(earlier.handed_in_by === 'teacher' ? { upload_key: '' } : {}) },
    },
    { returnDocument: 'after' },
  ).lean()
  // While it is being graded, what was read of the old file goes when the run lets go of it.
  if (replaced) await deleteTranscriptions([own._id])
  if (replaced && !IN_PROGRESS.includes(own.status)) await AnswersModel.deleteOne({ _id: own._id })
  return replaced
}
