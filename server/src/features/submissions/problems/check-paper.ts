import { holdingProblems } from '@assay/shared/paper-problems.ts'
import type { ExtractedSubmission, PageFacts } from '../../../grader/grader.ts'
import type { StoredProblem, SubmissionDoc } from '../../../records/submissions/submission.model.ts'

/** What is known of a paper once it and its class were read. */
export interface PaperToCheck {
  extracted: Pick<ExtractedSubmission, 'answers' | 'warnings' | 'pages'>
  /** Students whom places on its pages tell of for sure. */
  told: readonly { student_id: number; page: number | null }[]
  /** Whose it is by the hand-in or the file's name, as far as no teacher has said so; null: nobody's. */
  handedInFor: number | null
  /** Another submission, of another student or nobody, with the same paper. */
  sameAs: number | null
}

/** All that is wrong with a paper, the gravest first. */
export function checkPaper(paper: PaperToCheck): StoredProblem[] {
  const two = twoStudents(paper)
  // Of two papers each has its own pages.
  const pages = two.length > 0 ? [] : wrongPages(paper)
  const same: StoredProblem[] =
    paper.sameAs === null ? [] : [{ code: 'same_paper', pages: [], other_submission_id: paper.sameAs }]
  return [...two, ...otherName(paper), ...same, ...otherAssignment(paper), ...pages]
}

function twoStudents({ told, extracted }: PaperToCheck): StoredProblem[] {
  const named = told.flatMap(({ page }) => (page === null ? [] : [page])).sort((a, b) => a - b)
  if (told.length > 1) return [{ code: 'two_students', pages: [...new Set(named)] }]
  const second = secondPaper(extracted.pages?.of_paper ?? [])
  return second === undefined ? [] : [{ code: 'two_students', pages: second }]
}

/** The page a paper begins with comes again, written on otherwise. */
function secondPaper(pages: readonly PageFacts[]): number[] | undefined {
  const first = pages.find(({ empty }) => !empty)
  const again = pages.find(({ repeats, same }) => repeats !== undefined && repeats === first?.page && same === false)
  return first && again ? [first.page, again.page] : undefined
}

function otherName({ told, handedInFor }: PaperToCheck): StoredProblem[] {
  const [only, more] = told
  if (!only || more || handedInFor === null || only.student_id === handedInFor) return []
  return [{ code: 'other_name', pages: only.page === null ? [] : [only.page] }]
}

/** Of a page alone the grader says so itself. */
function otherAssignment({ extracted: { answers, warnings } }: PaperToCheck): StoredProblem[] {
  const other = warnings.find(({ code }) => code === 'other_assignment')
  const whole = other && answers.every(({ found }) => !found)
  return whole ? [{ code: 'other_assignment', pages: [], message: other.message }] : []
}

function wrongPages({ extracted }: PaperToCheck): StoredProblem[] {
  const { of_paper = [], of_blank = [] } = extracted.pages ?? {}
  const full = of_paper.filter(({ empty }) => !empty)
  const shown = new Set(full.flatMap(({ blank_pages }) => blank_pages))
  // On sheets of one's own the blank's pages are not to be expected.
  if (shown.size === 0) return repeated(full)
  const missing = of_blank.filter((page) => !shown.has(page))
  const extra = full.filter((one) => one.blank_pages.length === 0 && !one.answered && one.repeats === undefined)
  return [
    ...(missing.length > 0 && full.length < of_blank.length ? [{ code: 'missing_page' as const, pages: missing }] : []),
    ...(extra.length > 0 && full.length > of_blank.length
      ? [{ code: 'extra_page' as const, pages: extra.map(({ page }) => page) }]
      : []),
    ...repeated(full),
  ]
}

function repeated(full: readonly PageFacts[]): StoredProblem[] {
  const again = full.flatMap(({ page, same }) => (same ? [page] : []))
  return again.length > 0 ? [{ code: 'repeated_page', pages: again }] : []
}

const keyOf = ({ code, pages, other_submission_id }: StoredProblem) =>
  `${code} ${pages.join(' ')} ${other_submission_id ?? ''}`

/** What was decided stays so while the same is found. */
export function withDecisions(found: StoredProblem[], before: readonly StoredProblem[] = []): StoredProblem[] {
  const decided = new Set(before.filter((one) => one.decided).map(keyOf))
  return found.map((one) => (decided.has(keyOf(one)) ? { ...one, decided: true } : one))
}

export const isHeld = (problems: readonly StoredProblem[], grade: SubmissionDoc['grade']): boolean =>
  grade === null && problems.some(({ code, decided }) => !decided && holdingProblems.has(code))
