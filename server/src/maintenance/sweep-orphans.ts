import type mongoose from 'mongoose'
import { removeAllEnrollments } from '../features/courses/enrollment.service.ts'
import { deleteReleases } from '../features/grades/release.service.ts'
import { deleteClassScans, sweepScanDetails } from '../features/intake/class-scans/class-scan.service.ts'
import { deleteLlmAnswers } from '../features/llm/delete-llm-answers.ts'
import { unbindCourses } from '../features/lti/contexts/resource-link.service.ts'
import { deleteVersions } from '../features/rubrics/rubric.service.ts'
import { batchesOf } from '../lib/batches.ts'
import { AssignmentModel } from '../records/assignments/assignment.model.ts'
import { RubricVersionModel } from '../records/assignments/rubric-version.model.ts'
import { CourseModel, EnrollmentModel } from '../records/courses/course.model.ts'
import { PendingEnrollmentModel } from '../records/courses/pending-enrollment.model.ts'
import { GradeDetailsModel, ReleaseModel } from '../records/grading/grade.model.ts'
import { QuestionAnswerModel } from '../records/grading/question-answer.model.ts'
import { RegradeModel } from '../records/grading/regrade.model.ts'
import { RunModel, RunPaperModel } from '../records/grading/run.model.ts'
import { LlmAnswerModel } from '../records/llm/llm-call.model.ts'
import { LlmSettingsModel } from '../records/llm/llm-settings.model.ts'
import { LtiContextModel } from '../records/lti/context.model.ts'
import { ClassScanModel } from '../records/submissions/class-scan.model.ts'
import { PenMarkModel } from '../records/submissions/pen-mark.model.ts'
import { draftHas, PhotoDraftModel } from '../records/submissions/photo-draft.model.ts'
import { ReadingModel } from '../records/submissions/reading.model.ts'
import { SubmissionModel } from '../records/submissions/submission.model.ts'
import {
  AnswerReadingModel,
  AnswersModel,
  PageTranscriptModel,
  TranscriptionModel,
} from '../records/submissions/transcription.model.ts'
import type { Services } from '../services.ts'
import { deleteSubmissions } from './deletion/delete-course.ts'

/** Submissions and runs are stored a moment before their assignment, files before what refers to them. */
const MIN_AGE_MS = 60 * 60 * 1000
const BATCH = 1000

interface Orphans {
  of: { collection: mongoose.Collection }
  by: string
  owner: { collection: mongoose.Collection }
  filter?: mongoose.mongo.Document
  remove?: (owners: number[]) => Promise<number>
}

/** In order, as deletions make orphans of what comes after. */
function orphans(services: Services): Orphans[] {
  const before = new Date(services.clock.now().getTime() - MIN_AGE_MS)
  const [course, assignment, submission] = [
    { by: 'course_id', owner: CourseModel },
    { by: 'assignment_id', owner: AssignmentModel },
    { by: 'submission_id', owner: SubmissionModel },
  ]
  return [
    { of: AssignmentModel, ...course },
    { of: EnrollmentModel, ...course, remove: removeEnrollments },
    { of: PendingEnrollmentModel, ...course },
    { of: LlmSettingsModel, ...course },
    { of: LtiContextModel, ...course, remove: unbindCourses },
    { of: SubmissionModel, ...assignment, filter: { created_at: { $lt: before } }, remove: removeSubmissions },
    { of: AnswersModel, ...submission, by: '_id' },
    { of: ReleaseModel, ...submission, by: '_id', remove: deleteReleases },
    { of: GradeDetailsModel, ...submission },
    { of: RegradeModel, ...submission },
    { of: QuestionAnswerModel, ...submission },
    { of: TranscriptionModel, ...submission },
    { of: PenMarkModel, ...submission },
    { of: LlmAnswerModel, ...submission, remove: (ids) => deleteLlmAnswers('submission_id', ids) },
    { of: LlmAnswerModel, ...assignment, remove: (ids) => deleteLlmAnswers('assignment_id', ids) },
    { of: RunModel, ...assignment, filter: { started_at: { $lt: before } } },
    { of: RunPaperModel, by: 'run_id', owner: RunModel },
    { of: ClassScanModel, ...assignment, remove: (ids) => removeClassScans(ids, services) },
    { of: PhotoDraftModel, ...assignment },
    { of: RubricVersionModel, ...assignment, remove: deleteVersions },
  ]
}

