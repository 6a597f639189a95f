import type { Criterion, Question } from '@assay/shared/rubrics.ts'
import type { Judgement } from '../exact/judgement.ts'
import { shareForMarks, shareForScore } from '../scoring/score-curve.ts'
import { ClassSignals } from '../text/class-signals.ts'
import { agreesInContrast, contradictionsOf, type Difference } from '../text/differences.ts'
import { isCopiedKey, isKeywordList, isRepeatedPrompt, isVerbatim } from '../text/keyword-stuffing.ts'
import { markingPointsOf } from '../text/marking-points.ts'
import { isCode, isOpenKey } from '../text/open-keys.ts'
import { isOtherLanguage } from '../text/other-language.ts'
import { commonStems, containsPhrase, isSameTerm, matchedTerms } from '../text/phrase-match.ts'
import type { SignalSettings } from '../text/signal-settings.ts'
import { labelsIn } from '../text/statements.ts'
import { acceptedAnswers, termsOf, wordsOf } from '../text/terms.ts'

/** Logistic regression of |error| by share of the points, on teachers' scores of public sets (`docs/grading.md`). */

/** 1 in 14 full marks for agreement in words were worth nothing. */
const LEAST_ERROR = 0.105

const logistic = (odds: number): number => 1 / (1 + Math.exp(-odds))
/** 1 half-way between nothing and all, 0 at both. */
const doubt = (share: number): number => 4 * share * (1 - share)

/** For mostly right-or-wrong questions. `length`: different terms, as only long answers may paraphrase the key. */
export function errorOfOneMark(share: number, length: number): number {
  const said = Math.max(0, Math.min(3.6, Math.log(Math.max(1, length))) - 2)
  const odds = -2.34 + 0.42 * share + 2.17 * doubt(share) + (1.57 * (1 - share) - 1.37 * doubt(share)) * said
  return Math.max(LEAST_ERROR, logistic(odds))
}

/** For several marks, where part of the idea earns part of them. */
export const errorOfMarks = (share: number): number => Math.max(LEAST_ERROR, logistic(-2.24 + 1.6 * doubt(share)))

/** “What is it, and where?”, “Which is larger and why?” */
const FURTHER_ASK =
  /(?:[,;?.]|\band\b|\bor\b)\s+(?:in\s+|at\s+|to\s+|for\s+|by\s+)?(?:what|where|when|who|whom|whose|why|how|which)\b/giu

const countAsks = (prompt: string): number => 1 + [...prompt.matchAll(FURTHER_ASK)].length

/** A smaller class misleads (`docs/grading.md`), so only the key is compared, with less confidence. */
const SMALL_CLASS = 4
/** In another language one ending may be all that is asked. */
const ERROR_OF_OTHER_LANGUAGE = 0.5
/** With fewer the class counts as much as the key. */
const FEW = 8

const MAX_KEYWORD_LIST_SCORE = 0.35
const VERBATIM_SCORE = 0.9
/** Factors for “no” instead of “yes”, an exchange, “rises” instead of “falls” and so on. */
const CONTRADICTED: [Difference, number][] = [
  ['stance', 0.25],
  ['order', 0.25],
  ['contrast', 0.25],
  ['opposite', 0.6],
  ['negation', 0.6],
  ['number', 0.5],
  ['name', 0.5],
]
/** Opposite words or an exchange may say the same after all. */
const ERROR_OF_UNCLEAR = 0.5
const ASKS_FOR_CONTRAST = /\b(?:differences?|differ|different|distinguish|differentiate|contrast|compare)\b/i
/** Share of a marking point's words that is the point itself. */
const FOUND = 0.75
const UNTOUCHED = 0.1
/** The key's own words were right in every set; with others beside them, 1 in 10 was not. */
const ERROR_OF_SAME_WORDS = 0.03
const ERROR_OF_VERBATIM = 0.105
/** In a program or an example, other ways are as right as the key's. */
const ERROR_OF_OTHER_WAYS = 0.42
const MOST_FOR_TRYING = 0.75
/** Other words for so short a key earned the point in 9 of 10 answers of public sets. */
const SHORT_KEY = 2
const SHORT_POINT = 4
const SAID_SCORE = 0.65
const MAX_VARIANTS = 4

export class TextJudge {
  readonly #question: Pick<Question, 'prompt' | 'criteria'>
  readonly #written: string[]
  readonly #idf: (term: string) => number
  readonly #settings: SignalSettings
  readonly #marks: number
  readonly #otherLanguage: boolean
  readonly #labels: ReadonlySet<string>
  readonly #signals = new Map<string, ClassSignals>()

  /** `written`: the class's answers that are not empty. */
  constructor(
    question: Pick<Question, 'prompt' | 'criteria'>,
    written: string[],
    idf: (term: string) => number,
    settings: SignalSettings,
  ) {
    this.#question = question
    this.#written = written
    this.#idf = idf
    this.#settings = settings
    this.#marks = question.criteria.reduce((sum, { points }) => sum + points, 0)
    this.#labels = labelsIn([question.prompt, ...question.criteria.flatMap(acceptedAnswers)])
    this.#otherLanguage = isOtherLanguage([question.prompt, ...question.criteria.flatMap(acceptedAnswers)].join('\n'))
  }

