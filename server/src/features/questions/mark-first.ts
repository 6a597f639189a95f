import type { QuestionToGrade } from '@assay/shared/questions.ts'
import type { AnsweredQuestion } from './question-answers.ts'
export const markFirst = (_: AnsweredQuestion): Pick<QuestionToGrade, 'mark_first' | 'expected_error'> => ({
  mark_first: [],
  expected_error: null,
})
