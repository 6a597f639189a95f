import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { type RunHead, RunPaperModel } from '../../../records/grading/run.model.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { extractionVersion } from '../../rubrics/rubric.service.ts'
import { findSubmissionFile } from '../../submissions/submission-grading.ts'
import {
  deleteStaleAnswers,
  fileOfStaleAnswers,
  hasStaleAnswers,
  submissionsWithStaleAnswers,
} from '../../transcriptions/answers.service.ts'

// A run over a few papers compares with everyone, so answers to other questions are extracted again for it.

/** Besides those that the run reads anyway. */
export async function findStaleSubmissions(assignment: AssignmentDoc, planned: number[]): Promise<number[]> {
  const found = await submissionsWithStaleAnswers(assignment._id, extractionVersion(assignment))
  const own = new Set(planned)
  return found.filter((id) => !own.has(id))
}

/** Asked once none of the run's own papers is waiting: theirs are extracted, or could not be. */
export async function hasSubmissionsToReextract(run: RunHead): Promise<boolean> {
  const assignment = await findAssignment(run.assignment_id)
  if (!assignment) return false
  const given = await RunPaperModel.find(
    { run_id: run._id, state: { $in: ['failed', 'stopped'] } },
    { submission_id: 1 },
  ).lean()
  const except = given.map(({ submission_id }) => submission_id)
  return hasStaleAnswers(assignment._id, extractionVersion(assignment), except)
}

/** Null when it is done or gone. Where the file is another by now, the old answers are deleted. */
export async function findSubmissionToReextract(assignment: AssignmentDoc, submissionId: number) {
  const hash = await fileOfStaleAnswers(submissionId, assignment._id, extractionVersion(assignment))
  if (hash === null) return null
  const submission = await findSubmissionFile(submissionId)
  if (submission?.file.hash === hash) return submission
  await excludeFromClass(submissionId, assignment)
  return null
}

export function excludeFromClass(submissionId: number, assignment: AssignmentDoc): Promise<void> {
  return deleteStaleAnswers(submissionId, assignment._id, extractionVersion(assignment))
}
