import type { Question } from '@assay/shared/rubrics.ts'
import { rewordInKeyTerms } from '../exact/worded/named-things.ts'
import { acceptedAnswers } from '../text/accepted-answers.ts'
import { differencesBetween } from '../text/differences.ts'
import { DEFAULT_SIGNAL_SETTINGS } from '../text/signal-settings.ts'
import { labelsIn, statementOf } from '../text/statements.ts'
import { directionOf, isNegated, termsOf, wordsOf } from '../text/terms.ts'
import { characterNgrams, dotProduct, type TextVector, tfIdfVectorOf } from '../text/text-vector.ts'
import { casedWordsIn } from './normal-words.ts'

/** Few terms all count; in more than LONG only the key's, as long answers say other things too. */
const SHORT = 10
const LONG = 24
/** Least cosines of like answers, chosen on public answers (`docs/grading.md`). */
const LIKE_IN_WORDS = 0.4
const LIKE_IN_KEY_TERMS = 0.95
/** Weight of a different score: such answers are unlike, however worded. */
const BY_SCORE = 0.5

interface Answer {
  words: TextVector
  pieces: TextVector
  keyTerms: TextVector
  terms: number
  text: string
  share: number
}

/** Built once per question. */
export class AnswerLikeness {
  readonly #answers: Answer[]
  readonly #labels: ReadonlySet<string>
  /** Answers that differ here are never alike: negation, a direction, and symbols told by case. */
  readonly blocks: readonly string[]

  /** `shares`: expected points, 0..1. `idf`: how rare a term is among the paper's questions. */
  constructor(
    question: Pick<Question, 'prompt' | 'kind' | 'criteria'>,
    texts: readonly string[],
    shares: readonly (number | null)[],
    idf: (term: string) => number,
  ) {
    const { questionTermFactor: demoted } = DEFAULT_SIGNAL_SETTINGS
    const keys = question.criteria.flatMap(acceptedAnswers)
    const keyTerms = new Set(keys.flatMap(termsOf))
    const cased = casedWordsIn(keys)
    const asked = {
      terms: new Set(termsOf(question.prompt)),
      pieces: new Set(characterNgrams(wordsOf(question.prompt))),
    }
    const weight = (term: string) => idf(term) * (asked.terms.has(term) ? demoted : 1)
    const weightOfPiece = (piece: string) => (asked.pieces.has(piece) ? demoted : 1)
    this.#labels = labelsIn([question.prompt, ...keys])
    const plain = texts.map((text) => rewordInKeyTerms(text, question.kind === 'text' ? keys : []))
    const terms = plain.map(termsOf)
    this.#answers = plain.map((text, i) => ({
      words: tfIdfVectorOf(terms[i] ?? [], weight),
      pieces: tfIdfVectorOf(characterNgrams(wordsOf(text)), weightOfPiece),
      keyTerms: tfIdfVectorOf(
        (terms[i] ?? []).filter((term) => keyTerms.has(term)),
        weight,
      ),
      terms: new Set(terms[i]).size,
      text,
      share: shares[i] ?? 0.5,
    }))
    this.blocks = plain.map((text, i) => {
      const symbols = (text.match(/\p{L}+/gu) ?? []).filter((word) => cased.has(word.toLowerCase()))
      return [
        isNegated(text),
        (this.#answers[i]?.terms ?? 0) <= SHORT && wordsOf(text).some(directionOf),
        symbols,
      ].join(' ')
    })
  }

  termsOf(index: number): TextVector {
    return this.#answers[index]?.words ?? new Map()
  }

  /** However like they are: “low to high” for “high to low”. In long answers that cannot be told. */
  contradict(a: number, b: number): boolean {
    const [one, other] = [this.#answers[a], this.#answers[b]]
    if (!one || !other || Math.max(one.terms, other.terms) >= LONG) return false
    return differencesBetween(statementOf(one.text, this.#labels), statementOf(other.text, this.#labels)).size > 0
  }

  /** −1.5 to .6; from 0 up two answers are alike. */
  between(a: number, b: number): number {
    const [one, other] = [this.#answers[a], this.#answers[b]]
    if (!one || !other || this.blocks[a] !== this.blocks[b]) return -1
    const terms = Math.sqrt(one.terms * other.terms)
    const long = Math.min(1, Math.max(0, (terms - SHORT) / (LONG - SHORT)))
    let like = 0
    if (long < 1) {
      const cosine = (dotProduct(one.words, other.words) + dotProduct(one.pieces, other.pieces)) / 2
      like += (1 - long) * (cosine - BY_SCORE * Math.abs(one.share - other.share) - LIKE_IN_WORDS)
    }
    if (long > 0) like += long * (dotProduct(one.keyTerms, other.keyTerms) - LIKE_IN_KEY_TERMS)
    return like
  }
}
