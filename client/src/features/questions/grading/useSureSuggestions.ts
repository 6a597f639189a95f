import type { QuestionAnswer, QuestionToGrade } from '@assay/shared/questions.ts'
import { useState } from 'react'
import { isDecided, isSure } from './answer-groups.ts'
import type { QuestionChanges } from './useQuestionChanges.ts'

export interface SureSuggestions {
  /** Undecided answers that need no look of their own. */
  answers: QuestionAnswer[]
  /** Undecided ones that do. */
  left: number
  /** How many were accepted by the last step; null where another came after it. */
  accepted: number | null
  /** Accepts all of them, as one step. Their ids. */
  accept: () => number[]
  forget: () => void
}

/** The suggestions for a question that can be accepted at once, wherever they stand in the list. */
export function useSureSuggestions(
  { answers: all, decide }: Pick<QuestionChanges, 'answers' | 'decide'>,
  criteria: QuestionToGrade['question']['criteria'],
): SureSuggestions {
  const [accepted, setAccepted] = useState<number | null>(null)
  const answers = all.filter((answer) => isSure(answer, criteria))
  return {
    answers,
    left: all.filter((answer) => !isDecided(answer, criteria)).length - answers.length,
    accepted,
    accept() {
      if (answers.length === 0) return []
      void decide(answers, 'suggested').then((stored) => stored || setAccepted(null))
      setAccepted(answers.length)
      return answers.map(({ submission_id }) => submission_id)
    },
    forget: () => setAccepted(null),
  }
}
