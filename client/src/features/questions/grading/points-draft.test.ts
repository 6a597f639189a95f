import type { Criterion } from '@assay/shared/rubrics.ts'
import { describe, expect, it } from 'vitest'
import { buildQuestionAnswer } from '../../../testing/build-question.ts'
import { saidByPerson } from './items/useItemPanel.ts'
import { columnsFor, pointSteps, pointsOfDraft, typeIntoDraft } from './points-draft.ts'

const criterion = (part: Partial<Criterion> = {}): Criterion => ({
  id: 'q1',
  text: '',
  points: 5,
  expected: '',
  alternatives: [],
  ...part,
})

it('takes digits and one point or comma', () => {
  let draft = {}
  for (const key of ['4', ',', '.', '5', 'j']) draft = typeIntoDraft(draft, criterion(), key) ?? draft
  expect(draft).toEqual({ q1: '4,5' })
  expect(pointsOfDraft(draft, [criterion()])).toEqual({ q1: 4.5 })
  expect(typeIntoDraft(draft, criterion(), 'Backspace')).toEqual({ q1: '4,' })
})

it.each([
  [{ points: 5 }, [0, 1, 2, 3, 4, 5]],
  [{ points: 2 }, [0, 0.5, 1, 1.5, 2]],
  [{ points: 4.5 }, [0, 1, 2, 3, 4, 4.5]],
  [{ points: 40 }, [0, 20, 40]],
  [{ points: 6, levels: [{ points: 4, text: '' }] }, [0, 4, 6]],
])('offers of %j the points %j', (part, steps) => {
  expect(pointSteps(criterion(part))).toEqual(steps)
})

const answer = buildQuestionAnswer(11)

describe('the words of the grader', () => {
  it('stand beside its own points, and go where a person gave others', () => {
    expect([...saidByPerson({ ...answer, decided: null }, [])]).toEqual([])
    expect([...saidByPerson({ ...answer, decided: { q3: 5 } }, [])]).toEqual([])
    expect([...saidByPerson({ ...answer, decided: { q3: 2 } }, [])]).toEqual(['q3'])
  })
})

it('no row of buttons with points has a single one', () => {
  const counts = Array.from({ length: 30 }, (_, i) => pointSteps(criterion({ points: (i + 1) / 2 })).length)
  expect(counts.filter((count) => count % columnsFor(count) === 1)).toEqual([])
  expect([7, 11].map(columnsFor)).toEqual([4, 6])
})
