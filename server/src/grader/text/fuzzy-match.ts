import { synonymsOf } from './terms.ts'

/**
 * 0..1: 1 less edit distance (Levenshtein, 1966) over length; 0 below 0.5, so that unrelated words do not add up. First
 * letters must match, as slips hardly ever change them. Short words, numbers and operators match only themselves.
 */
export function spellingSimilarity(a: string, b: string): number {
  if (a === b) return 1
  if (a[0] !== b[0] || a.length < 3 || b.length < 3 || !isLetters(a) || !isLetters(b)) return 0
  const longer = Math.max(a.length, b.length)
  if (Math.abs(a.length - b.length) > longer / 2) return 0
  const score = 1 - editDistance(a, b) / longer
  return score >= 0.5 ? score : 0
}

const isLetters = (text: string) => /^\p{L}+$/u.test(text)

export function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replace, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    above = row
  }
  return above[b.length] ?? 0
}

/** Caches comparisons: a class's words recur. */
export class FuzzyMatcher {
  readonly #known = new Map<string, Map<string, number>>()
  readonly #synonym: number
  #size = 0

  /** `synonym`: score of another word for the same. */
  constructor(synonym: number) {
    this.#synonym = synonym
  }

  similarity(a: string, b: string): number {
    if (a === b) return 1
    if (this.#size > 400_000) {
      this.#known.clear()
      this.#size = 0
    }
    let row = this.#known.get(a)
    if (!row) {
      row = new Map()
      this.#known.set(a, row)
    }
    let score = row.get(b)
    if (score === undefined) {
      score = spellingSimilarity(a, b)
      row.set(b, score)
      this.#size++
    }
    return score
  }

  bestMatch(term: string, others: TermSet): number {
    if (others.has(term)) return 1
    let best = 0
    for (const other of synonymsOf(term)) if (others.has(other)) best = this.#synonym
    for (const other of others.withSameInitial(term)) {
      const score = this.similarity(term, other)
      if (score > best) best = score
    }
    return best
  }
}

/** Comparing spellings of longer texts would take too long. */
const MAX_FUZZY_TERMS = 500

export class TermSet extends Set<string> {
  readonly #byLetter: Map<string, string[]>

  constructor(terms: Iterable<string>) {
    super(terms)
    this.#byLetter = Map.groupBy(this.size > MAX_FUZZY_TERMS ? [] : this, (term) => term.charAt(0))
  }

  withSameInitial(term: string): readonly string[] {
    return this.#byLetter.get(term.charAt(0)) ?? []
  }
}
