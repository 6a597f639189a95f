import type { SuggestedCriterion, SuggestedGrade } from '../../grader/grader.ts'
import { combineGrade } from '../../grader/scoring/combine-grade.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { findAnchors } from '../grades/anchors.ts'
import { toCurrentGrade } from '../grades/current-grade.ts'
import { findCriterionGrades, storeRescored } from '../grades/grade.service.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { findGradedBy } from '../submissions/submission-grades.ts'
import { carryToSameAnswers } from './carry-to-same-answers.ts'
import { gradeQuestionAgain } from './grade-question-again.ts'
import { mayChange } from './may-change.ts'
import { SupersededError } from './rescore-answer.ts'

/** Changes of confidence below that say nothing new. */
const LEAST_CONFIDENCE_CHANGE = 0.02

/**
 * Carries the teacher's decisions on a question to its other answers: what the built-in grader suggests for these is computed again, against
 * the class each paper was graded with; what an LLM graded takes over points for the very same answer alone. What a person has decided or
 * approved stays, and so do released grades.
 * Returns how many papers changed.
 */
export async function carryDecisions(
  assignment: AssignmentDoc,
  questionId: string,
  services: Services,
  signal: AbortSignal,
): Promise<number> {
  const { rubric, rubric_version } = assignment
  const question = rubric?.questions.find(({ id }) => id === questionId)
  if (!rubric || !question) return 0
  const { grader, clock } = services
  const anchors = await findAnchors(assignment)
  const only = new Set([questionId])
  let changed = 0
  for await (const submission of findGradedBy(assignment._id, grader.name, rubric_version)) {
    signal.throwIfAborted()
    if (!mayChange(submission, question)) continue
    const found = await gradeQuestionAgain(submission, rubric, { anchors, only }, services, signal)
    const criteria = submission.grade && (await findCriterionGrades(submission.grade.id))
    if (!found || !submission.grade || !criteria || !isMoved(criteria, found.grade.criteria, only)) continue
    const made = { classKey: found.classKey, grader, inputs: found.inputs }
    const stored = await storeRescored(submission, made, clock.now(), async (grade) => {
      // Graded or decided anew meanwhile: what was computed from the grade before counts for nothing.
      if (grade.id !== submission.grade?.id || !mayChange({ grade }, question)) throw new SupersededError()
      const current = toCurrentGrade(grade, (await findCriterionGrades(grade.id)) ?? [])
      return combineGrade(rubric, current, found.grade, only, grade.decisions)
    }).catch((error: unknown) => {
      if (error instanceof SupersededError) return null
      throw error
    })
    if (!stored) continue
    changed += 1
    await notifySubmissionChanged(stored, services)
  }
  return changed + (await carryToSameAnswers(assignment, question, services, signal))
}

function isMoved(
  before: readonly Pick<SuggestedCriterion, 'criterion_id' | 'question_id' | 'score' | 'confidence'>[],
  after: SuggestedGrade['criteria'],
  only: ReadonlySet<string>,
): boolean {
  const known = new Map(before.map((criterion) => [criterion.criterion_id, criterion]))
  return after.some(({ criterion_id, question_id, score, confidence }) => {
    if (!only.has(question_id)) return false
    const was = known.get(criterion_id)
    return was?.score !== score || Math.abs(was.confidence - confidence) >= LEAST_CONFIDENCE_CHANGE
  })
}
