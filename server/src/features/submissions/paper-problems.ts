import { holdingProblems, type PaperProblem, type PaperProblemCode } from '@assay/shared/paper-problems.ts'
import { capitalized, numberedList } from '@assay/shared/rules/format-list.ts'
import type { SuggestedGrade } from '../../grader/grader.ts'
import type { StoredProblem, SubmissionDoc } from '../../records/submissions/submission.model.ts'

export const holds = ({ code, only_flags, decided }: StoredProblem) =>
  !decided && !only_flags && holdingProblems.has(code)

export const isHeld = (problems: readonly StoredProblem[], grade: SubmissionDoc['grade']): boolean =>
  grade === null && problems.some(holds)

/** Without names, which may be hidden. */
export function presentProblem(problem: StoredProblem): PaperProblem {
  const { code, pages, other_submission_id, second_begins_on } = problem
  return {
    ...{ code, pages, ...wordsFor(problem) },
    ...(second_begins_on ? { second_begins_on } : {}),
    ...(other_submission_id ? { other_submission_id } : {}),
  }
}

function wordsFor({ code, pages, message, only_flags, other_submission_id }: StoredProblem): {
  message: string
  what_to_do: string
} {
  const where = numberedList('page', pages)
  switch (code) {
    case 'two_students':
      return {
        message: `There seem to be papers of two students in this file${pages.length > 1 ? `: look at ${where}` : ''}.`,
        what_to_do: only_flags
          ? 'See whether another student’s pages are in it.'
          : 'Split it into two papers, or choose whose paper this is and grade it.',
      }
    case 'other_name':
      return {
        message:
          message ??
          `${capitalized(where)} ${only_flags ? 'may name' : pages.length > 1 ? 'name' : 'names'} another student than the one it was handed in for.`,
        what_to_do: only_flags
          ? 'See whose paper it is.'
          : 'Choose the right student, ask for the right paper, or grade it as it is.',
      }
    case 'same_paper':
      return {
        message: `This is the same paper as submission #${other_submission_id}.`,
        what_to_do: 'Delete the one that is too many, or grade both.',
      }
    case 'other_assignment':
      return {
        message: (message ?? 'This looks like a different assignment.').replace(' Nothing on it was graded.', ''),
        what_to_do: 'Ask for the right paper and upload it, or go on and grade this one by hand.',
      }
    case 'damaged_page':
      return {
        message: `A part of ${where} could not be read: it, or a picture on it, is damaged. Nothing there was graded.`,
        what_to_do:
          'Scan the page again or ask for the file again, and upload the whole paper. Or grade what is missing by hand.',
      }
    case 'missing_page':
      return {
        message: `${capitalized(where)} of the blank ${pages.length === 1 ? 'is' : 'are'} missing.`,
        what_to_do: 'Look for the sheet, and upload the whole paper again if you find it.',
      }
    case 'extra_page':
      return {
        message: `${capitalized(where)} ${pages.length === 1 ? 'is no page' : 'are no pages'} of the blank, and no answer was found there.`,
        what_to_do: 'See whether something there is to be graded.',
      }
    case 'repeated_page':
      return {
        message: `${capitalized(where)} ${pages.length === 1 ? 'is a page' : 'are pages'} that this file has already. It counts once.`,
        what_to_do: 'See whether another page was left out instead.',
      }
  }
}

/** Not those that a teacher has decided on. */
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
