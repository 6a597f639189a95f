import type { Rubric } from '@assay/shared/rubrics.ts'
import type { QuestionRef } from '@assay/shared/rules/rubric-changes.ts'
import { LRUCache } from 'lru-cache'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type RubricVersionDoc, RubricVersionModel } from '../../records/assignments/rubric-version.model.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { assignmentsWithReplacedRubric } from '../assignments/assignment-queries.ts'
import { storeVersion } from './rubric.service.ts'

interface QuestionChanges {
  changed: QuestionRef[]
  removed: QuestionRef[]
}

export type OutdatedVersions = ReadonlyMap<number, QuestionChanges>

type VersionFingerprints = Pick<RubricVersionDoc, 'version' | 'questions'>
type RubricHead = Pick<AssignmentDoc, '_id' | 'rubric_version'>

function changesSince(before: VersionFingerprints, now: VersionFingerprints): QuestionChanges {
  const prints = new Map(before.questions.map(({ id, print }) => [id, print]))
  const here = new Set(now.questions.map(({ id }) => id))
  return {
    changed: now.questions.filter(({ id, print }) => prints.get(id) !== print).map(nameOf),
    removed: before.questions.filter(({ id }) => !here.has(id)).map(nameOf),
  }
}

const nameOf = ({ id, number }: QuestionRef): QuestionRef => ({ id, number })

const noVersions: OutdatedVersions = new Map()

/** Versions never change, so a comparison of two stays valid. */
const cachedVersions = new LRUCache<string, OutdatedVersions>({ max: 200 })

export async function outdatedVersions(assignment: RubricHead): Promise<OutdatedVersions> {
  const { _id, rubric_version } = assignment
  if (rubric_version < 2) return noVersions
  const key = `${_id}/${rubric_version}`
  const known = cachedVersions.get(key)
  if (known) return known
  const found = await computeOutdatedVersions(assignment)
  cachedVersions.set(key, found)
  return found
}

async function computeOutdatedVersions(assignment: RubricHead): Promise<OutdatedVersions> {
  const marks: VersionFingerprints[] = await RubricVersionModel.find(
    { assignment_id: assignment._id },
    { version: 1, questions: 1 },
  ).lean()
  const now = marks.find(({ version }) => version === assignment.rubric_version)
  if (!now) {
    // The process that made it ended before storing it.
    const whole = await findAssignment(assignment._id)
    if (!whole?.rubric || whole.rubric_version !== assignment.rubric_version) return noVersions
    await storeVersion(whole)
    return computeOutdatedVersions(assignment)
  }
  const touched = marks
    .filter(({ version }) => version < now.version)
    .map((before) => [before.version, changesSince(before, now)] as const)
  return new Map(touched.filter(([, { changed, removed }]) => changed.length + removed.length > 0))
}

export async function outdatedPartOfRubric(
  assignment: Pick<AssignmentDoc, '_id' | 'rubric_version' | 'rubric'>,
): Promise<Rubric | null> {
  const touched = [...(await outdatedVersions(assignment)).values()].flatMap(({ changed }) => changed)
  const ids = new Set(touched.map(({ id }) => id))
  const { rubric } = assignment
  return rubric && { ...rubric, questions: rubric.questions.filter(({ id }) => ids.has(id)) }
}

export async function outdatedGradesQuery(assignment: RubricHead) {
  const versions = [...(await outdatedVersions(assignment)).keys()]
  return { assignment_id: assignment._id, 'grade.rubric_version': { $in: versions } }
}

export async function outdatedQuestionNumbers(
  rows: { assignment_id: number; grade: { rubric_version: number } | null }[],
): Promise<(row: (typeof rows)[number]) => string[]> {
  const ids = new Set(rows.flatMap(({ assignment_id, grade }) => (grade ? [assignment_id] : [])))
  const assignments = ids.size === 0 ? [] : await assignmentsWithReplacedRubric([...ids])
  const byAssignment = new Map(
    await Promise.all(assignments.map(async (one) => [one._id, await outdatedVersions(one)] as const)),
  )
  return ({ assignment_id, grade }) => {
    const touched = grade && byAssignment.get(assignment_id)?.get(grade.rubric_version)
    return touched ? [...touched.changed, ...touched.removed].map(({ number }) => number) : []
  }
}
