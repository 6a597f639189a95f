import { deleteClassScans, sweepScanDetails } from '../features/class-scans/class-scan.service.ts'
import { removeAllEnrollments } from '../features/courses/enrollment.service.ts'
import { deleteReleases } from '../features/grades/release.service.ts'
import { deleteLlmAnswers } from '../features/llm/delete-llm-answers.ts'
import { unbindCourses } from '../features/lti/contexts/context.service.ts'
import { deleteDraftsOf } from '../features/photo-drafts/photo-draft.service.ts'
import { deleteVersions } from '../features/rubrics/rubric.service.ts'
import { AssignmentModel } from '../records/assignments/assignment.model.ts'
import { RubricVersionModel } from '../records/assignments/rubric-version.model.ts'
import { CourseModel, EnrollmentModel } from '../records/courses/course.model.ts'
import { PendingEnrollmentModel } from '../records/courses/pending-enrollment.model.ts'
import { GradeDetailsModel, ReleaseModel } from '../records/grading/grade.model.ts'
import { QuestionAnswerModel } from '../records/grading/question-answer.model.ts'
import { RegradeModel } from '../records/grading/regrade.model.ts'
import { RunModel, RunPaperModel } from '../records/grading/run.model.ts'
import { LlmAnswerModel } from '../records/llm/llm-call.model.ts'
import { deleteLlmSettings, LlmSettingsModel } from '../records/llm/llm-settings.model.ts'
import { LtiContextModel } from '../records/lti/context.model.ts'
import { AnswersModel } from '../records/submissions/answers.model.ts'
import { ClassScanModel } from '../records/submissions/class-scan.model.ts'
import { PhotoDraftModel } from '../records/submissions/photo-draft.model.ts'
import { SubmissionModel } from '../records/submissions/submission.model.ts'
import { TranscriptionModel } from '../records/submissions/transcription.model.ts'
import type { Services } from '../services.ts'
import { deleteSubmissions } from './deletion/delete-submissions.ts'

/** Submissions are stored a moment before their assignment is. */
const MIN_AGE_MS = 60 * 60 * 1000
const BATCH = 1000

/** Deletes what an interrupted deletion or creation left behind. Returns how many documents. */
export async function sweepOrphans(services: Services): Promise<number> {
  const before = new Date(services.clock.now().getTime() - MIN_AGE_MS)
  return (
    (await sweepCourses()) +
    (await sweepSubmissions(before)) +
    (await sweepSubmissionDependants()) +
    (await sweepLlmAnswers()) +
    (await sweepRuns(before)) +
    (await sweepClassScans(services)) +
    (await sweepPhotoDrafts()) +
    (await sweepRubricVersions())
  )
}

/** Assignments and enrolments whose course is gone. The course was stored first, so age does not matter. */
async function sweepCourses(): Promise<number> {
  let swept = 0
  const find = (ids: number[]) => CourseModel.find({ _id: { $in: ids } }, { _id: 1 }).lean()
  const ofAssignments: (number | null)[] = await AssignmentModel.distinct('course_id')
  const named = ofAssignments.filter((id) => id !== null)
  for (const course_id of await findMissing(named, find)) {
    swept += (await AssignmentModel.deleteMany({ course_id })).deletedCount
  }
  const ofStudents: number[] = [
    ...(await EnrollmentModel.distinct('course_id')),
    ...(await PendingEnrollmentModel.distinct('course_id')),
  ]
  for (const courseId of await findMissing([...new Set(ofStudents)], find)) {
    swept += await removeAllEnrollments(courseId)
  }
  const withModels: number[] = await LlmSettingsModel.distinct('course_id', { course_id: { $ne: null } })
  swept += await deleteLlmSettings(await findMissing(withModels, find))
  const ofLms: number[] = await LtiContextModel.distinct('course_id', { course_id: { $ne: null } })
  swept += await unbindCourses(await findMissing(ofLms, find))
  return swept
}

/** Submissions whose assignment is gone. */
async function sweepSubmissions(before: Date): Promise<number> {
  let swept = 0
  const assignmentIds: number[] = await SubmissionModel.distinct('assignment_id', {
    created_at: { $lt: before },
  })
  const gone = await findMissing(assignmentIds, (ids) => AssignmentModel.find({ _id: { $in: ids } }, { _id: 1 }).lean())
  for (const assignment_id of gone) {
    const orphans = await SubmissionModel.find({ assignment_id }, { _id: 1 }).lean()
    await deleteSubmissions(orphans)
    swept += orphans.length
  }
  return swept
}

/** LLM answers that were stored while their submission or assignment was being deleted. Ids are never used again, so age does not matter. */
async function sweepLlmAnswers(): Promise<number> {
  const find = {
    submission_id: (ids: number[]) => SubmissionModel.find({ _id: { $in: ids } }, { _id: 1 }).lean(),
    assignment_id: (ids: number[]) => AssignmentModel.find({ _id: { $in: ids } }, { _id: 1 }).lean(),
  }
  let swept = 0
  for (const subject of ['submission_id', 'assignment_id'] as const) {
    const ids: number[] = await LlmAnswerModel.distinct(subject, { [subject]: { $ne: null } })
    swept += await deleteLlmAnswers(subject, await findMissing(ids, find[subject]))
  }
  return swept
}

