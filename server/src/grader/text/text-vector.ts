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

function sumVectors(vectors: TextVector[]): TextVector {
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

const NEAREST_SHARE = 0.3

interface Centroid {
  reference: TextVector
  count: number
  /** The nearest `taken`, and the one that moves up when a member is asked about. */
  members: Set<number>
  next: TextVector | undefined
  sum: TextVector
  sumSquared: number
  withReference: number
}

/** Vectors are of length 1 or empty. */
export class CentroidSimilarity {
  readonly #answers: TextVector[]
  readonly #middles: Centroid[]
  readonly #all: TextVector
  readonly #central: number

  constructor(answers: TextVector[], references: TextVector[]) {
    this.#answers = answers
    this.#middles = references.map((reference) => this.#middleOf(reference))
    this.#all = sumVectors(answers)
    const { length } = answers
    this.#central = length > 1 ? answers.reduce((sum, answer) => sum + this.#meanCosine(answer), 0) / length : 0
  }

  #middleOf(reference: TextVector): Centroid {
    const cosines = this.#answers.map((answer) => dotProduct(answer, reference))
    const ranked = rankDescending(cosines)
    const others = ranked.length - 1
    const taken = others > 0 ? Math.max(1, Math.round(NEAREST_SHARE * others)) : 0
    const near = ranked.slice(0, taken)
    const sum = sumVectors(near.flatMap((i) => this.#answers[i] ?? []))
    return {
      reference,
      count: taken,
      members: new Set(near),
      next: this.#answers[ranked[taken] ?? -1],
      sum,
      sumSquared: dotProduct(sum, sum),
      withReference: dotProduct(sum, reference),
    }
  }

  /** Cosine to the key plus the mean of the nearest 30 % of the *others*. */
  toCentroid(reference: number, index: number): number {
    const middle = this.#middles[reference]
    const own = this.#answers[index]
    if (!middle || !own || own.size === 0) return 0
    const { reference: key, count, sum, next } = middle
    const toKey = dotProduct(own, key)
    const keySquared = dotProduct(key, key)
    if (count === 0) return toKey
    let { sumSquared, withReference } = middle
    let toSum = dotProduct(own, sum)
    if (middle.members.has(index) && next) {
      // sum − own + next, without building it.
      const toNext = dotProduct(own, next)
      sumSquared += 1 + dotProduct(next, next) - 2 * toSum + 2 * dotProduct(sum, next) - 2 * toNext
      withReference += dotProduct(next, key) - toKey
      toSum += toNext - 1
    }
    const length = keySquared + (2 * withReference) / count + sumSquared / count ** 2
    return length > 0 ? (toKey + toSum / count) / Math.sqrt(length) : 0
  }

  /** Mean cosine to the others, less the class's mean of that. */
  centrality(index: number): number {
    const own = this.#answers[index]
    return own && this.#answers.length > 1 ? this.#meanCosine(own) - this.#central : 0
  }

  cosine(a: number, b: number): number {
    const [one, other] = [this.#answers[a], this.#answers[b]]
    return one && other ? dotProduct(one, other) : 0
  }

  #meanCosine(own: TextVector): number {
    return (dotProduct(own, this.#all) - dotProduct(own, own)) / (this.#answers.length - 1)
  }
}

export function rankDescending(scores: number[]): number[] {
  return scores.map((_, i) => i).sort((i, j) => (scores[j] ?? 0) - (scores[i] ?? 0) || i - j)
}

/** 0..1: twice the shared trigrams over all (Dice, 1945). */
export function trigramSimilarity(a: string, b: string): number {
  const [own, other] = [trigramsOf(a), trigramsOf(b)]
  if (own.size + other.size === 0) return 1
  return (2 * [...own].filter((piece) => other.has(piece)).length) / (own.size + other.size)
}

const trigramsOf = (text: string) =>
  new Set(Array.from({ length: Math.max(0, text.length - 2) }, (_, i) => text.slice(i, i + 3)))
