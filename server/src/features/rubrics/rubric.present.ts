import type { CurrentRubric, RubricGeneration, RubricVersion } from '@assay/shared/rubric-endpoints.ts'
import { totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type RubricGenerationDoc, RubricGenerationModel } from '../../records/assignments/rubric-generation.model.ts'
import type { Services } from '../../services.ts'
import { usersById } from '../users/user.service.ts'
import { openStoredRubric } from './open-stored-rubric.ts'
import { outdatedVersions } from './outdated-grades.ts'
import { rubricOrigin, type VersionHead } from './rubric.service.ts'
import type { RubricUsage } from './rubric-usage.ts'

export async function presentVersions(versions: VersionHead[]): Promise<RubricVersion[]> {
  const ids = versions.flatMap(({ made }) => (made.user_id === null ? [] : [made.user_id]))
  const people = await usersById([...new Set(ids)])
  return versions.map(({ version, rubric, made }) => {
    const person = made.user_id === null ? undefined : people.get(made.user_id)
    return {
      version,
      made_by: made.by,
      made_by_name: person ? (person.full_name ?? person.username) : made.name,
      note: made.note,
      questions: rubric.questions.length,
      points: totalPoints(rubric),
      made_at: made.at.toISOString(),
    }
  })
}

const presentGeneration = ({ by, state, message }: RubricGenerationDoc): RubricGeneration => ({
  by,
  state: state === 'failed' ? 'failed' : 'running',
  message,
})

export async function presentRubric(
  assignment: AssignmentDoc,
  { llm }: Services,
  { isGrading, countGrades, countPagesRead }: RubricUsage,
): Promise<CurrentRubric> {
  const { _id: assignment_id, rubric, rubric_version: version } = assignment
  const check = assignment.rubric_check ?? null
  const [held, { graded, outdated }, [made], generation, people, model, blank_pages] = await Promise.all([
    isGrading(assignment),
    outdatedVersions(assignment).then((versions) => countGrades(assignment_id, [...versions.keys()])),
    presentVersions(rubric ? [{ version, rubric, made: rubricOrigin(assignment) }] : []),
    RubricGenerationModel.findById(assignment_id).lean(),
    usersById(check ? [check.user_id] : []),
    llm.chosenFor(assignment.course_id),
    countPagesRead(assignment.blank.hash),
  ])
  const checker = check && people.get(check.user_id)
  return {
    rubric: rubric && openStoredRubric(rubric),
    version,
    made: made ?? null,
    graded,
    outdated,
    held,
    generation: generation && presentGeneration(generation),
    checked: check && { by_name: checker ? (checker.full_name ?? checker.username) : '', at: check.at.toISOString() },
    blank_pages,
    model: model?.name ?? null,
  }
}
