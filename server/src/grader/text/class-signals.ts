import { FuzzyMatcher, TermSet } from './fuzzy-match.ts'
import { DEFAULT_SIGNAL_SETTINGS, type SignalSettings } from './signal-settings.ts'
import { isNegated, isStopWord, stemOf, termsOf, wordsOf } from './terms.ts'
import { CentroidSimilarity, characterNgrams, rankDescending, tfIdfVectorOf } from './text-vector.ts'

type ReadText = { words: string[]; terms: string[] }

/** Signals by answer, each 0..1 (`docs/grading.md`). */
interface Reference {
  negates: boolean
  /** With only the question's words demoted: what a person would tick off. */
  plainWeights: [string, number][]
  top: TopAnswers
  /** Coverage of the key's terms, weighted by how telling they are and by how many others use them. */
  keyCoverage: number[]
  /** Cosine to the key and the nearest answers, by words and character n-grams. */
  centroidSimilarity: number[]
}

/** Scores each answer against the *others*; the best over the references (key and alternatives). */
export class ClassSignals {
  readonly #soft: FuzzyMatcher
  readonly #settings: SignalSettings
  /** idf, demoted if the question has the term. */
  readonly #weight: (term: string) => number
  readonly #answers: TermSet[]
  readonly #users = new Map<string, { each: boolean[]; all: number }>()
  /** Different terms by answer, without those that nobody else has. */
  readonly #sharedLengths: number[]
  readonly #negates: boolean[]
  readonly #references: Reference[]
  readonly #words: CentroidSimilarity
  readonly #pieces: CentroidSimilarity

