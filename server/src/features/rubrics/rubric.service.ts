import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { checkRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric, RubricProblem } from '@assay/shared/rubrics.ts'
import { answerAreaErrors, type PointsOnly } from '@assay/shared/rules/edited-rubric.ts'
import { extractionFingerprint, questionFingerprint, rubricChanges } from '@assay/shared/rules/rubric-changes.ts'
import {
  generalProblem,
  openProblems,
  withoutDoubtfulResults,
  withProblemsAfterEdit,
} from '@assay/shared/rules/rubric-problems.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import {
  type QuestionFingerprint,
  RubricGenerationModel,
  type RubricOrigin,
  type RubricVersionDoc,
  RubricVersionModel,
} from '../../records/assignments/rubric-version.model.ts'
import { replaceStoredRubric, storeRubricCheck } from '../assignments/stored-rubric.ts'

const questionFingerprints = (rubric: Rubric): QuestionFingerprint[] =>
  rubric.questions.map((question) => ({
    id: question.id,
    number: question.number,
    print: hashOf(questionFingerprint(question), 'base64url').slice(0, 22),
  }))

/** For rubrics from before there were versions, which the first run made. */
const originByRules = ({ created_at }: AssignmentDoc): RubricOrigin => ({
  by: 'rules',
  user_id: null,
  name: null,
  note: '',
  at: created_at,
})

export const rubricOrigin = (assignment: AssignmentDoc): RubricOrigin =>
  assignment.rubric_made ?? originByRules(assignment)

/** The version since which extracted answers are valid: adding, removing or renumbering questions ends that. */
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

/** As a new version. @throws {AppError} `conflict` when the loaded one is no longer current, or a run has started */
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
    // A person has looked at what they changed; nobody has at a newly made or restored rubric.
    rubric_check: looked ? (assignment.rubric_check ?? null) : null,
    extraction_version: isCurrent ? extractionVersion(assignment) : version,
    updated_at: made.at,
  })
  if (!put) throw rubricConflict()
  await storeVersion(put)
  return put
}

/** @throws {AppError} `conflict` when the change was made on another version than the current one */
export function requireSameVersion(assignment: AssignmentDoc, madeOn: number): void {
  if (assignment.rubric_version !== madeOn) throw rubricConflict()
}

export interface VersionHead {
  version: number
  made: RubricOrigin
  rubric: PointsOnly
}

/** Newest first, without contents: 500 versions of a long rubric would take most of a gigabyte. */
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

/** For deleted assignments. Returns how many versions there were. */
export async function deleteVersions(assignmentIds: number[]): Promise<number> {
  await RubricGenerationModel.deleteMany({ _id: { $in: assignmentIds } })
  const { deletedCount } = await RubricVersionModel.deleteMany({ assignment_id: { $in: assignmentIds } })
  return deletedCount
}

/** Before problems had codes they were sentences; those are remarks now. */
export function openStoredRubric(rubric: Rubric): Rubric {
  const stored: (RubricProblem | string)[] = rubric.problems
  if (stored.every((problem) => typeof problem !== 'string')) return rubric
  const problems = stored.map((problem) =>
    typeof problem === 'string' ? generalProblem(problem, rubric.questions) : problem,
  )
  return { ...rubric, problems }
}

const RUN_ACTIVE = 'Papers are being graded with this rubric. Save when grading has finished, or stop grading first.'

/** All papers of a run are graded by one rubric. */
export async function requireNoActiveRun(assignment: AssignmentDoc, { isGrading }: RubricUsage): Promise<void> {
  if (await isGrading(assignment)) throw new AppError('run_in_progress', RUN_ACTIVE)
}

/**
 * @throws {AppError} `conflict` when its base is no longer current, `run_in_progress`, `validation_failed` for an
 * answer area outside the blank
 */
export async function editRubric(
  assignment: AssignmentDoc,
  { version, rubric: edited, note }: BodyOf<typeof saveRubric>,
  actor: Actor,
  now: Date,
  usage: RubricUsage,
): Promise<AssignmentDoc> {
  requireSameVersion(assignment, version)
  await requireNoActiveRun(assignment, usage)
  const misplaced = answerAreaErrors(edited, await usage.countPagesRead(assignment.blank.hash))
  if (misplaced.length > 0) {
    const details = misplaced.map(({ path, message }) => ({
      loc: ['body', 'rubric', ...path],
      msg: message,
      type: 'no_such_page',
    }))
    throw new AppError('validation_failed', undefined, { details })
  }
  const rubric: Rubric = withProblemsAfterEdit(assignment.rubric && openStoredRubric(assignment.rubric), edited)
  const put = await replaceRubric(assignment, rubric, {
    by: 'user',
    user_id: actor.id,
    name: null,
    note,
    at: now,
  })
  await recordAudit(actor, 'rubric.changed', { assignment_id: assignment._id }, now, {
    before: { version: assignment.rubric_version },
    after: { version: put.rubric_version, note, ...rubricChanges(assignment.rubric, rubric) },
  })
  return put
}

/** Or withdraws the confirmation. @throws {AppError} `conflict` when the rubric has changed */
export async function confirmRubric(
  assignment: AssignmentDoc,
  { version, checked }: BodyOf<typeof checkRubric>,
  actor: Actor,
  now: Date,
): Promise<AssignmentDoc> {
  requireSameVersion(assignment, version)
  if (!assignment.rubric) throw notFound('There is no rubric yet. Create one first.')
  const stored = await storeRubricCheck(assignment, checked ? { user_id: actor.id, at: now } : null)
  if (!stored) throw rubricConflict()
  const open_problems = openProblems(openStoredRubric(assignment.rubric)).length
  await recordAudit(actor, checked ? 'rubric.checked' : 'rubric.unchecked', { assignment_id: assignment._id }, now, {
    after: { version, open_problems },
  })
  return stored
}

/** As a new version; the versions in between stay. */
export async function restoreVersion(
  assignment: AssignmentDoc,
  earlier: RubricVersionDoc,
  madeOn: number,
  actor: Actor,
  now: Date,
  usage: RubricUsage,
): Promise<AssignmentDoc> {
  requireSameVersion(assignment, madeOn)
  await requireNoActiveRun(assignment, usage)
  const note = `Version ${earlier.version} restored`
  const made = { by: 'user' as const, user_id: actor.id, name: null, note, at: now }
  const put = await replaceRubric(assignment, earlier.rubric, made, { looked: false })
  await recordAudit(actor, 'rubric.restored', { assignment_id: assignment._id }, now, {
    before: { version: assignment.rubric_version },
    after: {
      version: put.rubric_version,
      restored: earlier.version,
      ...rubricChanges(assignment.rubric, earlier.rubric),
    },
  })
  return put
}

/** What features that build on rubrics know of an assignment; passed in, so that rubrics import none of them. */
export interface RubricUsage {
  isGrading(assignment: AssignmentDoc): Promise<boolean>
  /** `outdated`: by these versions of the rubric. */
  countGrades(assignmentId: number, versions: number[]): Promise<{ graded: number; outdated: number }>
  /** Null until the PDF has been read. */
  countPagesRead(hash: string): Promise<number | null>
}
