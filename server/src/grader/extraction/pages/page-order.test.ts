import { expect, it } from 'vitest'
import { generateRubric } from '../../rubric/generate-rubric.ts'
import { buildPaper, type LineSpec } from '../../testing/build-paper.ts'
import { extractAnswers } from '../extract-answers.ts'
import { answerSpaces } from './page-order.ts'

const foot = (text: string): LineSpec => ({ text, box: { x: 280, y: 812, width: 40, height: 10 } })
const one = ['Quiz', '1. Why does ice float on water? (10 points)']
const two = ['2. What is the boiling point of water? (5 points)']
const three = ['3. Name three states of matter found on earth. (5 points)']
const blank = buildPaper([...one, '', '', foot('Page 1 of 2')], [...two, '', '', ...three, '', foot('Page 2 of 2')])
const key = buildPaper(
  [...one, 'It is less dense.', foot('Page 1 of 2')],
  [...two, '100 degrees', '', ...three, 'solid', foot('Page 2 of 2')],
)
const rubric = generateRubric(blank, key)

const first = (label = 'Page 1 of 2') => [...one, 'because it is less dense', foot(label)]
const second = (label = 'Page 2 of 2') => [...two, 'at 100 degrees', ...three, 'solid and', foot(label)]
const textsOf = (extracted: ReturnType<typeof extractAnswers>) => extracted.answers.map(({ text }) => text)
const texts = ['because it is less dense', 'at 100 degrees', 'solid and']

it('leaves pages alone that are in order', () => {
  const extracted = extractAnswers(rubric, blank, buildPaper(first(), second()))
  expect(textsOf(extracted)).toEqual(texts)
  expect(extracted).not.toHaveProperty('page_order')
})

it('puts pages in order by what is printed on them; places stay those of the file', () => {
  const extracted = extractAnswers(rubric, blank, buildPaper(second(), first()))
  expect(textsOf(extracted)).toEqual(texts)
  expect(extracted.page_order).toEqual([2, 1])
  expect(extracted.answers.map(({ evidence }) => evidence[0]?.page)).toEqual([2, 1, 1])
  expect(extracted.warnings).toEqual([])
})

it('keeps a page without print behind the page it follows', () => {
  const extracted = extractAnswers(rubric, blank, buildPaper(second(), ['liquid and gas'], first()))
  expect(extracted.page_order).toEqual([3, 1, 2])
  expect(textsOf(extracted)[2]).toBe('solid and\nliquid and gas')
  expect(extracted.answers[2]?.evidence.map(({ page }) => page)).toEqual([1, 2])
})

it('reads pages as they come, and says so, when their numbers and questions contradict one another', () => {
  const extracted = extractAnswers(rubric, blank, buildPaper(second('Page 1 of 2'), first('Page 2 of 2')))
  expect(extracted.warnings.map(({ code }) => code)).toEqual(['page_order'])
  expect(extracted).not.toHaveProperty('page_order')
})

it('believes the codes of printed copies before what is printed on the pages', () => {
  const { pages } = buildPaper(second('Page 1 of 2'), first('Page 2 of 2'))
  const coded = { pages: pages.map((page) => ({ ...page, printed_page: page.number === 1 ? 2 : 1 })) }
  const extracted = extractAnswers(rubric, blank, coded)
  expect(extracted.page_order).toEqual([2, 1])
  expect(textsOf(extracted)).toEqual(texts)
  expect(extracted.warnings).toEqual([])
})

it('finds answers and their empty spaces in a file of which other pages were left out', () => {
  const { pages } = buildPaper(first(), [...two, '', '', ...three, '', foot('Page 2 of 2')])
  const [front, back] = pages.map((page) => ({ ...page, number: page.number + 1 }))
  if (!front || !back) throw new Error('two pages')
  const extracted = extractAnswers(rubric, blank, { pages: [front, back] })
  expect(extracted.answers.map(({ text, evidence }) => [text, evidence[0]?.page])).toEqual([
    [texts[0], 2],
    ['', undefined],
    ['', undefined],
  ])
  const spacesOf = (index: number) => answerSpaces(rubric.questions[index] ?? { regions: [] }, extracted.page_order)
  expect([0, 1, 2].map((index) => spacesOf(index)[0]?.page)).toEqual([2, 3, 3])
  expect(extracted.warnings).toEqual([])
  const alone = extractAnswers(rubric, blank, { pages: [{ ...front, number: 4 }] })
  expect([alone.answers[0]?.evidence[0]?.page, alone.page_order]).toEqual([4, [4]])
})
