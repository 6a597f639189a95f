import { expect, it } from 'vitest'
import { fitsLabel } from '../../papers/answer-sheet/sheet-design.ts'
import { presentSheetQuestions } from './print.service.ts'

const prompt = 'Which are prime?\nA) 2\nB) 4\nC) 5\nD) 9'
const question = (number: string, ...expected: string[]) => ({
  ...{ id: `q${number}`, number, kind: 'choice' as const, prompt, regions: [] },
  criteria: expected.map((one, i) => ({ id: `c${i}`, text: '', points: 1, expected: one, alternatives: [] })),
})

it('has no circles for a question that asks for several options, nor where its number cannot be printed in full', () => {
  const questions = [
    question('1', 'A'),
    question('2', 'A and C'),
    question('3', 'A', 'C'),
    question('3 a iii', 'B'),
    question('Section Botany 12', 'B'),
    { ...question('4', 'A'), prompt: 'Which are prime?' },
  ]
  const { questions: printed, left_out } = presentSheetQuestions({ questions, problems: [] }, [])
  expect(printed.map(({ number }) => number)).toEqual(['1', '3 a iii'])
  expect(left_out.map(({ number, why }) => [number, why])).toEqual([
    ['2', 'several'],
    ['3', 'several'],
    ['Section Botany 12', 'label'],
    ['4', 'options'],
  ])
})

it('prints what numbers mostly look like in full', () => {
  for (const label of ['12', '12(a)', '3 a ii', '10 b iii', 'Q12', '1.2.3', '4(c)(iv)'])
    expect([label, fitsLabel(label)]).toEqual([label, true])
  for (const label of ['Section B 1', '1 (part two)']) expect([label, fitsLabel(label)]).toEqual([label, false])
})
