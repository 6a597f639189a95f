import type { SuggestedGrade } from '../../../grader/grader.ts'
import { combineGrade } from '../../../grader/scoring/combine-grade.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { RunDoc } from '../../../records/grading/run.model.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import { toCurrentGrade } from '../../grades/current-grade.ts'
import { findCriterionGrades } from '../../grades/grade.service.ts'
import { outdatedVersions } from '../../rubrics/outdated-grades.ts'

/**
 * The questions a run is to grade of a paper, by id; null for all of them. One that is to put right what a changed rubric
 * touched asks for no more than that.
 */
async function questionsToGrade(
  run: Pick<RunDoc, 'only_outdated'>,
  assignment: AssignmentDoc,
  grade: GradeOfSubmission | null,
): Promise<ReadonlySet<string> | null> {
  if (!run.only_outdated || !grade) return null
  const touched = (await outdatedVersions(assignment)).get(grade.rubric_version)
  const only = new Set(touched?.changed.map(({ id }) => id))
  const asked = assignment.rubric?.questions ?? []
  if (asked.every(({ id }) => only.has(id))) return null
  const known = new Set((await findCriterionGrades(grade.id))?.map(({ question_id }) => question_id))
  // A paper whose criteria are not all stored must be graded as a whole.
  return asked.every(({ id }) => only.has(id) || known.has(id)) ? only : null
}

const emptyGrade: SuggestedGrade = {
  overall_score: null,
  criteria: [],
  confidence: 0,
  summary: '',
  needs_review: false,
  reasons: [],
}

/**
 * A paper's grade in a run: as the grader says, or with what it says of the outdated questions put into the current grade,
 * whose other criteria stay word for word. Where questions were only taken out, nobody is asked.
 */
export async function gradeOutdated(
  run: Pick<RunDoc, 'only_outdated'>,
  assignment: AssignmentDoc,
  submission: Pick<SubmissionDoc, 'grade'>,
  ask: (only: ReadonlySet<string> | null) => Promise<SuggestedGrade>,
): Promise<SuggestedGrade> {
  const { grade } = submission
  const only = await questionsToGrade(run, assignment, grade)
  if (!only || !grade || !assignment.rubric) return ask(null)
  const fresh = only.size === 0 ? emptyGrade : await ask(only)
  const current = toCurrentGrade(grade, (await findCriterionGrades(grade.id)) ?? [])
  // What was decided on a question that is judged otherwise by now may be decided otherwise.
  const settled = Object.fromEntries(
    current.criteria.flatMap(({ criterion_id, question_id }) => {
      const given = only.has(question_id) ? undefined : grade.decisions?.[criterion_id]
      return given === undefined ? [] : [[criterion_id, given]]
    }),
  )
  return combineGrade(assignment.rubric, current, fresh, only, settled)
}
