import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { type RunHead, RunPaperModel } from '../../../records/grading/run.model.ts'
import { AnswersModel } from '../../../records/submissions/answers.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { extractionVersion } from '../../rubrics/rubric.service.ts'

/**
 * Papers whose answers were laid by a rubric with other questions. They are no part of the class until they are laid anew,
 * and a run over a few papers compares with everyone.
 */
const staleAnswers = (assignment: AssignmentDoc) => ({
  assignment_id: assignment._id,
  rubric_version: { $ne: extractionVersion(assignment) },
})

/** Those of them a run is to lay again beside the papers it reads anyway. */
export async function findStaleSubmissions(assignment: AssignmentDoc, planned: number[]): Promise<number[]> {
  const found = await AnswersModel.find(staleAnswers(assignment), { _id: 1 }).sort({ _id: 1 }).lean()
  const own = new Set(planned)
  return found.map(({ _id }) => _id).filter((id) => !own.has(id))
}

/** Whether any of them is left. To be asked once none of the run's own papers is: those are laid, or could not be. */
export async function hasStaleAnswers(run: RunHead): Promise<boolean> {
  const assignment = await findAssignment(run.assignment_id)
  if (!assignment) return false
  const given = await RunPaperModel.find(
    { run_id: run._id, state: { $in: ['failed', 'stopped'] } },
    { submission_id: 1 },
  ).lean()
  const left = { ...staleAnswers(assignment), _id: { $nin: given.map(({ submission_id }) => submission_id) } }
  return (await AnswersModel.exists(left)) !== null
}

/** The paper to lay again; null when it is done, gone or another file by now, whose old answers go. */
export async function findSubmissionToReextract(assignment: AssignmentDoc, submissionId: number) {
  const answers = await AnswersModel.findOne(
    { _id: submissionId, ...staleAnswers(assignment) },
    { file_hash: 1 },
  ).lean()
  if (!answers) return null
  const submission = await SubmissionModel.findById(submissionId, {
    file: 1,
    student_id: 1,
    student_identifier: 1,
  }).lean()
  if (submission?.file.hash === answers.file_hash) return submission
  await deleteStaleAnswers(submissionId, assignment)
  return null
}

/** Whose paper cannot be laid any more is no part of the class. */
export async function deleteStaleAnswers(submissionId: number, assignment: AssignmentDoc): Promise<void> {
  await AnswersModel.deleteOne({ _id: submissionId, ...staleAnswers(assignment) })
}