  get #alone(): boolean {
    return this.#written.length - 1 < SMALL_CLASS
  }

  get #few(): boolean {
    return !this.#alone && this.#written.length - 1 < FEW
  }

  similarityOf(criterion: Criterion, a: number, b: number): number {
    return this.#byClass(criterion.id, acceptedAnswers(criterion)).similarityOf(a, b)
  }

  judge(at: number, criterion: Criterion): Judgement {
    const answer = this.#written[at] ?? ''
    const accepted = acceptedAnswers(criterion)
    const prepared = this.#prepared(criterion.id, accepted, at)
    let { raw, share, error } = this.#judgeWhole(at, answer)
    if (this.#question.criteria.length === 1) share = Math.min(share, this.#mostOfAsked(criterion, answer))
    if (this.#question.criteria.length > 1) share = this.#shareOf(criterion, share, at, answer)
    const remarks: Judgement['remarks'] = []
    if (accepted.some((key) => isVerbatim(answer, key) && contradictionsOf([key], answer, this.#labels).size === 0)) {
      raw = Math.max(raw, VERBATIM_SCORE)
      share = 1
      error = accepted.some((key) => sameWords(answer, key)) ? ERROR_OF_SAME_WORDS : Math.min(error, ERROR_OF_VERBATIM)
      remarks.push('verbatim')
    }
    if (accepted.some((key) => isCopiedKey(answer, key))) {
      remarks.push('copied_key')
      error = Math.max(error, 0.5)
    } else if (accepted.some((key) => isKeywordList(answer, key))) {
      remarks.push('keyword_list')
      raw = Math.min(raw, MAX_KEYWORD_LIST_SCORE)
      share = shareForScore(raw)
      error = Math.max(error, 0.6)
    } else if (isRepeatedPrompt(answer, this.#question.prompt, accepted)) {
      share = 0
      error = Math.max(error, 0.6)
    }
    if (this.#otherLanguage && error > ERROR_OF_SAME_WORDS) error = Math.max(error, ERROR_OF_OTHER_LANGUAGE)
    const weight = (term: string) => prepared.signals.weightOf(term)
    return {
      share,
      confidence: 1 - error,
      remarks,
      matched: matchedTerms(accepted, answer, this.#question.prompt, weight),
      points: this.#points(criterion, at, answer, remarks),
    }
  }

  /** An answer to one of several asks earns its share of them, if the key's parts are names or places. */
  #mostOfAsked({ expected, alternatives, points: marks }: Criterion, answer: string): number {
    const { prompt } = this.#question
    const asks = countAsks(prompt)
    const points = markingPointsOf(expected, marks)
    if (marks < 2 || asks < 2 || points.length !== asks) return 1
    const asked = commonStems([], prompt)
    const has = (text: string, name: string) => termsOf(text).some((stem) => isSameTerm(name, stem))
    const names = points.flatMap((text) => {
      const [name, ...more] = termsOf(text).filter((stem) => !asked.has(stem))
      return name !== undefined && more.length === 0 && alternatives.every((other) => has(other, name)) ? [name] : []
    })
    return 1 - names.filter((name) => !has(answer, name)).length / asks
  }

  /** Calls found only what is beyond doubt. */
  #points(criterion: Criterion, at: number, answer: string, remarks: Judgement['remarks']): Judgement['points'] {
    const several = this.#question.criteria.length > 1
    const points = several ? [criterion.expected] : markingPointsOf(criterion.expected, criterion.points)
    if (remarks.includes('keyword_list') || remarks.includes('copied_key'))
      return points.map((text) => ({ text, found: false, coverage: 0 }))
    return points.map((text) => {
      const single = { ...criterion, expected: text, alternatives: points.length > 1 ? [] : criterion.alternatives }
      const coverage = remarks.includes('verbatim') ? 1 : this.#coverage(single, at, answer, `${criterion.id} ${text}`)
      return { text, found: coverage >= FOUND, coverage }
    })
  }

  /** `doubt` is what the teacher's decisions leave. */
  confidenceIn(share: number, at: number, doubt: number): number {
    return 1 - this.#error(share, at) * doubt
  }

  #error(share: number, at: number): number {
    const [criterion] = this.#question.criteria
    const length = criterion ? this.#byClass(criterion.id, acceptedAnswers(criterion)).lengthOf(at) : 0
    const error = this.#marks > 1 ? errorOfMarks(share) : errorOfOneMark(share, length)
    return this.#alone ? 1 - (1 - error) * 0.85 : error
  }

  #judgeWhole(at: number, answer: string): { raw: number; share: number; error: number } {
    const variants = this.#variants()
    const { signals, index } = this.#prepared('*', variants, at)
    let raw = signals.agreementOf(index)
    if (this.#few) raw = (raw + this.#byKey(variants, answer).agreementOf(0)) / 2
    const short = variants.every((key) => termsOf(key).length <= SHORT_KEY)
    if (short && variants.some((key) => this.#says(key, answer))) raw = Math.max(raw, SAID_SCORE)
    const contradictions = contradictionsOf(variants, answer, this.#labels)
    if (!ASKS_FOR_CONTRAST.test(this.#question.prompt)) contradictions.delete('contrast')
    else if (agreesInContrast(variants, answer)) raw = Math.max(raw, SAID_SCORE)
    for (const [difference, factor] of CONTRADICTED)
      if (contradictions.has(difference) || (difference === 'opposite' && this.#contradicted(answer).size > 0))
        raw *= factor
    const share = this.#marks > 1 ? shareForMarks(raw, signals.sharedLengthOf(index)) : shareForScore(raw)
    const error = Math.max(this.#error(share, at), contradictions.has('unclear') ? ERROR_OF_UNCLEAR : 0)
    if (variants.some(isOpenKey)) {
      // Whoever writes a few words has an example, mostly one that counts.
      const tried = Math.min(MOST_FOR_TRYING, signals.lengthOf(index) / 10)
      return { raw, share: Math.max(share, tried), error: Math.max(error, ERROR_OF_OTHER_WAYS) }
    }
    return { raw, share, error: variants.some(isCode) ? Math.max(error, ERROR_OF_OTHER_WAYS) : error }
  }

  /** Each point as written and, in turn, as its alternatives say it. */
  #variants(): string[] {
    const { criteria } = this.#question
    const accepted = criteria.map(acceptedAnswers)
    if (accepted.length === 1) return accepted[0] ?? []
    const most = Math.min(MAX_VARIANTS, Math.max(...accepted.map((texts) => texts.length)))
    return Array.from({ length: most }, (_, k) => accepted.map((texts) => texts[k] ?? texts[0] ?? '').join('; '))
  }

  /** Gives the marks to the points the answer has most of, in whole marks where the scheme's are. */
  #shareOf(criterion: Criterion, whole: number, at: number, answer: string): number {
    const ranked = this.#question.criteria
      .map((one, order) => ({ one, order, found: this.#coverage(one, at, answer) }))
      .sort((a, b) => b.found - a.found || a.order - b.order)
    const step = ranked.every(({ one }) => Number.isInteger(one.points)) ? 1 : 0.5
    const certain = ranked.reduce((sum, { one, found }) => sum + (found >= FOUND ? one.points : 0), 0)
    let left = Math.max(certain, Math.round((whole * this.#marks) / step) * step)
    const contradicted = this.#contradicted(answer)
    for (const { one, found } of ranked) {
      // Who has the key's words for one point would have some for another.
      const given = (certain > 0 && found < UNTOUCHED) || contradicted.has(one.id) ? 0 : Math.min(one.points, left)
      if (one.id === criterion.id) return given / one.points
      left -= given
    }
    return 0
  }

  #contradicted(answer: string): Set<string> {
    const { criteria } = this.#question
    if (criteria.length < 2) return new Set()
    const isOpposite = (one: Criterion) => contradictionsOf(acceptedAnswers(one), answer, this.#labels).has('opposite')
    return new Set(criteria.filter(isOpposite).map(({ id }) => id))
  }

  /** 0..1, less where the answer says the opposite. */
  #coverage(criterion: Criterion, at: number, answer: string, id = criterion.id): number {
    const accepted = acceptedAnswers(criterion)
    if (accepted.length === 0) return 0
    const contradictions = contradictionsOf(accepted, answer, this.#labels)
    if (contradictions.has('opposite') || contradictions.has('order')) return 0
    const { signals, index } = this.#prepared(id, accepted, at)
    const said = accepted.some((key) => termsOf(key).length <= SHORT_POINT && this.#says(key, answer))
    const byClass = Math.max(0, ...signals.coveragesOf(index))
    const found = this.#few ? (byClass + Math.max(0, ...this.#byKey(accepted, answer).coveragesOf(0))) / 2 : byClass
    return Math.max(said ? FOUND : 0, found)
  }

  #says(key: string, answer: string): boolean {
    return containsPhrase(key, answer, commonStems([], this.#question.prompt))
  }

  #prepared(id: string, accepted: string[], at: number): { signals: ClassSignals; index: number } {
    if (this.#alone) return { signals: this.#byKey(accepted, this.#written[at] ?? ''), index: 0 }
    return { signals: this.#byClass(id, accepted), index: at }
  }

  #byKey(accepted: string[], answer: string): ClassSignals {
    return new ClassSignals(this.#question.prompt, accepted, [answer], this.#idf, this.#settings)
  }

  #byClass(id: string, accepted: string[]): ClassSignals {
    let signals = this.#signals.get(id)
    if (!signals) {
      signals = new ClassSignals(this.#question.prompt, accepted, this.#written, this.#idf, this.#settings)
      this.#signals.set(id, signals)
    }
    return signals
  }
}

const sameWords = (answer: string, key: string): boolean => wordsOf(answer).join(' ') === wordsOf(key).join(' ')
