import { termsOf } from './terms.ts'

/** log(1 + questions / questions with the term). A question is given as its prompt, key and the class's answers. */
export function inverseDocumentFrequencies(questions: string[][]): (term: string) => number {
  const seen = new Map<string, number>()
  for (const texts of questions) {
    for (const term of new Set(texts.flatMap(termsOf))) seen.set(term, (seen.get(term) ?? 0) + 1)
  }
  return (term) => Math.log(1 + questions.length / Math.max(0.5, seen.get(term) ?? 0))
}
