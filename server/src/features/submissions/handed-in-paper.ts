import { nextId, unlessDuplicate } from '../../lib/database/database.ts'
import type { AssignmentOverview, StoredPaper } from '../../records/assignments/assignment.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { type EarlierAttempt, type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { UploadedPaper } from '../assignments/uploaded-paper.ts'
import { alignWithGroups, groupFieldsOf } from './group-members.ts'
import { drawPaperNumbers } from './submission.service.ts'

export interface HandedInPaper extends Pick<UploadedPaper, 'file' | 'handwritten' | 'photos' | 'draft'> {
  student: UserDoc
  late: boolean
  at: Date
  sending?: { began: Date; ended: Date }
}

const toStoredPaper = ({ file, handwritten, photos, draft }: HandedInPaper): StoredPaper => ({
  hash: file.hash,
  name: file.name,
  size: file.size,
  handwritten,
  ...(photos && { photos }),
  ...(draft && { photo_draft: draft }),
})

/** It waits for a run, whatever came of an earlier one. */
const unread = (paper: HandedInPaper) => ({
  file: toStoredPaper(paper),
  page_count: null,
  status: 'uploaded' as const,
  failure: null,
  run_id: null,
  grade: null,
  uploaded_by: paper.student._id,
  handed_in_by: 'student' as const,
  late: paper.late,
  created_at: paper.at,
  sending: paper.sending ?? null,
})

/** One for all of a group, so that two of them cannot hand in a paper each. */
export const handInKey = ({ student_id, group_id }: Pick<SubmissionDoc, 'student_id' | 'group_id'>) =>
  `handed in by ${group_id === undefined ? student_id : `group ${group_id}`}`

/** Null when another was handed in, or got the same number, at the same moment: an index admits only one. */
export async function insertHandedInPaper(
  assignment: AssignmentOverview,
  paper: HandedInPaper,
  now: Date,
): Promise<SubmissionDoc | null> {
  const [paper_number = 0] = await drawPaperNumbers(assignment._id, 1)
  const group = (await groupFieldsOf(assignment._id, [paper.student._id])).get(paper.student._id)
  const submission: SubmissionDoc = {
    _id: await nextId('submissions'),
    assignment_id: assignment._id,
    course_id: assignment.course_id,
    student_id: paper.student._id,
    student_identifier: paper.student.username,
    ...group,
    paper_number,
    upload_key: handInKey({ student_id: paper.student._id, ...group }),
    ...unread(paper),
    updated_at: now,
  }
  if (!(await unlessDuplicate(SubmissionModel.create(submission)))) return null
  return (await alignWithGroups([submission]))[0] ?? submission
}

/** Null if changed meanwhile. Leaves its run, so that no result of the old file is stored. */
export async function replaceWithHandedInPaper(
  own: SubmissionDoc,
  paper: HandedInPaper,
  now: Date,
): Promise<SubmissionDoc | null> {
  const earlier: EarlierAttempt = {
    file: own.file,
    student_id: own.student_id,
    ...(own.partner_ids ? { partner_ids: own.partner_ids } : {}),
    handed_in_at: own.created_at,
    handed_in_by: own.handed_in_by ?? 'teacher',
    late: own.late ?? false,
  }
  return SubmissionModel.findOneAndUpdate(
    {
      _id: own._id,
      student_id: own.student_id,
      // They may have left its group.
      ...(own.student_id === paper.student._id ? {} : { partner_ids: paper.student._id }),
      'file.hash': own.file.hash,
      created_at: own.created_at,
      'grade.released': { $ne: true },
    },
    {
      $set: { ...unread(paper), updated_at: now },
      $push: { attempts: earlier },
      // It was that of the teacher's file.
      $unset: {
        problems: '',
        held: '',
        turned_pages: '',
        late_waived: '',
        uploaded_at: '',
        on_time: '',
        ...(earlier.handed_in_by === 'teacher' ? { upload_key: '' } : {}),
      },
    },
  ).lean()
}

const replaceable: SubmissionDoc['status'][] = ['uploaded', 'failed']

/** A grade rests on its file; one in a run is being read. */
export const canReplaceFile = ({ grade, status }: SubmissionDoc) => !grade && replaceable.includes(status)

export function replaceFileByPart(own: SubmissionDoc, part: StoredPaper, now: Date): Promise<SubmissionDoc | null> {
  return SubmissionModel.findOneAndUpdate(
    {
      ...{ _id: own._id, student_id: own.student_id, grade: null },
      'file.hash': own.file.hash,
      status: { $in: replaceable },
    },
    {
      $set: { file: part, page_count: null, status: 'uploaded', failure: null, run_id: null, updated_at: now },
      $unset: {
        ...{ problems: '', held: '', turned_pages: '' },
        ...(own.handed_in_by === 'student' ? {} : { upload_key: '' }),
      },
    },
  ).lean()
}
