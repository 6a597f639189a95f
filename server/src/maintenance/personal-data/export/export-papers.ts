import type { ExportedData } from '@assay/shared/exported-data.ts'
import { createUniqueNames } from '../../../features/graded-papers/paper-file-name.ts'
import { AssignmentModel, type StoredPaper, type StoredPhoto } from '../../../records/assignments/assignment.model.ts'
import { EnrollmentModel } from '../../../records/courses/course.model.ts'
import { type ReleaseDoc, ReleaseModel } from '../../../records/grading/grade.model.ts'
import { RegradeModel } from '../../../records/grading/regrade.model.ts'
import { type PhotoDraftDoc, PhotoDraftModel } from '../../../records/submissions/photo-draft.model.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { papersOf } from '../erasure/papers-of-person.ts'
import {
  assignmentsById,
  courseNames,
  type ExportedAssignment,
  type ExportScope,
  mayShow,
  named,
} from './export-scope.ts'
import { exportUnreleased } from './export-unreleased.ts'

type Paper = ExportedData['papers'][number]

/** A file of the ZIP: a stored one, or the paper with its released grade drawn on it. */
export type PaperFile = { path: string } & ({ hash: string } | { submission: SubmissionDoc; release: ReleaseDoc })

export interface ExportedPapers {
  papers: Paper[]
  photo_drafts: ExportedData['photo_drafts']
  files: PaperFile[]
  /** Of all their papers, also those left out. */
  submissionIds: number[]
  leftOut: ExportedAssignment[]
}

interface OnePaper {
  submission: SubmissionDoc
  assignment: ExportedAssignment
  release: ReleaseDoc | undefined
}

export async function exportPapers(export_: ExportScope, services: Services): Promise<ExportedPapers> {
  const { ids } = export_
  const submissions = await papersOf(ids)
  const [assignments, releases] = await Promise.all([
    assignmentsById(submissions.map(({ assignment_id }) => assignment_id)),
    ReleaseModel.find({ student_id: { $in: ids } }).lean(),
  ])
  const courses = await courseNames(submissions.map(({ course_id }) => course_id))
  const releaseOf = new Map(releases.map((release) => [release._id, release]))
  const uniqueName = createUniqueNames()
  const result: ExportedPapers = {
    papers: [],
    photo_drafts: [],
    files: [],
    submissionIds: submissions.map(({ _id }) => _id),
    leftOut: [],
  }
  for (const submission of submissions) {
    const assignment = assignments.get(submission.assignment_id)
    if (!assignment || !mayShow(export_, assignment)) continue
    const isReleased = assignment.status === 'published'
    const one: OnePaper = { submission, assignment, release: isReleased ? releaseOf.get(submission._id) : undefined }
    const addFile = (folder: string, title: string, source: object, ending?: string) => {
      const path = `${folder}/${uniqueName(`${title} ${submission._id}`, ending)}`
      result.files.push({ path, ...source } as PaperFile)
      return path
    }
    const stored: StoreFile = async ({ hash, photos }) => ({
      path: (await services.files.size(hash)) === null ? null : addFile('papers', assignment.title, { hash }),
      ...(photos && {
        photos: photos.map((photo) => addFile('photos', assignment.title, { hash: photo.hash }, photo.type)),
      }),
    })
    result.papers.push({
      submission_id: submission._id,
      assignment: named(assignment),
      course: courses.get(submission.course_id ?? -1) ?? null,
      paper: await exportFile(submission, stored),
      earlier_papers: await exportAttempts(submission, ids, stored),
      released_grade:
        one.release === undefined ? null : exportRelease(one.release, addFile('graded', assignment.title, one)),
      regrade_requests: await exportRegrades(submission._id, ids),
      ...(export_.scope === 'school' ? { unreleased: await exportUnreleased(submission) } : {}),
    })
  }
  await exportPhotoDrafts(export_, result, (title, { hash, type }) => {
    const path = `photos/${uniqueName(`${title}, not handed in`, type)}`
    result.files.push({ path, hash })
    return path
  })
  return { ...result, leftOut: await assignmentsLeftOut(export_) }
}

