import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { generalProblem } from '@assay/shared/rules/rubric-problems.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import {
  type AssignmentLlmAccess,
  type AssignmentPaper,
  readAssignmentPaper,
} from '../transcriptions/read-assignment-paper.ts'
import { extractionVersion, replaceRubric } from './rubric.service.ts'

export class RubricUnavailableError extends Error {
  override name = 'RubricUnavailableError'
  readonly code = 'rubric_unavailable'
}

const paperNames = { blank: 'blank assignment', key: 'answer key' } as const

/** @throws {RubricUnavailableError} */
export async function readBlankOrKey(
  which: 'blank' | 'key',
  assignment: AssignmentDoc,
  services: Services,
  signal: AbortSignal,
  llmAccess: AssignmentLlmAccess | null,
): Promise<AssignmentPaper> {
  const what = paperNames[which]
  try {
    return await readAssignmentPaper(what, assignment[which].hash, assignment, services, signal, llmAccess)
  } catch (cause) {
    if (cause instanceof PaperError && cause.code !== 'cancelled')
      throw new RubricUnavailableError(`The ${what} could not be read. ${cause.message}`, { cause })
    throw cause
  }
}

export interface BlankAndKey extends Pick<AssignmentPaper, 'untranscribed' | 'problems'> {
  blank: Paper
  key: Paper
}

/** @throws {RubricUnavailableError} for an unreadable one; {LlmError} when no LLM is available now */
export async function readBlankAndKey(
  assignment: AssignmentDoc,
  services: Services,
  signal: AbortSignal,
  llmAccess: AssignmentLlmAccess | null,
): Promise<BlankAndKey> {
  const blank = await readBlankOrKey('blank', assignment, services, signal, llmAccess)
  await llmAccess?.onProgress?.('Reading the answer key')
  const key = await readBlankOrKey('key', assignment, services, signal, llmAccess)
  const untranscribed = [...blank.untranscribed, ...key.untranscribed]
  return { blank: blank.paper, key: key.paper, untranscribed, problems: [...blank.problems, ...key.problems] }
}

/** Reading problems come first. @throws {RubricUnavailableError} without questions */
export function requireQuestions(rubric: Rubric, { problems }: Pick<BlankAndKey, 'problems'>): Rubric {
  const read = problems.map((message) => generalProblem(message, []))
  if (rubric.questions.length > 0) return { ...rubric, problems: [...read, ...rubric.problems] }
  const why =
    rubric.problems[0]?.message ?? 'Number the questions (1., 2., …) in the blank assignment and in the answer key.'
  throw new RubricUnavailableError(`No questions could be found in the blank assignment. ${why}`)
}

/** For papers that have been read: the rubric their answers were extracted by. */
export function requireRubric(assignment: AssignmentDoc): { rubric: Rubric; version: number } {
  if (!assignment.rubric) throw new Error(`assignment ${assignment._id} has no rubric yet`)
  return { rubric: assignment.rubric, version: assignment.rubric_version }
}

/**
 * The current one, or one made now. Answers extracted now are stored under `extractionVersion`.
 * @throws {RubricUnavailableError}; {LlmError} when no LLM is available now
 */
export async function ensureRubric(
  assignment: AssignmentDoc,
  services: Services,
  signal: AbortSignal,
  llmAccess: AssignmentLlmAccess | null = null,
) {
  if (assignment.rubric) {
    const { paper: blank } = await readBlankOrKey('blank', assignment, services, signal, null)
    return { blank, rubric: assignment.rubric, extractionVersion: extractionVersion(assignment) }
  }
  const read = await readBlankAndKey(assignment, services, signal, llmAccess)
  const { blank, key } = read
  const rubric = requireQuestions(await services.grader.generateRubric(blank, key), read)
  try {
    const made = { by: 'rules' as const, user_id: null, name: null, note: '', at: services.clock.now() }
    const put = await replaceRubric(assignment, rubric, made)
    return { blank, rubric, extractionVersion: extractionVersion(put) }
  } catch (error) {
    // Another process stored one at the same moment.
    const fresh = error instanceof AppError ? await findAssignment(assignment._id) : null
    if (!fresh?.rubric) throw error
    return { blank, rubric: fresh.rubric, extractionVersion: extractionVersion(fresh) }
  }
}
