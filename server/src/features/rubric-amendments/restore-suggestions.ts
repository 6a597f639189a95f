import type { Rubric } from '@assay/shared/rubrics.ts'
import type { SuggestedGrade } from '../../grader/grader.ts'
import { combineGrade } from '../../grader/scoring/combine-grade.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { GradeDetailsDoc } from '../../records/grading/grade.model.ts'
import type { RubricAmendmentDoc } from '../../records/grading/rubric-amendment.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { findAnchors } from '../grades/anchors.ts'
import { suggestedCriteria, suggestedReasons, toCurrentGrade } from '../grades/current-grade.ts'
import { findCriterionGrades, findGradeDetails, storeRescored } from '../grades/grade.service.ts'
import { releaseGrades } from '../grades/release.service.ts'
import { gradeQuestionAgain } from '../rescoring/grade-question-again.ts'
import { SupersededError } from '../rescoring/rescore-answer.ts'
import { findSubmissions } from '../submissions/submission-batches.ts'

const BATCH = 200

/**
 * Puts the suggestions back that the amendment changed, on its own or through decisions that were carried by it: those made before it, or,
 * where the answer was corrected since, new ones by the restored rubric. What a person has decided or approved since stays, and so does
 * what a later run graded. Grades that students saw are released again. Returns the papers that have them.
 * @param versions of the rubric, that differ from the restored one in this question alone
 */
export async function restoreSuggestions(
  assignment: AssignmentDoc,
  { question_id, answers, unchanged }: RubricAmendmentDoc,
  versions: ReadonlySet<number>,
  services: Services,
  signal: AbortSignal,
): Promise<number[]> {
  const { rubric, rubric_version } = assignment
  if (!rubric) return []
  const criteria = rubric.questions.find(({ id }) => id === question_id)?.criteria ?? []
  const gradeBefore = new Map([...answers, ...unchanged].map((row) => [row.submission_id, row.grade_id]))
  const shown = new Set(answers.flatMap(({ released, submission_id }) => (released ? [submission_id] : [])))
  const ids = [...gradeBefore.keys()]
  const restored: number[] = []
  const isOpen = ({ grade }: Pick<SubmissionDoc, 'grade'>) =>
    grade !== null && grade.reviewed_at === null && criteria.some(({ id }) => grade.decisions?.[id] === undefined)
  for (let at = 0; at < ids.length; at += BATCH) {
    for (const submission of await findSubmissions(ids.slice(at, at + BATCH))) {
      signal.throwIfAborted()
      const { grade } = submission
      const before = gradeBefore.get(submission._id)
      if (!grade || grade.id === before || !isOpen(submission)) continue
      // Done before the process ended.
      if (grade.rubric_version === rubric_version) restored.push(submission._id)
      const stored = versions.has(grade.rubric_version)
        ? await restoreOne(assignment, rubric, submission, { before, question_id, isOpen }, services, signal)
        : null
      if (stored) restored.push(stored._id)
      const current = stored ?? (grade.rubric_version === rubric_version ? submission : null)
      if (current && shown.has(current._id) && assignment.status === 'published')
        await releaseGrades([current], services.clock.now())
    }
  }
  return restored
}

interface Restoring {
  before: number | undefined
  question_id: string
  isOpen: (submission: Pick<SubmissionDoc, 'grade'>) => boolean
}

async function restoreOne(
  assignment: AssignmentDoc,
  rubric: Rubric,
  submission: SubmissionDoc,
  { before, question_id, isOpen }: Restoring,
  services: Services,
  signal: AbortSignal,
): Promise<SubmissionDoc | null> {
  const { grade } = submission
  const details = await findGradeDetails(submission._id)
  const [earlier, latest] = [before, grade?.id].map((id) => details.find(({ _id }) => _id === id))
  // A later run graded it against another class.
  if (!grade || !earlier?.made || !latest?.made || earlier.made.run_id !== latest.made.run_id) return null
  const only = new Set([question_id])
  const isSameText = earlier.made.inputs.answers === latest.made.inputs.answers
  const found = isSameText
    ? { grade: asSuggested(earlier), classKey: earlier.made.class_key, inputs: earlier.made.inputs }
    : await gradeQuestionAgain(submission, rubric, { anchors: await findAnchors(assignment), only }, services, signal)
  if (!found) return null
  const grader = isSameText ? earlier.made.grader : services.grader
  const made = { classKey: found.classKey, grader, inputs: found.inputs, rubricVersion: assignment.rubric_version }
  return storeRescored(submission, made, services.clock.now(), async (current) => {
    if (current.id !== grade.id || !isOpen({ grade: current })) throw new SupersededError()
    const criteria = (await findCriterionGrades(current.id)) ?? []
    return combineGrade(rubric, toCurrentGrade(current, criteria), found.grade, only, current.decisions)
  }).catch((error: unknown) => {
    if (error instanceof SupersededError) return null
    throw error
  })
}

/** A stored suggestion as the grader gave it. */
function asSuggested({ criteria, made }: GradeDetailsDoc): SuggestedGrade {
  return {
    criteria: suggestedCriteria(criteria),
    overall_score: made?.overall_score ?? null,
    confidence: made?.confidence ?? 0,
    reasons: suggestedReasons(made?.reasons ?? []),
    needs_review: (made?.reasons.length ?? 0) > 0,
    summary: '',
  }
}
