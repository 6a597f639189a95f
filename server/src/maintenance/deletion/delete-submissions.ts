import type { ShownName } from '@assay/shared/shown-names.ts'
import { type AssignmentNames, submissionLabel } from '../../features/anonymous-grading/present-student.ts'
import { deleteGrades } from '../../features/grades/grade.service.ts'
import { deleteLlmAnswers } from '../../features/llm/delete-llm-answers.ts'
import { deletePenMarks } from '../../features/pen-marks/pen-mark.service.ts'
import { deleteQuestionAnswers } from '../../features/questions/answer-projection.ts'
import { deleteSubmissionRows } from '../../features/submissions/submission.service.ts'
import { deleteTranscriptions } from '../../features/transcriptions/transcription.service.ts'
import type { Log } from '../../lib/log.ts'
import { RegradeModel } from '../../records/grading/regrade.model.ts'
import { AnswersModel } from '../../records/submissions/answers.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'

interface DeletionResult {
  deleted: number[]
  failed: { id: number; title: ShownName }[]
  /** Ids of no submission of this assignment. */
  missing: number[]
}

const DELETE_BATCH = 500

/** A failed one does not stop the others. */
export async function deleteSubmissionsInBatches(
  assignment: AssignmentNames,
  ids: number[],
  log: Log,
): Promise<DeletionResult> {
  const result: DeletionResult = { deleted: [], failed: [], missing: [] }
  for (let from = 0; from < ids.length; from += DELETE_BATCH) {
    const batch = ids.slice(from, from + DELETE_BATCH)
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

/** Rows go first: the next sweep deletes what belonged to them, also after a crash, and files no longer needed. */
export async function deleteSubmissions(submissions: Pick<SubmissionDoc, '_id'>[]): Promise<void> {
  const ids = submissions.map((submission) => submission._id)
  await deleteSubmissionRows(submissions)
  await deleteGrades(ids)
  await AnswersModel.deleteMany({ _id: { $in: ids } })
  await RegradeModel.deleteMany({ submission_id: { $in: ids } })
  await deleteLlmAnswers('submission_id', ids)
  await deleteTranscriptions(ids)
  await deletePenMarks(ids)
  await deleteQuestionAnswers(ids)
}
