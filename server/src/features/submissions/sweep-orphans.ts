import type { Services } from '../../services.ts'
import { AssignmentModel } from '../assignments/assignment.model.ts'
import { CourseModel, EnrollmentModel, PendingEnrollmentModel } from '../courses/course.model.ts'
import { removeAllEnrollments } from '../courses/enrollment.service.ts'
import { GradeDetailsModel, ReleaseModel } from '../grades/grade.model.ts'
import { deleteReleases } from '../grades/release.service.ts'
import { LtiContextModel } from '../lti/launches/context.model.ts'
import { untieCourses } from '../lti/launches/context.service.ts'
import { sweepAnswers } from '../model/forget-answers.ts'
import { forgetModelSettings, ModelSettingsModel } from '../model/model-settings.model.ts'
import { RegradeModel } from '../regrades/regrade.model.ts'
import { deleteVersions } from '../rubrics/rubric.service.ts'
import { RubricVersionModel } from '../rubrics/rubric-version.model.ts'
import { RunModel, RunPaperModel } from '../runs/run.model.ts'
import { TranscriptionModel } from '../transcriptions/transcription.model.ts'
import { AnswersModel } from './answers.model.ts'
import { SubmissionModel } from './submission.model.ts'
import { deleteSubmissions } from './submission.service.ts'

/** Submissions are stored a moment before their assignment is. */
const MIN_AGE_MS = 60 * 60 * 1000
const BATCH = 1000

/** Takes what a deletion or a creation that was cut short left behind. Returns how many documents. */
export async function sweepOrphans({ clock }: Services): Promise<number> {
  const before = new Date(clock.now().getTime() - MIN_AGE_MS)
  return (
    (await sweepCourses()) +
    (await sweepSubmissions(before)) +
    (await sweepWhatHangs()) +
    (await sweepAnswers()) +
    (await sweepRuns(before)) +
    (await sweepVersions())
  )
}

/** Assignments and enrolments whose course is gone. They came after it, so age does not matter. */
async function sweepCourses(): Promise<number> {
  let swept = 0
  const find = (ids: number[]) => CourseModel.find({ _id: { $in: ids } }, { _id: 1 }).lean()
  const ofAssignments: (number | null)[] = await AssignmentModel.distinct('course_id')
  const named = ofAssignments.filter((id) => id !== null)
  for (const course_id of await missingFrom(named, find)) {
    swept += (await AssignmentModel.deleteMany({ course_id })).deletedCount
  }
  const ofStudents: number[] = [
    ...(await EnrollmentModel.distinct('course_id')),
    ...(await PendingEnrollmentModel.distinct('course_id')),
  ]
  for (const courseId of await missingFrom([...new Set(ofStudents)], find)) {
    swept += await removeAllEnrollments(courseId)
  }
  const withModels: number[] = await ModelSettingsModel.distinct('course_id', { course_id: { $ne: null } })
  swept += await forgetModelSettings(await missingFrom(withModels, find))
  const ofLms: number[] = await LtiContextModel.distinct('course_id', { course_id: { $ne: null } })
  swept += await untieCourses(await missingFrom(ofLms, find))
  return swept
}

/** Submissions whose assignment is gone. */
async function sweepSubmissions(before: Date): Promise<number> {
  let swept = 0
  const assignmentIds: number[] = await SubmissionModel.distinct('assignment_id', {
    created_at: { $lt: before },
  })
  const gone = await missingFrom(assignmentIds, (ids) =>
    AssignmentModel.find({ _id: { $in: ids } }, { _id: 1 }).lean(),
  )
  for (const assignment_id of gone) {
    const orphans = await SubmissionModel.find({ assignment_id }, { _id: 1 }).lean()
    await deleteSubmissions(orphans)
    swept += orphans.length
  }
  return swept
}

/** Answers, grades, releases and the like of submissions that are gone. Ids are never used again, so age does not matter. */
async function sweepWhatHangs(): Promise<number> {
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
  const corrected: number[] = await TranscriptionModel.distinct('submission_id')
  const gone = await missingFrom(corrected, (ids) =>
    SubmissionModel.find({ _id: { $in: ids } }, { _id: 1 }).lean(),
  )
  const transcriptions = await TranscriptionModel.deleteMany({ submission_id: { $in: gone } })
  return answers + releases + details + regrades + transcriptions.deletedCount
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
    const gone = await missingFrom([...new Set(batch.map(submissionOf))], (ids) =>
      SubmissionModel.find({ _id: { $in: ids } }, { _id: 1 }).lean(),
    )
    if (gone.length > 0) swept += (await remove(gone)).deletedCount
  }
}

/** Runs whose assignment is gone, and the papers of runs that are gone. */
async function sweepRuns(before: Date): Promise<number> {
  const assignmentIds: number[] = await RunModel.distinct('assignment_id', { started_at: { $lt: before } })
  const assignments = await missingFrom(assignmentIds, (ids) =>
    AssignmentModel.find({ _id: { $in: ids } }, { _id: 1 }).lean(),
  )
  const runs = await RunModel.deleteMany({ assignment_id: { $in: assignments } })
  const runIds: number[] = await RunPaperModel.distinct('run_id')
  const gone = await missingFrom(runIds, (ids) => RunModel.find({ _id: { $in: ids } }, { _id: 1 }).lean())
  const papers = await RunPaperModel.deleteMany({ run_id: { $in: gone } })
  return runs.deletedCount + papers.deletedCount
}

/** Rubrics as they once stood, of assignments that are gone. */
async function sweepVersions(): Promise<number> {
  const ids: number[] = await RubricVersionModel.distinct('assignment_id')
  return deleteVersions(
    await missingFrom(ids, (some) => AssignmentModel.find({ _id: { $in: some } }, { _id: 1 }).lean()),
  )
}

async function missingFrom(
  ids: number[],
  find: (ids: number[]) => Promise<{ _id: number }[]>,
): Promise<number[]> {
  const kept = new Set((await find(ids)).map(({ _id }) => _id))
  return ids.filter((id) => !kept.has(id))
}
