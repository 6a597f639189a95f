import { termsOf } from './terms.ts'

/**
 * How rare a term is among the questions of a paper: log(1 + questions / questions it occurs in). A question is
 * given as its texts: prompt, key and what the class wrote to it.
 */
export function inverseDocumentFrequencies(questions: string[][]): (term: string) => number {
  const seen = new Map<string, number>()
  for (const texts of questions) {
    for (const term of new Set(texts.flatMap(termsOf))) seen.set(term, (seen.get(term) ?? 0) + 1)
  }
  return (term) => Math.log(1 + questions.length / Math.max(0.5, seen.get(term) ?? 0))
}