  constructor(
    question: string,
    references: string[],
    answers: string[],
    idf: (term: string) => number,
    settings: SignalSettings = DEFAULT_SIGNAL_SETTINGS,
  ) {
    this.#soft = new FuzzyMatcher(settings.synonymScore)
    this.#settings = settings
    const asked = { terms: new Set(termsOf(question)), pieces: new Set(characterNgrams(wordsOf(question))) }
    const demoted = (known: Set<string>) => (term: string) => (known.has(term) ? settings.questionTermFactor : 1)
    const inQuestion = demoted(asked.terms)
    const inPrompt = demoted(asked.pieces)
    this.#weight = (term) => idf(term) * inQuestion(term)
    const byWord = ({ terms }: ReadText) => tfIdfVectorOf(terms, this.#weight)
    const byPiece = ({ words }: ReadText) => tfIdfVectorOf(characterNgrams(words), inPrompt)
    const read = (text: string): ReadText => {
      const words = wordsOf(text)
      const telling = words.filter((word) => !isStopWord(word))
      return { words, terms: (telling.length > 0 ? telling : words).map(stemOf) }
    }
    const own = answers.map(read)
    const keys = references.map(read)
    this.#answers = own.map(({ terms }) => new TermSet(terms))
    const known = new Set([...asked.terms, ...keys.flatMap(({ terms }) => terms)])
    this.#sharedLengths = sharedLengths(this.#answers, known)
    this.#negates = answers.map(isNegated)
    this.#words = new CentroidSimilarity(own.map(byWord), keys.map(byWord))
    this.#pieces = new CentroidSimilarity(own.map(byPiece), keys.map(byPiece))
    this.#references = keys.map(({ terms }, i) => this.#prepare(i, new Set(terms), isNegated(references[i] ?? '')))
  }

  #prepare(r: number, terms: Set<string>, negates: boolean): Reference {
    const plainWeights = [...terms].map((term): [string, number] => [term, this.#weight(term)])
    const covered = this.#answers.map((answer, i) => this.#coverage(this.#weightsAmongOthers(terms, i), answer))
    const central = this.#answers.map((_, i) => (this.#words.toCentroid(r, i) + this.#pieces.toCentroid(r, i)) / 2)
    const better = (scores: number[]) =>
      new TopAnswers(rankDescending(scores), this.#settings.topShare, this.#answers, this.#negates)
    const at = (values: number[], i: number) => values[i] ?? 0
    // The top answers are chosen by the key first, then by all three signals.
    const first = better(this.#answers.map((answer, i) => this.#coverage(plainWeights, answer) + 0.5 * at(covered, i)))
    const means = this.#answers.map(
      (answer, i) => at(covered, i) + this.#vocabulary({ top: first, plainWeights }, i, answer) + at(central, i),
    )
    return { negates, plainWeights, top: better(means), keyCoverage: covered, centroidSimilarity: central }
  }

  similarityOf(a: number, b: number): number {
    return (this.#words.cosine(a, b) + this.#pieces.cosine(a, b)) / 2
  }

  lengthOf(index: number): number {
    return this.#answers[index]?.size ?? 0
  }

  /** Words that nobody else has say nothing about the question. */
  sharedLengthOf(index: number): number {
    return this.#sharedLengths[index] ?? 0
  }

  /** × √(0.05 + share of the class who use it). */
  weightOf(term: string): number {
    return this.#weight(term) * Math.sqrt(0.05 + this.#usersOf(term).all / Math.max(1, this.#answers.length))
  }

  /** × √(0.05 + share of the others, `index` left out, who use it). */
  #weightsAmongOthers(terms: Set<string>, index: number): [string, number][] {
    const others = Math.max(1, this.#answers.length - 1)
    return [...terms].map((term) => {
      const { each, all } = this.#usersOf(term)
      return [term, this.#weight(term) * Math.sqrt(0.05 + (all - (each[index] ? 1 : 0)) / others)]
    })
  }

  #usersOf(term: string): { each: boolean[]; all: number } {
    let users = this.#users.get(term)
    if (!users) {
      const each = this.#answers.map((answer) => answer.has(term))
      users = { each, all: each.filter(Boolean).length }
      this.#users.set(term, users)
    }
    return users
  }

  /** With the nearest reference, 0..1. */
  agreementOf(index: number): number {
    const best = Math.max(0, ...this.#references.map((reference) => this.#meanSignal(reference, index)))
    if (best === 0) return 0
    const { centralityWeight, lengthWeight } = this.#settings
    const said = Math.log(Math.max(3, this.lengthOf(index)) / 6)
    const agreement = best + centralityWeight * this.#words.centrality(index) + lengthWeight * said
    return Math.min(1, Math.max(0, agreement))
  }

  /** By reference: as a person would tick it off, and as the others say it. */
  coveragesOf(index: number): number[] {
    const answer = this.#answerAt(index)
    return this.#references.map(
      ({ plainWeights, keyCoverage }) => (this.#coverage(plainWeights, answer) + (keyCoverage[index] ?? 0)) / 2,
    )
  }

  #answerAt(index: number): TermSet {
    const answer = this.#answers[index]
    if (!answer) throw new RangeError('no such answer')
    return answer
  }

  #meanSignal(reference: Reference, index: number): number {
    const covered = reference.keyCoverage[index] ?? 0
    const vocabulary = this.#vocabulary(reference, index, this.#answerAt(index))
    const central = reference.centroidSimilarity[index] ?? 0
    return (
      ((covered + vocabulary + central) / 3) * (1 - this.#settings.negationPenalty * this.#turned(reference, index))
    )
  }

  #coverage(weights: [string, number][], answer: TermSet): number {
    let got = 0
    let all = 0
    for (const [term, weight] of weights) {
      all += weight
      got += weight * this.#soft.bestMatch(term, answer)
    }
    return all > 0 ? got / all : 0
  }

  /** Coverage of the words the better part of the class uses. */
  #vocabulary({ top, plainWeights }: Pick<Reference, 'top' | 'plainWeights'>, index: number, answer: TermSet): number {
    if (top.size === 0) return this.#coverage(plainWeights, answer)
    const weights: [string, number][] = []
    for (const [term, share] of top.termSharesExcluding(index))
      if (share >= this.#settings.minTopUse) weights.push([term, this.#weight(term) * share])
    return this.#coverage(weights, answer)
  }

  /** 1 when “not” contradicts both key and better part of the class. */
  #turned({ top, negates }: Reference, index: number): number {
    const share = top.negationShareExcluding(index)
    if (!this.#negates[index]) return share
    return negates ? 0 : 1 - share
  }
}

const LEAST_CLASS = 3

function sharedLengths(answers: readonly Set<string>[], known: ReadonlySet<string>): number[] {
  const users = new Map<string, number>()
  for (const terms of answers) for (const term of terms) users.set(term, (users.get(term) ?? 0) + 1)
  return answers.map((terms) => {
    if (answers.length < LEAST_CLASS) return terms.size
    return [...terms].filter((term) => known.has(term) || (users.get(term) ?? 0) > 1).length
  })
}

const MIN_SIZE = 3

/** The first `share` (at least three) by fit to the key; the next replaces an answer asked about. */
class TopAnswers {
  readonly #answers: TermSet[]
  readonly #negates: boolean[]
  readonly #members: Set<number>
  readonly #next: number | undefined
  readonly #uses = new Map<string, number>()
  readonly #negations: number
  readonly size: number

  constructor(ranked: number[], share: number, answers: TermSet[], negates: boolean[]) {
    this.#answers = answers
    this.#negates = negates
    const others = ranked.length - 1
    this.size = Math.max(0, Math.min(others, Math.max(MIN_SIZE, Math.round(share * others))))
    const members = ranked.slice(0, this.size)
    this.#members = new Set(members)
    this.#next = ranked[this.size]
    for (const i of members) for (const term of answers[i] ?? []) this.#uses.set(term, (this.#uses.get(term) ?? 0) + 1)
    this.#negations = members.filter((i) => negates[i]).length
  }

  *termSharesExcluding(index: number): Generator<[term: string, share: number]> {
    const own = this.#members.has(index) ? this.#answers[index] : undefined
    const next = own ? this.#answers[this.#next ?? -1] : undefined
    for (const [term, count] of this.#uses)
      yield [term, (count - (own?.has(term) ? 1 : 0) + (next?.has(term) ? 1 : 0)) / this.size]
    for (const term of next ?? []) if (!this.#uses.has(term)) yield [term, 1 / this.size]
  }

  negationShareExcluding(index: number): number {
    if (this.size === 0) return 0
    const member = this.#members.has(index)
    const own = member && this.#negates[index] ? 1 : 0
    const next = member && this.#negates[this.#next ?? -1] ? 1 : 0
    return (this.#negations - own + next) / this.size
  }
}
