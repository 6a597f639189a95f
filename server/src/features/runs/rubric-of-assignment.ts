import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { AppError } from '../../lib/app-error.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { Services } from '../../services.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { layingVersion, putRubric } from '../rubrics/rubric.service.ts'
import { type AskingOwn, readOwnPaper } from '../transcriptions/read-own-paper.ts'

/** Nothing can be graded by these papers; the message tells the teacher why and what to do. */
export class NoRubric extends Error {
  override name = 'NoRubric'
}

const called = { blank: 'blank assignment', key: 'answer key' } as const

/** @throws {NoRubric} when it cannot be read */
export async function readOwn(
  which: 'blank' | 'key',
  assignment: AssignmentDoc,
  services: Services,
  signal: AbortSignal,
  asking: AskingOwn | null = null,
): Promise<{ paper: Paper; problems: string[] }> {
  const what = called[which]
  try {
    return await readOwnPaper(what, assignment[which].hash, assignment, services, signal, asking)
  } catch (cause) {
    if (cause instanceof PaperError && cause.code !== 'cancelled') {
      throw new NoRubric(`The ${what} could not be read. ${cause.message}`, { cause })
    }
    throw cause
  }
}

/** @throws {NoRubric} when there are none */
export function requireQuestions(rubric: Rubric): Rubric {
  if (rubric.questions.length > 0) return rubric
  const why =
    rubric.problems[0] ?? 'Number the questions (1., 2., …) in the blank assignment and in the answer key.'
  throw new NoRubric(`No questions could be found in the blank assignment. ${why}`)
}

/** For papers that have been read: the rubric they were laid against. */
export function requireRubric(assignment: AssignmentDoc): { rubric: Rubric; version: number } {
  if (!assignment.rubric) throw new Error(`assignment ${assignment._id} has no rubric yet`)
  return { rubric: assignment.rubric, version: assignment.rubric_version }
}

export interface AssignmentPapers {
  blank: Paper
  rubric: Rubric
  /** Answers laid now are kept under it. */
  laidBy: number
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
  const { paper: blank } = await readOwn('blank', assignment, services, signal)
  if (assignment.rubric) return { blank, rubric: assignment.rubric, laidBy: layingVersion(assignment) }
  const { paper: key } = await readOwn('key', assignment, services, signal)
  const rubric = requireQuestions(await services.grader.makeRubric(blank, key))
  try {
    const made = { by: 'rules' as const, user_id: null, name: null, note: '', at: services.clock.now() }
    const put = await putRubric(assignment, rubric, made)
    return { blank, rubric, laidBy: layingVersion(put) }
  } catch (error) {
    // Another process made it at the same moment: the one that stands counts.
    const fresh = error instanceof AppError ? await findAssignment(assignment._id) : null
    if (!fresh?.rubric) throw error
    return { blank, rubric: fresh.rubric, laidBy: layingVersion(fresh) }
  }
}
