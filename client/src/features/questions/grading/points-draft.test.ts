import type { Criterion } from '@assay/shared/rubrics.ts'
import { expect, it } from 'vitest'
import { draftError, pointSteps, pointsOfDraft, stepDraft, toggleDraft, typeIntoDraft } from './points-draft.ts'

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

it('gives nothing while a criterion has more than it can earn, and leaves out those without points', () => {
  const two = [criterion(), criterion({ id: 'q2', points: 1 })]
  expect(pointsOfDraft({ q1: '5', q2: '2' }, two)).toBeNull()
  expect(draftError({ q2: '2' }, two[1] ?? criterion())).toBe('At most 1')
  expect(pointsOfDraft({ q1: '5' }, two)).toEqual({ q1: 5 })
  expect(pointsOfDraft({}, two)).toBeNull()
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

it('steps up and down, and toggles all and nothing', () => {
  expect(stepDraft({}, criterion(), true)).toEqual({ q1: '0' })
  expect(stepDraft({}, criterion(), false)).toEqual({ q1: '5' })
  expect(stepDraft({ q1: '4.5' }, criterion(), true)).toEqual({ q1: '5' })
  expect(stepDraft({ q1: '5' }, criterion(), true)).toEqual({ q1: '5' })
  expect(toggleDraft({ q1: '3' }, criterion())).toEqual({ q1: '5' })
  expect(toggleDraft({ q1: '5' }, criterion())).toEqual({ q1: '0' })
})
