import { describe, expect, it } from 'vitest'
import type { Answer, PageFacts } from '../../../grader/grader.ts'
import { checkPaper, isHeld, type PaperToCheck, withDecisions } from './check-paper.ts'

const answer: Answer = { question_id: 'q1', text: 'x', found: true, evidence: [], reading: 1 }
const page = (number: number, ...more: Partial<PageFacts>[]): PageFacts =>
  Object.assign({ page: number, blank_pages: [number] }, ...more)

function check(of_paper: PageFacts[], more: Partial<PaperToCheck> = {}) {
  const extracted = { answers: [answer], warnings: [], pages: { of_paper, of_blank: [1, 2, 3] } }
  const found = checkPaper({ extracted, told: [], handedInFor: null, sameAs: null, ...more })
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

it('takes a first page that comes again for another student’s paper, but not another page', () => {
  const again = { repeats: 1, same: false }
  const two = [...whole, page(4, { blank_pages: [1], ...again }), page(5, { blank_pages: [2] })]
  expect(check(two)).toEqual([['two_students', 1, 4]])
  expect(check([...whole, page(4, { blank_pages: [2], repeats: 2, same: false })])).toEqual([])
})

it('tells two students by their names, and another’s name by the roster', () => {
  const [ada, ben] = [
    { student_id: 1, page: 1 },
    { student_id: 2, page: 3 },
  ]
  expect(check(whole, { told: [ada, ben], handedInFor: 1 })).toEqual([['two_students', 1, 3]])
  expect(check(whole, { told: [ben], handedInFor: 1 })).toEqual([['other_name', 3]])
  expect(check(whole, { told: [ada], handedInFor: 1 })).toEqual([])
  expect(check(whole, { told: [ben], handedInFor: null })).toEqual([])
})

it('holds a paper until it is decided on, and again once something else is found', () => {
  const problem = { code: 'two_students' as const, pages: [1, 3] }
  const decided = withDecisions([problem], [{ ...problem, decided: true }])
  expect([isHeld([problem], null), isHeld(decided, null)]).toEqual([true, false])
  expect(isHeld(withDecisions([{ ...problem, pages: [1, 5] }], decided), null)).toBe(true)
})
