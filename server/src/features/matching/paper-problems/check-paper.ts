import { numberedList } from '@assay/shared/rules/format-list.ts'
import type { ExtractedSubmission, PageFacts } from '../../../grader/grader.ts'
import type { StoredProblem } from '../../../records/submissions/submission.model.ts'
import { type PlaceOnPaper, tellOfSeveral } from '../../submissions/matching/paper-evidence.ts'
import { holds } from '../../submissions/paper-problems.ts'

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
