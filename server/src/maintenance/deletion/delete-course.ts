import type { ShownName } from '@assay/shared/users.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { type AssignmentNames, submissionLabel } from '../../features/anonymity/hidden-names.ts'
import { courseFields } from '../../features/courses/course.service.ts'
import { removeAllEnrollments } from '../../features/courses/enrollment.service.ts'
import { deleteReleases } from '../../features/grades/release.service.ts'
import { deleteClassScansOf } from '../../features/intake/class-scans/class-scan.service.ts'
import { deleteLlmAnswers } from '../../features/llm/delete-llm-answers.ts'
import { unbindCourses } from '../../features/lti/contexts/resource-link.service.ts'
import { deleteVersions } from '../../features/rubrics/rubric.service.ts'
import { stopGeneration } from '../../features/rubrics/rubric-generation-jobs.ts'
import { deleteRunsOf } from '../../features/runs/run.service.ts'
import { deleteSubmissionRows } from '../../features/submissions/submission.service.ts'
import { deleteTranscriptions } from '../../features/transcriptions/transcription.service.ts'
import { batchesOf } from '../../lib/batches.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { Log } from '../../lib/log.ts'
import { type AssignmentDoc, AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'
import { GradeDetailsModel } from '../../records/grading/grade.model.ts'
import { QuestionAnswerModel } from '../../records/grading/question-answer.model.ts'
import { RegradeModel } from '../../records/grading/regrade.model.ts'
import { RubricItemModel } from '../../records/grading/rubric-item.model.ts'
import { LlmSettingsModel } from '../../records/llm/llm-settings.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import { PenMarkModel } from '../../records/submissions/pen-mark.model.ts'
import { PhotoDraftModel } from '../../records/submissions/photo-draft.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'
import { AnswersModel } from '../../records/submissions/transcription.model.ts'
import type { Services } from '../../services.ts'
import { deleteWorkRecords } from './delete-work-records.ts'

/** The course goes first: nobody can open or add anything then, and the sweep finds what a crash leaves. */
export async function deleteCourse(course: CourseDoc, actor: Actor, services: Services): Promise<void> {
  await CourseModel.deleteOne({ _id: course._id })
  const subject = { course_id: course._id }
  await recordAudit(actor, 'course.deleted', subject, services.clock.now(), { before: courseFields(course) })
  for (const assignment of await AssignmentModel.find({ course_id: course._id }).lean())
    await deleteAssignment(assignment, actor, services)
  await removeAllEnrollments(course._id)
  await LlmSettingsModel.deleteMany({ course_id: course._id })
  await unbindCourses([course._id])
}

/** The assignment goes first, so that nobody works on it. After a crash the sweep deletes the rest. */
export async function deleteAssignment(assignment: AssignmentDoc, actor: Actor, services: Services): Promise<void> {
  await AssignmentModel.deleteOne({ _id: assignment._id })
  await deleteRunsOf(assignment, services)
  await stopGeneration(assignment._id, services)
  await deleteSubmissions(await SubmissionModel.find({ assignment_id: assignment._id }, { _id: 1 }).lean())
  await deleteLlmAnswers('assignment_id', [assignment._id])
  await deleteWorkRecords(assignment._id)
  await deleteVersions([assignment._id])
  await RubricItemModel.deleteMany({ assignment_id: assignment._id })
  await deleteClassScansOf(assignment._id, services)
  await PhotoDraftModel.deleteMany({ assignment_id: assignment._id })
  await markScoresChanged(assignment._id)
  await recordAudit(actor, 'assignment.deleted', { assignment_id: assignment._id }, services.clock.now(), {
    before: { title: assignment.title, status: assignment.status },
  })
}

const DELETE_BATCH = 500

/** A failed one does not stop the others. */
export async function deleteSubmissionsInBatches(assignment: AssignmentNames, ids: number[], log: Log) {
  const result = { deleted: [] as number[], failed: [] as { id: number; title: ShownName }[], missing: [] as number[] }
  for (const batch of batchesOf(ids, DELETE_BATCH)) {
    const mine = { assignment_id: assignment._id, _id: { $in: batch } }
    const found = await SubmissionModel.find(mine, { student_identifier: 1, paper_number: 1, file: 1 }).lean()
    const there = new Set(found.map(({ _id }) => _id))
    result.missing.push(...batch.filter((id) => !there.has(id)))
    try {
      await deleteSubmissions(found)
      result.deleted.push(...there)
    } catch (error) {
      log.error({ err: error, assignment_id: assignment._id }, 'submissions could not be deleted')
      const left = new Set((await SubmissionModel.find(mine, { _id: 1 }).lean()).map(({ _id }) => _id))
      result.deleted.push(...[...there].filter((id) => !left.has(id)))
      result.failed.push(
        ...found
          .filter(({ _id }) => left.has(_id))
          .map((one) => ({ id: one._id, title: submissionLabel(assignment, one) })),
      )
    }
  }
  return result
}

/** The sweep deletes what belonged to the rows, also after a crash, and unused files. */
export async function deleteSubmissions(submissions: Pick<SubmissionDoc, '_id'>[]): Promise<void> {
  const ids = submissions.map((submission) => submission._id)
  await deleteSubmissionRows(submissions)
  await deleteReleases(ids)
  await GradeDetailsModel.deleteMany({ submission_id: { $in: ids } })
  await AnswersModel.deleteMany({ _id: { $in: ids } })
  await RegradeModel.deleteMany({ submission_id: { $in: ids } })
  await deleteLlmAnswers('submission_id', ids)
  await deleteTranscriptions(ids)
  await PenMarkModel.deleteMany({ submission_id: { $in: ids } })
  await QuestionAnswerModel.deleteMany({ submission_id: { $in: ids } })
}
