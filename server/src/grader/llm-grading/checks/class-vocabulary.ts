import { LRUCache } from 'lru-cache'
import type { ClassAnswers } from '../../grader.ts'
import { termsOf } from '../../text/terms.ts'

/** More do not improve which words belong to a question. */
const MAX_COMPARED = 200

interface Counted {
  /** How many of the compared answers have a term. */
  counts: Map<string, number>
  compared: number
  /** Whose answers were compared. */
  ids: Set<number>
}

const cache = new LRUCache<string, Map<string, Counted>>({ max: 8 })

/** How many other students use a term in their answers to a question, and of how many that is. */
export interface ClassVocabulary {
  usesBy(term: string): number
  others: number
}

/** The class's words for a question, without those of the paper `id`. Counted once a class, used for each paper. */
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
