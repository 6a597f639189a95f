import { BetterPart } from './better-part.ts'
import { Nearness, order } from './nearness.ts'
import { isNegated } from './negation.ts'
import { SIGNALS, type SignalSettings } from './signal-settings.ts'
import { SoftMatcher, TermSet } from './soft-match.ts'
import { isStopWord, stemOf, termsOf, wordsOf } from './terms.ts'
import { piecesOf, vectorOf } from './text-vector.ts'

/** The signals (`docs/grading.md`) of one answer, each 0..1, and what they come to. */
export interface Signals {
  /** (a) Coverage of the key's terms, weighted by how telling they are and by how many others use them. */
  reference: number
  /** (b) Coverage of the words the better part of the class uses. */
  vocabulary: number
  /** (c) Cosine to the key and the middle of the answers nearest to it, by words and by pieces of words. */
  centroid: number
  /** 1 when the answer says “not” where neither the key nor the better part of the class does, or the other way round. */
  turned: number
  /** Mean of the three, less a fifth of it for what is turned round. */
  mean: number
  /** Coverage of the key's terms with nothing demoted but the question's words: what a person would tick off. */
  plain: number
}

interface Reference {
  terms: Set<string>
  negates: boolean
  plainWeights: [string, number][]
  top: BetterPart
}

/**
 * What a class wrote to one question, prepared so that each answer can be scored on its own. An answer
 * is always compared with the *others*. Scores are the best over the references (key and alternatives).
 */
export class ClassSignals {
  readonly #soft = new SoftMatcher()
  readonly #settings: SignalSettings
  readonly #idf: (term: string) => number
  readonly #inQuestion: (term: string) => number
  readonly #answers: TermSet[]
  readonly #negates: boolean[]
  readonly #references: Reference[]
  readonly #words: Nearness
  readonly #pieces: Nearness
  readonly #users = new Map<string, { each: boolean[]; all: number }>()

  constructor(
    question: string,
    references: string[],
    answers: string[],
    idf: (term: string) => number,
    settings: SignalSettings = SIGNALS,
  ) {
    this.#idf = idf
    this.#settings = settings
    const asked = { terms: new Set(termsOf(question)), pieces: new Set(piecesOf(wordsOf(question))) }
    const demoted = (known: Set<string>) => (term: string) => (known.has(term) ? settings.demoted : 1)
    this.#inQuestion = demoted(asked.terms)
    const inPrompt = demoted(asked.pieces)
    const byWord = (terms: string[]) => vectorOf(terms, (term) => idf(term) * this.#inQuestion(term))
    const byPiece = (words: string[]) => vectorOf(piecesOf(words), inPrompt)
    const read = (text: string) => {
      const words = wordsOf(text)
      const telling = words.filter((word) => !isStopWord(word))
      return { words, terms: (telling.length > 0 ? telling : words).map(stemOf) }
    }
    const own = answers.map(read)
    const keys = references.map(read)
    this.#answers = own.map(({ terms }) => new TermSet(terms))
    this.#negates = answers.map(isNegated)
    this.#words = new Nearness(
      own.map(({ terms }) => byWord(terms)),
      keys.map(({ terms }) => byWord(terms)),
    )
    this.#pieces = new Nearness(
      own.map(({ words }) => byPiece(words)),
      keys.map(({ words }) => byPiece(words)),
    )
    this.#references = keys.map(({ terms }, i) =>
      this.#prepare(new Set(terms), isNegated(references[i] ?? '')),
    )
  }

  #prepare(terms: Set<string>, negates: boolean): Reference {
    const plainWeights = [...terms].map((term): [string, number] => [term, this.#weight(term)])
    const fit = this.#answers.map(
      (answer, i) =>
        this.#coverage(plainWeights, answer) + 0.5 * this.#coverage(this.#keyWeights(terms, i), answer),
    )
    const top = new BetterPart(order(fit), this.#settings.top, this.#answers, this.#negates)
    return { terms, negates, plainWeights, top }
  }

  /** How many of the class wrote something. */
  get size(): number {
    return this.#answers.length
  }

  /** How alike two answers of the class are, 0..1, by words and by pieces of words. */
  likeness(a: number, b: number): number {
    return (this.#words.cosine(a, b) + this.#pieces.cosine(a, b)) / 2
  }

  /** How many different terms an answer has. */
  lengthOf(index: number): number {
    return this.#answers[index]?.size ?? 0
  }

  /** How much a term of the key tells, given the class: what feedback names first. */
  weightOf(term: string): number {
    return this.#weight(term) * Math.sqrt(0.05 + this.#usersOf(term).all / Math.max(1, this.size))
  }

  /** The signals of the class's `index`-th answer. */
  signalsOf(index: number): Signals {
    let best: Signals = { reference: 0, vocabulary: 0, centroid: 0, turned: 0, mean: -1, plain: 0 }
    for (let r = 0; r < this.#references.length; r++) {
      const signals = this.#against(r, index)
      if (signals.mean > best.mean) best = signals
    }
    if (best.mean <= 0) return { ...best, mean: 0 }
    const { central, length } = this.#settings
    const said = Math.log(Math.max(3, this.lengthOf(index)) / 6)
    const mean = best.mean + central * this.#words.central(index) + length * said
    return { ...best, mean: Math.min(1, Math.max(0, mean)) }
  }

  #against(r: number, index: number): Signals {
    const reference = this.#references[r]
    const answer = this.#answers[index]
    if (!reference || !answer) throw new RangeError('no such answer')
    const a = this.#coverage(this.#keyWeights(reference.terms, index), answer)
    const b = this.#vocabulary(reference, index, answer)
    const c = (this.#words.toMiddle(r, index) + this.#pieces.toMiddle(r, index)) / 2
    const plain = this.#coverage(reference.plainWeights, answer)
    const turned = this.#turned(reference, index)
    const mean = ((a + b + c) / 3) * (1 - this.#settings.turnedCosts * turned)
    return { reference: a, vocabulary: b, centroid: c, turned, mean, plain }
  }

  #weight(term: string): number {
    return this.#idf(term) * this.#inQuestion(term)
  }

  /** idf, demoted if the question has the term, × √(0.05 + share of the others who use it). */
  #keyWeights(terms: Set<string>, index: number): [string, number][] {
    const others = Math.max(1, this.#answers.length - 1)
    return [...terms].map((term) => {
      const { each, all } = this.#usersOf(term)
      return [term, this.#weight(term) * Math.sqrt(0.05 + (all - (each[index] ? 1 : 0)) / others)]
    })
  }

  /** For each answer, whether it uses the term, and how many do. */
  #usersOf(term: string): { each: boolean[]; all: number } {
    let users = this.#users.get(term)
    if (!users) {
      const each = this.#answers.map((answer) => answer.has(term))
      users = { each, all: each.filter(Boolean).length }
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

  #vocabulary({ top, plainWeights }: Reference, index: number, answer: TermSet): number {
    if (top.size === 0) return this.#coverage(plainWeights, answer)
    const weights: [string, number][] = []
    for (const [term, share] of top.usesWithout(index))
      if (share >= this.#settings.common) weights.push([term, this.#weight(term) * share])
    return this.#coverage(weights, answer)
  }

  /** How far the answer's “not” (or its lack) is from what the key and the better part of the class say. */
  #turned({ top, negates }: Reference, index: number): number {
    const share = top.negationsWithout(index)
    if (!this.#negates[index]) return share
    return negates ? 0 : 1 - share
  }
}
