import type { Criterion, Question } from '@assay/shared/rubrics.ts'
import { ClassSignals } from './class-signals.ts'
import { judgeChoice, judgeNumber, judgeTruth } from './exact-answers.ts'
import { type Judgement, nothing } from './judgement.ts'
import { coverTerms } from './key-terms.ts'
import { confidenceAt, shareAt } from './score-curve.ts'
import { isCopiedKey, isKeywordList, isVerbatim } from './stuffing.ts'
import { saysNothing } from './terms.ts'

/**
 * With fewer others than this the class misleads more than it tells (measured: `docs/grading.md`), so an answer is
 * compared with the key alone, and confidence drops.
 */
export const SMALL_CLASS = 4

/** A raw score a list of keywords cannot pass. */
const KEYWORDS_AT_MOST = 0.35
/** Raw agreement of an answer that says all the key says. */
const VERBATIM = 0.9

/**
 * Judges everyone's answers to one question. `answers` are the class's, empty where nothing was written; the signals
 * of each criterion are prepared once and kept.
 */
export class QuestionJudge {
  readonly question: Pick<Question, 'prompt' | 'kind' | 'criteria'>
  readonly #answers: string[]
  readonly #idf: (term: string) => number
  readonly #written: number[]
  readonly #signals = new Map<string, ClassSignals>()

  constructor(
    question: Pick<Question, 'prompt' | 'kind' | 'criteria'>,
    answers: string[],
    idf: (term: string) => number,
  ) {
    this.question = question
    this.#answers = answers
    this.#idf = idf
    this.#written = answers
      .map((text, i) => (saysNothing(text) && text.trim() === '' ? -1 : i))
      .filter((i) => i >= 0)
  }

  /** How many others wrote something to compare with. */
  get others(): number {
    return Math.max(0, this.#written.length - 1)
  }

  judge(index: number, criterion: Criterion): Judgement {
    const answer = this.#answers[index] ?? ''
    if (answer.trim() === '') return nothing('empty', 0.9)
    const accepted = [criterion.expected, ...criterion.alternatives].filter((text) => text.trim() !== '')
    if (accepted.length === 0) return nothing('no_key', 0)
    if (saysNothing(answer)) return nothing('dont_know', 0.95)
    switch (this.question.kind) {
      case 'choice':
        return judgeChoice(this.question.prompt, accepted, answer)
      case 'true_false':
        return judgeTruth(accepted, answer)
      case 'number':
        return judgeNumber(this.question.prompt, accepted, answer)
      case 'text':
        return this.#judgeText(index, criterion, accepted, answer)
    }
  }

  #judgeText(index: number, criterion: Criterion, accepted: string[], answer: string): Judgement {
    const alone = this.others < SMALL_CLASS
    const prepared = alone
      ? new ClassSignals(this.question.prompt, accepted, [answer], this.#idf)
      : this.#signalsFor(criterion, accepted)
    const signals = prepared.signalsOf(alone ? 0 : this.#written.indexOf(index))
    // One idea of several cannot be expected to fill the whole answer: only whether it is there counts.
    const partOfMore = this.question.criteria.length > 1
    let raw = partOfMore ? (signals.reference + signals.plain) / 2 : signals.mean
    let share = shareAt(raw)
    let confidence = confidenceAt(raw)
    const remarks: Judgement['remarks'] = []
    if (accepted.some((key) => isVerbatim(answer, key))) {
      raw = Math.max(raw, VERBATIM)
      share = 1
      confidence = Math.max(confidence, 0.92)
      remarks.push('verbatim')
    }
    if (accepted.some((key) => isCopiedKey(answer, key))) {
      remarks.push('copied_key')
      confidence = Math.min(confidence, 0.5)
    } else if (accepted.some((key) => isKeywordList(answer, key))) {
      remarks.push('keyword_list')
      raw = Math.min(raw, KEYWORDS_AT_MOST)
      share = shareAt(raw)
      confidence = Math.min(confidence, 0.4)
    }
    if (alone && !remarks.includes('verbatim')) confidence *= 0.85
    return {
      raw,
      share,
      confidence,
      remarks,
      ...coverTerms(accepted, answer, this.question.prompt, (term) => prepared.weightOf(term)),
    }
  }

  #signalsFor(criterion: Criterion, accepted: string[]): ClassSignals {
    let signals = this.#signals.get(criterion.id)
    if (!signals) {
      const written = this.#written.map((i) => this.#answers[i] ?? '')
      signals = new ClassSignals(this.question.prompt, accepted, written, this.#idf)
      this.#signals.set(criterion.id, signals)
    }
    return signals
  }
}
