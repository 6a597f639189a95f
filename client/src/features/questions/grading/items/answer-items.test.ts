import { expect, it } from 'vitest'
import { buildQuestionAnswer } from '../../../../testing/build-question.ts'
import { saidByPerson } from './answer-items.ts'

const answer = buildQuestionAnswer(11)

it('the words of the grader stand beside its own points, and go where a person gave others', () => {
  expect([...saidByPerson({ ...answer, decided: null }, [])]).toEqual([])
  expect([...saidByPerson({ ...answer, decided: { q3: 5 } }, [])]).toEqual([])
  expect([...saidByPerson({ ...answer, decided: { q3: 2 } }, [])]).toEqual(['q3'])
})
