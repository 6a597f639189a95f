import { SoftMatcher, TermSet } from './soft-match.ts'
import { termsOf } from './terms.ts'

/** The three signals (`docs/grading.md`) of one answer, each 0..1, and their mean. */
export interface Signals {
  /** (a) Coverage of the key's terms, weighted by how telling they are and by how many others use them. */
  reference: number
  /** (b) Coverage of the words the better part of the class uses. */
  vocabulary: number
  /** (c) Cosine to the key and the middle of the answers nearest to it. */
  centroid: number
  /** 1 when the answer says “not” where neither the key nor the better part of the class does, or the other way round. */
  turned: number
  /** Of the three, less a tenth for what is turned round. */
  mean: number
  /** Coverage of the key's terms with nothing demoted but the question's words: what a person would tick off. */
  plain: number
}

type Vector = Map<string, number>

interface Reference {
  terms: Set<string>
  plainWeights: [string, number][]
  vector: Vector
}

const DEMOTED = 0.25
const TOP_SHARE = 0.4
const TOP_AT_LEAST = 3
const NEAR_SHARE = 0.3
const COMMON_AT_LEAST = 0.12
const TURNED_COSTS = 0.1
const NEGATION = new Set(['not', 'no', 'never', 'none'])

/**
 * How rare a term is among the questions of a paper: log(1 + questions / questions it occurs in). A question is
 * given as its texts: prompt, key and what the class wrote to it.
 */
export function inverseFrequencies(questions: string[][]): (term: string) => number {
  const seen = new Map<string, number>()
  for (const texts of questions) {
    for (const term of new Set(texts.flatMap(termsOf))) seen.set(term, (seen.get(term) ?? 0) + 1)
  }
  return (term) => Math.log(1 + questions.length / Math.max(0.5, seen.get(term) ?? 0))
}

/**
 * What a class wrote to one question, prepared so that each answer can be scored on its own. An answer
 * is always compared with the *others*. Scores are the best over the references (key and alternatives).
 */
export class ClassSignals {
  readonly #soft = new SoftMatcher()
  readonly #idf: (term: string) => number
  readonly #inQuestion: (term: string) => number
  readonly #answers: TermSet[]
  readonly #vectors: Vector[]
  readonly #references: Reference[]
  /** For each reference: how well each answer fits, to rank the class by. */
  readonly #ranks: { top: number[]; near: number[] }[] = []
  readonly #users = new Map<string, number[]>()

