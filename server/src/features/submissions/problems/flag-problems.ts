import { holdingProblems, type PaperProblemCode } from '@assay/shared/paper-problems.ts'
import type { SuggestedGrade } from '../../../grader/grader.ts'
import type { StoredProblem, SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import { presentProblem } from './present-problem.ts'

/** Problems that a teacher has decided on are not flagged again. */
export function withPaperProblems(
  suggestion: SuggestedGrade,
  { problems = [] }: Pick<SubmissionDoc, 'problems'>,
): SuggestedGrade {
  if (problems.length === 0) return suggestion
  const decided = new Set<string>(problems.flatMap(({ code, decided: seen }) => (seen ? [code] : [])))
  const said = suggestion.reasons.filter(({ code }) => !(code === 'two_students' && decided.has(code)))
  const known = new Set<string>(said.map(({ code }) => code))
  const added = problems.flatMap((problem) => {
    if (problem.decided || known.has(problem.code) || !flags(problem)) return []
    const { message, what_to_do } = presentProblem(problem)
    return { code: problem.code, message: `${message} ${what_to_do}` }
  })
  const reasons = [...added, ...said]
  return { ...suggestion, reasons, needs_review: reasons.length > 0 && (suggestion.needs_review || added.length > 0) }
}

type FlagCode = Exclude<PaperProblemCode, 'same_paper' | 'other_assignment'>
const flags = (problem: StoredProblem): problem is StoredProblem & { code: FlagCode } =>
  problem.only_flags === true || !holdingProblems.has(problem.code)
