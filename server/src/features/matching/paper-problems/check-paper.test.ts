import { describe, expect, it } from 'vitest'
import type { Answer, OwnerHint, PageFacts } from '../../../grader/grader.ts'
import type { RosterStudent } from '../../submissions/matching/name-index.ts'
import { createPaperReader } from '../../submissions/matching/paper-evidence.ts'
import { isHeld, presentProblem } from '../../submissions/paper-problems.ts'
import { checkPaper, type PaperToCheck, withDecisions } from './check-paper.ts'

const answer: Answer = { question_id: 'q1', text: 'x', found: true, evidence: [], reading: 1 }
const page = (number: number, ...more: Partial<PageFacts>[]): PageFacts =>
  Object.assign({ page: number, blank_pages: [number] }, ...more)

function check(of_paper: PageFacts[], more: Partial<PaperToCheck> = {}) {
  const extracted = { answers: [answer], warnings: [], pages: { of_paper, of_blank: [1, 2, 3] } }
  const found = checkPaper({ extracted, places: [], handedInFor: null, printedForOther: [], sameAs: null, ...more })
  return found.map(({ code, pages }) => [code, ...pages])
}

const whole = [page(1), page(2), page(3)]
const empty = { blank_pages: [], empty: true as const }

describe('a paper as it should be', () => {
  it.each([
    ['the blank’s pages', whole],
    ['with empty backs', [page(1), page(2, empty), page(3, { blank_pages: [2] }), page(4, { blank_pages: [3] })]],
    ['with a sheet of answers more', [...whole, page(4, { blank_pages: [], answered: true })]],
    ['on sheets of one’s own', [page(1, { blank_pages: [] })]],
    ['on one sheet of one’s own with the blank’s title', [page(1, { own_sheet: true, answered: true })]],
    ['with print that runs over', [page(1), page(2, { blank_pages: [1, 2] }), page(3)]],
    ['with a page on which no print was found', [page(1), page(2, { blank_pages: [] }), page(3)]],
  ])('%s', (_, pages) => {
    expect(check(pages)).toEqual([])
  })
})

it('names missing, extra and repeated pages, and grades the paper', () => {
  const missing = check([page(1), page(2, { blank_pages: [3] })])
  expect(missing).toEqual([['missing_page', 2]])
  expect(check([...whole, page(4, { blank_pages: [] })])).toEqual([['extra_page', 4]])
  expect(check([...whole, page(4, { blank_pages: [2], repeats: 2, same: true })])).toEqual([['repeated_page', 4]])
  expect(isHeld([{ code: 'missing_page', pages: [2] }], null)).toBe(false)
})

it('names damaged pages, which are missing no more than that', () => {
  const damaged = { ...empty, damaged: true as const }
  expect(check([page(1), page(2, damaged), page(3)])).toEqual([['damaged_page', 2]])
  expect(check([page(1, damaged)])).toEqual([['damaged_page', 1]])
  expect(check([page(1), page(2, damaged)])).toEqual([
    ['damaged_page', 2],
    ['missing_page', 2, 3],
  ])
  expect(check([page(1), page(2, { damaged: true })])).toEqual([
    ['damaged_page', 2],
    ['missing_page', 3],
  ])
  expect(isHeld([{ code: 'damaged_page', pages: [2] }], null)).toBe(false)
})

it('takes a first page that comes again for another student’s paper where it names one, else for the same page', () => {
  const again = { repeats: 1, same: false }
  const two = [...whole, page(4, { blank_pages: [1], ...again }), page(5, { blank_pages: [2] })]
  const on = (at: number, ...student_ids: number[]) => ({ page: at, student_ids, sure: false })
  expect(check(two, { places: [on(1, 1), on(4, 2)] })).toEqual([['two_students', 1, 4]])
  expect(check(two, { places: [on(1, 1), on(4, 1)] })).toEqual([['repeated_page', 4]])
  expect(check(two, { places: [on(4, 2)] })).toEqual([['repeated_page', 4]])
  expect(check(two)).toEqual([['repeated_page', 4]])
  expect(check([...whole, page(4, { blank_pages: [2], repeats: 2, same: false })])).toEqual([])
})

it('holds a paper with a code that was printed for another, and flags it where its student is plain', () => {
  const message = 'The codes on pages 1 and 3 were printed for another student.'
  const problem = { code: 'other_name', pages: [1, 3], message }
  const extracted = { answers: [answer], warnings: [], pages: { of_paper: whole, of_blank: [1, 2, 3] } }
  const paper = { extracted, places: [], printedForOther: [1, 3], sameAs: null }
  const held = checkPaper({ ...paper, handedInFor: 2 })
  expect(held).toEqual([problem])
  expect(isHeld(held, null)).toBe(true)
  expect(held.map((one) => presentProblem(one).message)).toEqual([message])
  const named = [{ page: 1, student_ids: [2], sure: true }]
  expect(checkPaper({ ...paper, places: named, handedInFor: 2 })).toEqual([{ ...problem, only_flags: true }])
  expect(checkPaper({ ...paper, handedInFor: null })).toEqual([{ ...problem, only_flags: true }])
})

