import type { StoredPaper } from '../../records/assignments/assignment.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'

const replaceable: SubmissionDoc['status'][] = ['uploaded', 'failed']

/** A graded paper keeps its file, which its grade rests on; one in a run is being read. */
export const canReplaceFile = ({ grade, status }: SubmissionDoc) => !grade && replaceable.includes(status)

/** Null where it is no longer as it was read. */
export function replaceFileByPart(own: SubmissionDoc, part: StoredPaper, now: Date): Promise<SubmissionDoc | null> {
  return SubmissionModel.findOneAndUpdate(
    {
      ...{ _id: own._id, student_id: own.student_id, grade: null },
      'file.hash': own.file.hash,
      status: { $in: replaceable },
    },
    {
      $set: { file: part, page_count: null, status: 'uploaded', failure: null, run_id: null, updated_at: now },
      // The upload key was that of the teacher's file.
      $unset: {
        ...{ problems: '', held: '', turned_pages: '' },
        ...(own.handed_in_by === 'student' ? {} : { upload_key: '' }),
      },
    },
  ).lean()
}
