import { holdingProblems, type PaperProblem, type PaperProblemCode } from '@assay/shared/paper-problems.ts'
import { capitalized, numberedList } from '@assay/shared/rules/format-list.ts'
import type { ExtractedSubmission, PageFacts, SuggestedGrade } from '../../../grader/grader.ts'
import type { StoredProblem, SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import { type PlaceOnPaper, tellOfSeveral } from '../matching/paper-evidence.ts'

export interface PaperToCheck {
  extracted: Pick<ExtractedSubmission, 'answers' | 'warnings' | 'pages'>
  places: readonly PlaceOnPaper[]
  /** Unless a teacher has decided; null: nobody's. */
  handedInFor: number | null
  printedForOther: readonly number[]
  sameAs: number | null
}

export function checkPaper(paper: PaperToCheck): StoredProblem[] {
  const two = twoStudents(paper)
  const isTwo = two.some(holds)
  const same: StoredProblem[] =
    paper.sameAs === null ? [] : [{ code: 'same_paper', pages: [], other_submission_id: paper.sameAs }]
  return [
    ...two,
    ...(isTwo ? [] : otherName(paper)),
    ...same,
    ...otherAssignment(paper),
    ...damagedPages(paper),
    ...(isTwo ? [] : wrongPages(paper)),
  ]
}

function twoStudents({ places, handedInFor, extracted }: PaperToCheck): StoredProblem[] {
  const sure = places.filter((place) => place.sure)
  const second = secondPaper(extracted.pages?.of_paper ?? [], places)
  if (!tellOfSeveral(places) && second === undefined) return []
  const isSure = (tellOfSeveral(sure) || second !== undefined) && !tellOf(places, handedInFor)
  const pages = second ?? pagesOf(tellOfSeveral(sure) ? sure : places)
  const second_begins_on = second?.at(-1) ?? beginOfSecond(places)
  return [
    {
      ...{ code: 'two_students', pages },
      ...(second_begins_on === undefined ? {} : { second_begins_on }),
      ...(isSure ? {} : { only_flags: true as const }),
    },
  ]
}

function beginOfSecond(places: readonly PlaceOnPaper[]): number | undefined {
  const [first, ...others] = [...places].sort((a, b) => a.page - b.page)
  return others.find(
    ({ page, student_ids }) => page > (first?.page ?? 0) && !student_ids.some((id) => first?.student_ids.includes(id)),
  )?.page
}

const pagesOf = (places: readonly PlaceOnPaper[]): number[] =>
  [...new Set(places.map(({ page }) => page))].sort((a, b) => a - b)

const tellOf = (places: readonly PlaceOnPaper[], student: number | null) =>
  student !== null && places.some(({ student_ids }) => student_ids.includes(student))

/** Where the first page comes again with another name. Without one it may be one page scanned twice. */
function secondPaper(pages: readonly PageFacts[], places: readonly PlaceOnPaper[]): number[] | undefined {
  const first = pages.find(({ empty }) => !empty)?.page
  const namedOn = (at?: number) => places.flatMap(({ page, student_ids }) => (page === at ? student_ids : []))
  const named = namedOn(first)
  const again = pages.find(({ page, repeats }) => {
    const others = namedOn(page)
    return repeats === first && named.length > 0 && others.length > 0 && !others.some((one) => named.includes(one))
  })
  return first !== undefined && again ? [first, again.page] : undefined
}

function otherName(paper: PaperToCheck): StoredProblem[] {
  const [named, coded] = [namesOther(paper), codedForOther(paper)]
  return named.some(holds) || coded.length === 0 ? named : coded
}

/** Not where its student wrote on another's copy, or a teacher said that it is theirs. */
function codedForOther({ printedForOther: pages, places, handedInFor }: PaperToCheck): StoredProblem[] {
  if (pages.length === 0) return []
  const [codes, were] = pages.length === 1 ? ['code', 'was'] : ['codes', 'were']
  const message = `The ${codes} on ${numberedList('page', pages)} ${were} printed for another student.`
  const isTheirs = handedInFor === null || tellOf(places, handedInFor)
  return [{ code: 'other_name', pages: [...pages], message, ...(isTheirs ? { only_flags: true as const } : {}) }]
}

function namesOther({ places, handedInFor }: PaperToCheck): StoredProblem[] {
  if (places.length === 0 || handedInFor === null || tellOf(places, handedInFor)) return []
  const sure = places.filter((place) => place.sure)
  return sure.length > 0
    ? [{ code: 'other_name', pages: pagesOf(sure) }]
    : [{ code: 'other_name', pages: pagesOf(places), only_flags: true }]
}

/** The grader reports single pages itself. */
function otherAssignment({ extracted: { answers, warnings } }: PaperToCheck): StoredProblem[] {
  const other = warnings.find(({ code }) => code === 'other_assignment')
  const whole = other && answers.every(({ found }) => !found)
  return whole ? [{ code: 'other_assignment', pages: [], message: other.message }] : []
}

function damagedPages({ extracted }: PaperToCheck): StoredProblem[] {
  const pages = (extracted.pages?.of_paper ?? []).filter(({ damaged }) => damaged).map(({ page }) => page)
  return pages.length > 0 ? [{ code: 'damaged_page', pages }] : []
}

function wrongPages({ extracted }: PaperToCheck): StoredProblem[] {
  const { of_paper = [], of_blank = [] } = extracted.pages ?? {}
  const full = of_paper.filter(({ empty }) => !empty)
  const isPrint = (one: PageFacts) => one.blank_pages.length > 0 && !one.own_sheet
  // The student's own sheets need not have the blank's pages.
  if (!full.some(isPrint)) return repeated(full)
  const shown = new Set(full.flatMap(({ blank_pages }) => blank_pages))
  const missing = of_blank.filter((page) => !shown.has(page))
  const damaged = of_paper.filter((one) => one.damaged && one.empty)
  const extra = full.filter((one) => one.blank_pages.length === 0 && !one.answered && one.repeats === undefined)
  return [
    ...(missing.length > 0 && full.length + damaged.length < of_blank.length
      ? [{ code: 'missing_page' as const, pages: missing }]
      : []),
    ...(extra.length > 0 && full.length > of_blank.length
      ? [{ code: 'extra_page' as const, pages: extra.map(({ page }) => page) }]
      : []),
    ...repeated(full),
  ]
}

function repeated(full: readonly PageFacts[]): StoredProblem[] {
  const again = full.flatMap(({ page, same, repeats }) =>
    same || (repeats !== undefined && repeats === full[0]?.page) ? [page] : [],
  )
  return again.length > 0 ? [{ code: 'repeated_page', pages: again }] : []
}

const keyOf = ({ code, pages, other_submission_id }: StoredProblem) =>
  `${code} ${pages.join(' ')} ${other_submission_id ?? ''}`

export function withDecisions(found: StoredProblem[], before: readonly StoredProblem[] = []): StoredProblem[] {
  const decided = new Set(before.filter((one) => one.decided).map(keyOf))
  return found.map((one) => (decided.has(keyOf(one)) ? { ...one, decided: true } : one))
}

const holds = ({ code, only_flags, decided }: StoredProblem) => !decided && !only_flags && holdingProblems.has(code)

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
