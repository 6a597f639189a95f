import { expect, it } from 'vitest'
import { regionsToGrade } from './regions-to-grade.ts'

const space = (page: number, y: number) => ({ page, box: { x: 0, y, width: 500, height: 200 } })
const drawn = (page: number, y: number) => ({ page, box: { x: 0, y: y + 7, width: 500, height: 186 } })
const line = (page: number, y: number, quote: string) => ({ page, box: { x: 60, y, width: 90, height: 12 }, quote })
const question = { regions: [space(1, 100), space(2, 0)] }

it('shows the whole space of an answer that has words in it, with what was read there', () => {
  const evidence = [line(1, 120, 'nucleus'), line(1, 180, 'wall')]
  expect(regionsToGrade(question, { evidence })).toEqual([{ ...drawn(1, 100), quote: 'nucleus wall' }])
})

it('shows all of the space where nothing was found, on the pages the file has it', () => {
  const all = [drawn(1, 100), drawn(2, 0)].map((one) => ({ ...one, quote: '' }))
  expect(regionsToGrade(question, { evidence: [] })).toEqual(all)
  expect(regionsToGrade(question, { evidence: [] }, [3, 1]).map(({ page }) => page)).toEqual([3, 1])
})

it('shows lines that stand elsewhere, and not a space that is not theirs', () => {
  const beside = line(4, 120, 'see here')
  expect(regionsToGrade(question, { evidence: [beside] })).toEqual([beside])
  expect(regionsToGrade(question, { evidence: [line(2, 50, 'more'), beside] })).toEqual([
    { ...drawn(2, 0), quote: 'more' },
    beside,
  ])
})