/** Answers, grades, releases and the like of submissions that are gone. Ids are never used again, so age does not matter. */
async function sweepSubmissionDependants(): Promise<number> {
  const [answers, releases, details, regrades] = [
    await sweepBatches(
      (after) =>
        AnswersModel.find({ _id: { $gt: after } }, { _id: 1 })
          .sort({ _id: 1 })
          .limit(BATCH)
          .lean(),
      ({ _id }) => _id,
      (ids) => AnswersModel.deleteMany({ _id: { $in: ids } }),
    ),
    await sweepBatches(
      (after) =>
        ReleaseModel.find({ _id: { $gt: after } }, { _id: 1 })
          .sort({ _id: 1 })
          .limit(BATCH)
          .lean(),
      ({ _id }) => _id,
      async (ids) => ({ deletedCount: await deleteReleases(ids) }),
    ),
    await sweepBatches(
      (after) =>
        GradeDetailsModel.find({ _id: { $gt: after } }, { submission_id: 1 })
          .sort({ _id: 1 })
          .limit(BATCH)
          .lean(),
      ({ submission_id }) => submission_id,
      (ids) => GradeDetailsModel.deleteMany({ submission_id: { $in: ids } }),
    ),
    await sweepBatches(
      (after) =>
        RegradeModel.find({ _id: { $gt: after } }, { submission_id: 1 })
          .sort({ _id: 1 })
          .limit(BATCH)
          .lean(),
      ({ submission_id }) => submission_id,
      (ids) => RegradeModel.deleteMany({ submission_id: { $in: ids } }),
    ),
  ]
  const projected: number[] = await QuestionAnswerModel.distinct('submission_id')
  const deleted = await findMissing(projected, (ids) => SubmissionModel.find({ _id: { $in: ids } }, { _id: 1 }).lean())
  const questionAnswers = await QuestionAnswerModel.deleteMany({ submission_id: { $in: deleted } })
  const corrected: number[] = await TranscriptionModel.distinct('submission_id')
  const gone = await findMissing(corrected, (ids) => SubmissionModel.find({ _id: { $in: ids } }, { _id: 1 }).lean())
  const transcriptions = await TranscriptionModel.deleteMany({ submission_id: { $in: gone } })
  return answers + releases + details + regrades + questionAnswers.deletedCount + transcriptions.deletedCount
}

async function sweepBatches<T extends { _id: number }>(
  find: (after: number) => Promise<T[]>,
  submissionOf: (doc: T) => number,
  remove: (submissionIds: number[]) => Promise<{ deletedCount: number }>,
): Promise<number> {
  let [swept, after] = [0, 0]
  for (;;) {
    const batch = await find(after)
    const last = batch.at(-1)
    if (!last) return swept
    after = last._id
    const gone = await findMissing([...new Set(batch.map(submissionOf))], (ids) =>
      SubmissionModel.find({ _id: { $in: ids } }, { _id: 1 }).lean(),
    )
    if (gone.length > 0) swept += (await remove(gone)).deletedCount
  }
}

/** Runs whose assignment is gone, and the papers of runs that are gone. */
async function sweepRuns(before: Date): Promise<number> {
  const assignmentIds: number[] = await RunModel.distinct('assignment_id', { started_at: { $lt: before } })
  const assignments = await findMissing(assignmentIds, (ids) =>
    AssignmentModel.find({ _id: { $in: ids } }, { _id: 1 }).lean(),
  )
  const runs = await RunModel.deleteMany({ assignment_id: { $in: assignments } })
  const runIds: number[] = await RunPaperModel.distinct('run_id')
  const gone = await findMissing(runIds, (ids) => RunModel.find({ _id: { $in: ids } }, { _id: 1 }).lean())
  const papers = await RunPaperModel.deleteMany({ run_id: { $in: gone } })
  return runs.deletedCount + papers.deletedCount
}

/** Class scans whose assignment is gone, and pages of scans that are. Both were stored first, so age does not matter. */
async function sweepClassScans(services: Services): Promise<number> {
  const ids: number[] = await ClassScanModel.distinct('assignment_id')
  const gone = await findMissing(ids, (some) => AssignmentModel.find({ _id: { $in: some } }, { _id: 1 }).lean())
  const scans = await ClassScanModel.find({ assignment_id: { $in: gone } }, { _id: 1 }).lean()
  await deleteClassScans(
    scans.map(({ _id }) => _id),
    services,
  )
  return scans.length + (await sweepScanDetails())
}

/** Photo drafts whose assignment is gone. */
async function sweepPhotoDrafts(): Promise<number> {
  const ids: number[] = await PhotoDraftModel.distinct('assignment_id')
  const gone = await findMissing(ids, (some) => AssignmentModel.find({ _id: { $in: some } }, { _id: 1 }).lean())
  for (const id of gone) await deleteDraftsOf(id)
  return gone.length
}

/** Rubric versions of assignments that are gone. */
async function sweepRubricVersions(): Promise<number> {
  const ids: number[] = await RubricVersionModel.distinct('assignment_id')
  return deleteVersions(
    await findMissing(ids, (some) => AssignmentModel.find({ _id: { $in: some } }, { _id: 1 }).lean()),
  )
}

async function findMissing(ids: number[], find: (ids: number[]) => Promise<{ _id: number }[]>): Promise<number[]> {
  const existing = new Set((await find(ids)).map(({ _id }) => _id))
  return ids.filter((id) => !existing.has(id))
}