describe('whose it is, by what is written on it', () => {
  const student = (_id: number, full_name: string): RosterStudent => ({
    _id,
    username: `user${_id}`,
    full_name,
    email: `user${_id}@school.example`,
    email_verified: true,
    added_by_staff: true,
    numbers: [`B${20_000 + _id}`],
  })
  const roster = ['Ada Byron', 'Ben King', 'Anna Meier', 'Anna Meier', 'Johanna Klein', 'Thea Sand'].map((name, i) =>
    student(i + 1, name),
  )
  const read = createPaperReader(roster)
  type Written = [text: string, page?: number, kind?: OwnerHint['kind']]
  const found = (handedInFor: number | null, ...written: Written[]) => {
    const { places } = read(written.map(([text, at = 1, kind = 'name']) => ({ text, page: at, kind, ocr: false })))
    const extracted = { answers: [answer], warnings: [], pages: { of_paper: whole, of_blank: [1, 2, 3] } }
    return checkPaper({ extracted, places, handedInFor, printedForOther: [], sameAs: null }).map((one) => [
      one.code,
      ...one.pages,
      isHeld([one], null) ? 'held' : 'flagged',
    ])
  }

  it.each<[string, number | null, Written[], unknown[]]>([
    ['two names in their fields', null, [['Ada Byron'], ['Ben King', 3]], ['two_students', 1, 3, 'held']],
    ['another’s name', 1, [['Ben King', 3]], ['other_name', 3, 'held']],
    ['another’s number', 1, [['B20002', 1, 'number']], ['other_name', 1, 'held']],
  ])('holds a paper with %s', (_, handedInFor, written, problem) => {
    expect(found(handedInFor, ...written)).toEqual([problem])
  })

  it.each<[string, number | null, Written[]]>([
    ['its student’s name', 1, [['Ada Byron']]],
    ['a name that nobody handed it in for', null, [['Ben King']]],
    ['a name that two students have, handed in by one', 4, [['Anna Meier']]],
    ['a name that two students have, of nobody yet', null, [['Anna Meier']]],
    ['such a name on each page, and a number', null, [['Anna Meier'], ['B20004', 1, 'number'], ['Anna Meier', 2]]],
    ['a partner’s name in the field as well', null, [['Ada Byron, Ben King']]],
  ])('says nothing of a paper with %s', (_, handedInFor, written) => {
    expect(found(handedInFor, ...written)).toEqual([])
  })

  it.each<[string, number | null, Written[], unknown[]]>([
    ['its student’s name and another’s', 1, [['Ada Byron'], ['Ben King', 3]], ['two_students', 1, 3, 'flagged']],
    ['a first name alone', 5, [['Thea']], ['other_name', 1, 'flagged']],
    [
      'a partner’s name at a page’s foot',
      null,
      [['Ada Byron'], ['Ben King', 2, 'unlabelled']],
      ['two_students', 1, 2, 'flagged'],
    ],
    ['a name at a page’s top alone', 1, [['Ben King', 2, 'unlabelled']], ['other_name', 2, 'flagged']],
  ])('holds no paper with %s, and has somebody look', (_, handedInFor, written, problem) => {
    expect(found(handedInFor, ...written)).toEqual([problem])
  })
})

it.each([
  ['names somebody else', [1, 1], [2, 2], [3, 2], 2],
  ['names somebody else, after one without a name', [1, 1], [3, 2], [4, 2], 3],
  ['names somebody else, after two of the first', [1, 1], [2, 1], [3, 2], 3],
])('lets the second paper begin on the first page that %s', (_, ...rest) => {
  const begins = rest.pop()
  const places = rest.map((one) => {
    const [at = 0, who = 0] = one as number[]
    return { page: at, student_ids: [who], sure: true }
  })
  const extracted = { answers: [answer], warnings: [], pages: { of_paper: whole, of_blank: [1, 2, 3] } }
  const [problem] = checkPaper({ extracted, places, handedInFor: null, printedForOther: [], sameAs: null })
  expect(problem).toMatchObject({ code: 'two_students', second_begins_on: begins })
})

it('holds a paper until it is decided on, and again once something else is found', () => {
  const problem = { code: 'two_students' as const, pages: [1, 3] }
  const decided = withDecisions([problem], [{ ...problem, decided: true }])
  expect([isHeld([problem], null), isHeld(decided, null)]).toEqual([true, false])
  expect(isHeld(withDecisions([{ ...problem, pages: [1, 5] }], decided), null)).toBe(true)
})