export async function sweepOrphans(services: Services): Promise<number> {
  let swept = 0
  for (const { of, by, owner, filter = {}, remove } of orphans(services)) {
    const owners: number[] = await of.collection.distinct(by, { [by]: { $ne: null }, ...filter })
    for (const some of batchesOf(owners, BATCH)) {
      const these: mongoose.mongo.Document = { _id: { $in: some } }
      const existing = new Set<unknown>(await owner.collection.distinct('_id', these))
      const gone = some.filter((id) => !existing.has(id))
      if (gone.length === 0) continue
      swept += remove ? await remove(gone) : (await of.collection.deleteMany({ [by]: { $in: gone } })).deletedCount
    }
  }
  return swept + (await sweepScanDetails())
}

async function removeEnrollments(courseIds: number[]): Promise<number> {
  let removed = 0
  for (const courseId of courseIds) removed += await removeAllEnrollments(courseId)
  return removed
}

async function removeSubmissions(assignmentIds: number[]): Promise<number> {
  let removed = 0
  for (const assignment_id of assignmentIds) {
    const submissions = await SubmissionModel.find({ assignment_id }, { _id: 1 }).lean()
    await deleteSubmissions(submissions)
    removed += submissions.length
  }
  return removed
}

async function removeClassScans(assignmentIds: number[], services: Services): Promise<number> {
  const ids = await ClassScanModel.distinct('_id', { assignment_id: { $in: assignmentIds } })
  await deleteClassScans(ids, services)
  return ids.length
}

const PAPER_FILES = ['file', 'attempts.file'].flatMap((file) =>
  ['hash', 'photos.hash', 'photos.view.hash'].map((hash) => `${file}.${hash}`),
)

async function isReferenced(hash: string): Promise<boolean> {
  // First, as a draft's content is in a paper before the draft is deleted.
  if (await PhotoDraftModel.exists(draftHas(hash))) return true
  const found = await Promise.all([
    SubmissionModel.exists({ $or: PAPER_FILES.map((path) => ({ [path]: hash })) }),
    AssignmentModel.exists({ $or: [{ 'blank.hash': hash }, { 'key.hash': hash }] }),
    // A confirmed scan's papers are submissions.
    ClassScanModel.exists({
      $or: [{ 'files.hash': hash }, { 'proposal.papers.file.hash': hash }],
      state: { $ne: 'confirmed' },
    }),
  ])
  return found.some((document) => document !== null)
}

/** `too-new`: an upload may be about to refer to it, so only what was read from it goes. */
export async function removeUnreferencedFile(
  hash: string,
  { files, clock }: Pick<Services, 'files' | 'clock'>,
): Promise<'removed' | 'referenced' | 'too-new'> {
  if (await isReferenced(hash)) return 'referenced'
  await ReadingModel.deleteOne({ _id: hash })
  await PageTranscriptModel.deleteMany({ file_hash: hash })
  await AnswerReadingModel.deleteMany({ file_hash: hash })
  const moment = new Date(clock.now().getTime() - MIN_AGE_MS)
  return (await files.removeIfOlderThan(hash, moment)) ? 'removed' : 'too-new'
}

/** With what was read from them, until `signal` aborts. @returns how many */
export async function sweepFiles(services: Services, signal?: AbortSignal): Promise<number> {
  const { files, clock } = services
  let swept = 0
  const moment = new Date(clock.now().getTime() - MIN_AGE_MS)
  await files.removePartialFiles(moment)
  for await (const hash of files.listOlderThan(moment)) {
    if (signal?.aborted) break
    if ((await removeUnreferencedFile(hash, services)) === 'removed') swept++
  }
  return swept
}