/** A student's own. A teacher's are of students' papers. */
async function exportPhotoDrafts(
  export_: ExportScope,
  { photo_drafts }: ExportedPapers,
  addPhoto: (title: string, photo: StoredPhoto) => string,
): Promise<void> {
  if (export_.user.role !== 'student') return
  const drafts = await PhotoDraftModel.find({ user_id: { $in: export_.ids } }).lean<PhotoDraftDoc[]>()
  const assignments = await assignmentsById(drafts.map(({ assignment_id }) => assignment_id))
  for (const { assignment_id, expires_at, pages } of drafts) {
    const assignment = assignments.get(assignment_id)
    if (!assignment || !mayShow(export_, assignment) || pages.length === 0) continue
    const photos = pages.map(({ photo }) => addPhoto(assignment.title, photo))
    photo_drafts.push({ assignment: named(assignment), expires_at: expires_at.toISOString(), photos })
  }
}

/** Assignments with hidden names in which a paper of theirs may be: whether there is one is not said. */
async function assignmentsLeftOut({ scope, ids }: ExportScope): Promise<ExportedAssignment[]> {
  if (scope === 'own') return []
  const courses: number[] = await EnrollmentModel.distinct('course_id', { user_id: { $in: ids } })
  return AssignmentModel.find(
    { course_id: { $in: courses }, 'anonymous.names_hidden': true },
    { title: 1, course_id: 1, status: 1, anonymous: 1 },
  )
    .sort({ _id: 1 })
    .lean()
}

type StoreFile = (file: StoredPaper) => Promise<Pick<Paper['paper'], 'path' | 'photos'>>

async function exportFile(submission: SubmissionDoc, stored: StoreFile): Promise<Paper['paper']> {
  const { file, created_at, handed_in_by = 'teacher', late = false } = submission
  return {
    name: handed_in_by === 'student' ? file.name : null,
    bytes: file.size,
    handed_in_at: created_at.toISOString(),
    handed_in_by,
    late,
    ...(await stored(file)),
  }
}

/** Theirs: a teacher may have given the submission to them from somebody else. */
async function exportAttempts(
  { attempts = [] }: SubmissionDoc,
  ids: number[],
  stored: StoreFile,
): Promise<Paper['earlier_papers']> {
  const exported: Paper['earlier_papers'] = []
  for (const { file, student_id, handed_in_at, handed_in_by, late } of attempts) {
    if (student_id != null && !ids.includes(student_id)) continue
    exported.push({
      name: handed_in_by === 'student' ? file.name : null,
      bytes: file.size,
      handed_in_at: handed_in_at.toISOString(),
      handed_in_by,
      late,
      ...(await stored(file)),
    })
  }
  return exported
}

function exportRelease(release: ReleaseDoc, path: string): Paper['released_grade'] {
  return {
    score: release.final_score,
    released_at: release.released_at.toISOString(),
    feedback: release.feedback,
    feedback_by: release.feedback_by,
    criteria: release.criteria.map(
      ({ criterion_text, score, max_score, llm_feedback, item_feedback, teacher_feedback }) => ({
        criterion: criterion_text,
        points: score,
        of: max_score,
        feedback: [...(item_feedback ?? []), teacher_feedback, llm_feedback].filter(
          (text): text is string => text != null && text !== '',
        ),
      }),
    ),
    path,
  }
}

async function exportRegrades(submission_id: number, ids: number[]): Promise<Paper['regrade_requests']> {
  const requests = await RegradeModel.find({ submission_id, student_id: { $in: ids } })
    .sort({ _id: 1 })
    .lean()
  return requests.map(({ asked_at, reason, state, answer, answered_at }) => ({
    asked_at: asked_at.toISOString(),
    reason,
    state,
    answer,
    answered_at: answered_at?.toISOString() ?? null,
  }))
}