  constructor(question: string, references: string[], answers: string[], idf: (term: string) => number) {
    this.#idf = idf
    const questionTerms = new Set(termsOf(question))
    this.#inQuestion = (term) => (questionTerms.has(term) ? DEMOTED : 1)
    const terms = answers.map(termsOf)
    this.#answers = terms.map((list) => new TermSet(list))
    this.#vectors = terms.map((list) => this.#vector(list))
    this.#references = references.map((text) => {
      const list = termsOf(text)
      const set = new Set(list)
      const plainWeights = [...set].map((term): [string, number] => [
        term,
        idf(term) * this.#inQuestion(term),
      ])
      return { terms: set, plainWeights, vector: this.#vector(list) }
    })
    for (const reference of this.#references) {
      const plain = this.#answers.map((answer) => this.#coverage(reference.plainWeights, answer))
      const weighted = this.#answers.map((answer, i) => this.#coverage(this.#weights(reference, i), answer))
      this.#ranks.push({
        top: order(plain.map((p, i) => p + 0.5 * (weighted[i] ?? 0))),
        near: order(this.#vectors.map((vector) => cosine(vector, reference.vector))),
      })
    }
  }

  /** How many of the class wrote something. */
  get size(): number {
    return this.#answers.length
  }

  /** How much a term of the key tells, given the class: what feedback names first. */
  weightOf(term: string): number {
    const users = this.#usersOf(term).reduce((sum, use) => sum + use, 0)
    return this.#idf(term) * this.#inQuestion(term) * Math.sqrt(0.05 + users / Math.max(1, this.size))
  }

  /** The signals of the class's `index`-th answer. */
  signalsOf(index: number): Signals {
    let best: Signals = { reference: 0, vocabulary: 0, centroid: 0, turned: 0, mean: -1, plain: 0 }
    for (let r = 0; r < this.#references.length; r++) {
      const signals = this.#against(r, index)
      if (signals.mean > best.mean) best = signals
    }
    return best.mean < 0 ? { ...best, mean: 0 } : best
  }

  #against(r: number, index: number): Signals {
    const reference = this.#references[r]
    const answer = this.#answers[index]
    const vector = this.#vectors[index]
    const ranks = this.#ranks[r]
    if (!reference || !answer || !vector || !ranks) throw new RangeError('no such answer')
    const a = this.#coverage(this.#weights(reference, index), answer)
    const top = this.#topOf(ranks.top, index)
    const b = this.#vocabulary(top, answer, reference)
    const c = this.#nearness(ranks.near, index, vector, reference)
    const plain = this.#coverage(reference.plainWeights, answer)
    const turned = this.#turned(top, answer, reference)
    const mean = Math.max(0, (a + b + c) / 3 - TURNED_COSTS * turned)
    return { reference: a, vocabulary: b, centroid: c, turned, mean, plain }
  }

  /** idf × 0.25 if the question has the term × √(0.05 + share of the others who use it). */
  #weights(reference: Reference, index: number): [string, number][] {
    const others = Math.max(1, this.#answers.length - 1)
    return [...reference.terms].map((term) => {
      const users = this.#usersOf(term)
      const without = users.reduce((sum, use) => sum + use, 0) - (users[index] ?? 0)
      return [term, this.#idf(term) * this.#inQuestion(term) * Math.sqrt(0.05 + without / others)]
    })
  }

  /** For each answer, 1 if it uses the term. */
  #usersOf(term: string): number[] {
    let users = this.#users.get(term)
    if (!users) {
      users = this.#answers.map((answer) => (answer.has(term) ? 1 : 0))
      this.#users.set(term, users)
    }
    return users
  }

  #coverage(weights: [string, number][], answer: TermSet): number {
    let got = 0
    let all = 0
    for (const [term, weight] of weights) {
      all += weight
      got += weight * this.#soft.nearest(term, answer)
    }
    return all > 0 ? got / all : 0
  }

  /** The better part of the others. */
  #topOf(ranked: number[], index: number): number[] {
    const others = ranked.filter((i) => i !== index)
    return others.slice(0, Math.max(TOP_AT_LEAST, Math.round(TOP_SHARE * others.length)))
  }

  /** How far the answer's “not” (or its lack) is from what the key and the better part of the class say. */
  #turned(top: number[], answer: ReadonlySet<string>, reference: Reference): number {
    const negates = (terms: ReadonlySet<string>) => [...terms].some((term) => NEGATION.has(term))
    const share =
      top.length > 0 ? top.filter((i) => negates(this.#answers[i] ?? new Set())).length / top.length : 0
    if (!negates(answer)) return share
    return negates(reference.terms) ? 0 : 1 - share
  }

  #vocabulary(top: number[], answer: TermSet, reference: Reference): number {
    if (top.length === 0) return this.#coverage(reference.plainWeights, answer)
    const uses = new Map<string, number>()
    for (const i of top) for (const term of this.#answers[i] ?? []) uses.set(term, (uses.get(term) ?? 0) + 1)
    const weights: [string, number][] = []
    for (const [term, count] of uses) {
      const share = count / top.length
      if (share >= COMMON_AT_LEAST) weights.push([term, this.#idf(term) * share])
    }
    return this.#coverage(weights, answer)
  }

  #nearness(ranked: number[], index: number, vector: Vector, reference: Reference): number {
    const others = ranked.filter((i) => i !== index)
    const near = others.slice(0, Math.max(1, Math.round(NEAR_SHARE * others.length)))
    const middle: Vector = new Map(reference.vector)
    for (const i of near)
      for (const [term, weight] of this.#vectors[i] ?? [])
        middle.set(term, (middle.get(term) ?? 0) + weight / near.length)
    return cosine(vector, middle)
  }

  /** TF-IDF of length 1, the question's words demoted. */
  #vector(terms: string[]): Vector {
    const vector: Vector = new Map()
    for (const term of terms)
      vector.set(term, (vector.get(term) ?? 0) + this.#idf(term) * this.#inQuestion(term))
    const length = Math.sqrt([...vector.values()].reduce((sum, w) => sum + w * w, 0)) || 1
    for (const [term, weight] of vector) vector.set(term, weight / length)
    return vector
  }
}

/** Indices from the highest score to the lowest; ties as they stand, so that the same class gives the same order. */
function order(scores: number[]): number[] {
  return scores.map((_, i) => i).sort((i, j) => (scores[j] ?? 0) - (scores[i] ?? 0) || i - j)
}

function cosine(a: Vector, b: Vector): number {
  let dot = 0
  let aa = 0
  let bb = 0
  for (const [term, weight] of a) {
    aa += weight * weight
    dot += weight * (b.get(term) ?? 0)
  }
  for (const weight of b.values()) bb += weight * weight
  return aa > 0 && bb > 0 ? dot / Math.sqrt(aa * bb) : 0
}
