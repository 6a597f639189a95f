import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { Services } from '../../services.ts'
import { type AssignmentDoc, AssignmentModel } from '../assignments/assignment.model.ts'
import { readStoredPaper } from '../submissions/reading.service.ts'

/** Nothing can be graded by these papers; the message tells the teacher why and what to do. */
export class NoRubric extends Error {
  override name = 'NoRubric'
}

async function readOwn(what: string, hash: string, services: Services, signal: AbortSignal): Promise<Paper> {
  try {
    return await readStoredPaper(hash, services, signal)
  } catch (cause) {
    if (cause instanceof PaperError && cause.code !== 'cancelled') {
      throw new NoRubric(`The ${what} could not be read. ${cause.message}`, { cause })
    }
    throw cause
  }
}

/** For papers that have been read: the rubric they were laid against. */
export function requireRubric(assignment: AssignmentDoc): { rubric: Rubric; version: number } {
  if (!assignment.rubric) throw new Error(`assignment ${assignment._id} has no rubric yet`)
  return { rubric: assignment.rubric, version: assignment.rubric_version }
}

export interface AssignmentPapers {
  blank: Paper
  rubric: Rubric
  version: number
}

/**
 * What the assignment is graded by: as it stands, else made from the blank and the key and kept.
 * @throws {NoRubric} when the blank or the key cannot be read or holds no questions
 */
export async function rubricOf(
  assignment: AssignmentDoc,
  services: Services,
  signal: AbortSignal,
): Promise<AssignmentPapers> {
  const blank = await readOwn('blank assignment', assignment.blank.hash, services, signal)
  if (assignment.rubric) return { blank, rubric: assignment.rubric, version: assignment.rubric_version }
  const key = await readOwn('answer key', assignment.key.hash, services, signal)
  const rubric = await services.grader.makeRubric(blank, key)
  if (rubric.questions.length === 0) {
    const why =
      rubric.problems[0] ?? 'Number the questions (1., 2., …) in the blank assignment and in the answer key.'
    throw new NoRubric(`No questions could be found in the blank assignment. ${why}`)
  }
  const version = assignment.rubric_version + 1
  await AssignmentModel.updateOne(
    { _id: assignment._id, rubric_version: assignment.rubric_version },
    { $set: { rubric, rubric_version: version, updated_at: services.clock.now() } },
  )
  return { blank, rubric, version }
}
