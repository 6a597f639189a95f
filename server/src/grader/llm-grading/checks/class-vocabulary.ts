import { LRUCache } from 'lru-cache'
import type { ClassAnswers } from '../../grader.ts'
import { termsOf } from '../../text/terms.ts'

const MAX_COMPARED = 200

interface Counted {
  counts: Map<string, number>
  compared: number
  ids: Set<number>
}

const cache = new LRUCache<string, Map<string, Counted>>({ max: 8 })

/** Other students who use a term for a question, out of `compared`. */
export interface ClassVocabulary {
  usesBy(term: string): number
  others: number
}

/** Without the paper `id`. Counted once per class. */
export function classVocabulary(everyone: ClassAnswers, questionId: string, id: number): ClassVocabulary {
  const questions = cache.get(everyone.key) ?? new Map<string, Counted>()
  const counted = questions.get(questionId) ?? count(everyone, questionId)
  questions.set(questionId, counted)
  cache.set(everyone.key, questions)
  const own = counted.ids.has(id) ? new Set(termsOf(textOf(everyone, questionId, id))) : new Set<string>()
  return {
    usesBy: (term) => (counted.counts.get(term) ?? 0) - (own.has(term) ? 1 : 0),
    others: counted.compared - (counted.ids.has(id) ? 1 : 0),
  }
}

function count(everyone: ClassAnswers, questionId: string): Counted {
  const counted: Counted = { counts: new Map(), compared: 0, ids: new Set() }
  for (const { id, extracted } of everyone.submissions) {
    const text = extracted.answers.find((answer) => answer.question_id === questionId)?.text ?? ''
    if (text.trim() === '') continue
    for (const term of new Set(termsOf(text))) counted.counts.set(term, (counted.counts.get(term) ?? 0) + 1)
    counted.ids.add(id)
    counted.compared++
    if (counted.compared === MAX_COMPARED) break
  }
  return counted
}

const textOf = (everyone: ClassAnswers, questionId: string, id: number): string =>
  everyone.submissions
    .find((submission) => submission.id === id)
    ?.extracted.answers.find((answer) => answer.question_id === questionId)?.text ?? ''
