export type TextVector = ReadonlyMap<string, number>

/** Length 1 (or empty): (1 + log of a term's count) × its weight, as five mentions say little more than one. */
export function tfIdfVectorOf(terms: Iterable<string>, weight: (term: string) => number): TextVector {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  let squares = 0
  for (const [term, count] of counts) {
    const value = (count === 1 ? Math.LN2 : Math.log1p(count)) * weight(term)
    counts.set(term, value)
    squares += value * value
  }
  const length = Math.sqrt(squares) || 1
  for (const [term, value] of counts) counts.set(term, value / length)
  return counts
}

export function dotProduct(a: TextVector, b: TextVector): number {
  const [few, many] = a.size <= b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [term, value] of few) sum += value * (many.get(term) ?? 0)
  return sum
}

export function sumVectors(vectors: TextVector[]): TextVector {
  const sum = new Map<string, number>()
  for (const vector of vectors) for (const [term, value] of vector) sum.set(term, (sum.get(term) ?? 0) + value)
  return sum
}

const NGRAM_LENGTH = 5
const MAX_LETTERS = 3000

/** 5-grams across words: “colour” and “color” share most. */
export function characterNgrams(words: string[]): string[] {
  const text = ` ${words.join(' ')} `.slice(0, MAX_LETTERS)
  const pieces: string[] = []
  for (let i = 0; i + NGRAM_LENGTH <= text.length; i++) pieces.push(text.slice(i, i + NGRAM_LENGTH))
  return pieces
}
