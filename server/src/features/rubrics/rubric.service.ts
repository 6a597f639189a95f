import type { Rubric, RubricProblem } from '@assay/shared/rubrics.ts'
import type { PointsOnly } from '@assay/shared/rules/edited-rubric.ts'
import { extractionFingerprint, questionFingerprint } from '@assay/shared/rules/rubric-changes.ts'
import { generalProblem, withoutDoubtfulResults } from '@assay/shared/rules/rubric-problems.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import {
  type QuestionFingerprint,
  RubricGenerationModel,
  type RubricOrigin,
  type RubricVersionDoc,
  RubricVersionModel,
} from '../../records/assignments/rubric-version.model.ts'
import { replaceStoredRubric } from '../assignments/assignment-queries.ts'

const questionFingerprints = (rubric: Rubric): QuestionFingerprint[] =>
  rubric.questions.map((question) => ({
    id: question.id,
    number: question.number,
    print: hashOf(questionFingerprint(question), 'base64url').slice(0, 22),
  }))

const originByRules = ({ created_at }: AssignmentDoc): RubricOrigin => ({
  by: 'rules',
  user_id: null,
  name: null,
  note: '',
  at: created_at,
})

export const rubricOrigin = (assignment: AssignmentDoc): RubricOrigin =>
  assignment.rubric_made ?? originByRules(assignment)

/** Since which extracted answers are valid: adding, removing or renumbering questions ends that. */
export const extractionVersion = ({
  extraction_version,
  rubric_version,
}: Pick<AssignmentDoc, 'extraction_version' | 'rubric_version'>): number => extraction_version ?? rubric_version

/** Idempotent. Called before a rubric is replaced, so that none is ever lost. */
export async function storeVersion(assignment: AssignmentDoc): Promise<void> {
  const { _id: assignment_id, rubric, rubric_version: version } = assignment
  if (!rubric) return
  const doc = {
    assignment_id,
    version,
    rubric: { ...rubric, problems: withoutDoubtfulResults(rubric.problems) },
    questions: questionFingerprints(rubric),
    made: rubricOrigin(assignment),
  }
  await RubricVersionModel.updateOne({ _id: `${assignment_id}/${version}` }, { $setOnInsert: doc }, { upsert: true })
}

const RUBRIC_CONFLICT =
  'Someone else has changed the rubric, or grading has started. Your changes were not saved. Reload the page to see the current rubric.'

export const rubricConflict = () => new AppError('conflict', RUBRIC_CONFLICT)

/** @throws {AppError} `conflict` when the loaded one is no longer current, or a run has started */
export async function replaceRubric(
  assignment: AssignmentDoc,
  rubric: Rubric,
  made: RubricOrigin,
  { looked }: { looked: boolean } = { looked: made.by === 'user' },
): Promise<AssignmentDoc> {
  await storeVersion(assignment)
  const version = assignment.rubric_version + 1
  const isCurrent =
    assignment.rubric !== null && extractionFingerprint(assignment.rubric) === extractionFingerprint(rubric)
  const put = await replaceStoredRubric(assignment, {
    rubric,
    rubric_version: version,
    rubric_made: made,
    rubric_check: looked ? (assignment.rubric_check ?? null) : null,
    extraction_version: isCurrent ? extractionVersion(assignment) : version,
    updated_at: made.at,
  })
  if (!put) throw rubricConflict()
  await storeVersion(put)
  return put
}

export function requireSameVersion(assignment: AssignmentDoc, madeOn: number): void {
  if (assignment.rubric_version !== madeOn) throw rubricConflict()
}

export interface VersionHead {
  version: number
  made: RubricOrigin
  rubric: PointsOnly
}

/** Newest first, without contents: 500 long ones would take most of a gigabyte. */
export async function listVersions(assignment: AssignmentDoc): Promise<VersionHead[]> {
  await storeVersion(assignment)
  return RubricVersionModel.find(
    { assignment_id: assignment._id },
    { _id: 0, version: 1, made: 1, 'rubric.questions.criteria.points': 1 },
  )
    .sort({ version: -1 })
    .limit(500)
    .lean<VersionHead[]>()
}

export async function requireVersion(assignment: AssignmentDoc, version: number): Promise<RubricVersionDoc> {
  await storeVersion(assignment)
  const found = await RubricVersionModel.findById(`${assignment._id}/${version}`).lean()
  if (!found) throw notFound('This version of the rubric does not exist.')
  return found
}

export async function deleteVersions(assignmentIds: number[]): Promise<number> {
  await RubricGenerationModel.deleteMany({ _id: { $in: assignmentIds } })
  const { deletedCount } = await RubricVersionModel.deleteMany({ assignment_id: { $in: assignmentIds } })
  return deletedCount
}

/** Problems were sentences once. */
export function openStoredRubric(rubric: Rubric): Rubric {
  const stored: (RubricProblem | string)[] = rubric.problems
  if (stored.every((problem) => typeof problem !== 'string')) return rubric
  const problems = stored.map((problem) =>
    typeof problem === 'string' ? generalProblem(problem, rubric.questions) : problem,
  )
  return { ...rubric, problems }
}
