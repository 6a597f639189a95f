import type { Criterion, Question, QuestionKind } from '@assay/shared/rubrics.ts'
import { mean } from '../../lib/numbers.ts'
import { COEFFICIENTS } from '../exact/chemistry/judge-chemistry.ts'
import { judgeChoice } from '../exact/choices/judge-choice.ts'
import { judgeTrueFalse, judgeVerdicts } from '../exact/choices/judge-true-false.ts'
import { judgeFormula } from '../exact/judge-formula.ts'
import { exactJudgement, type Judgement } from '../exact/judgement.ts'
import { correctedAnswer, keyResults, otherClaims } from '../exact/key-results.ts'
import { judgeSet } from '../exact/list-answers.ts'
import { judgeBy } from '../exact/notation/judge-by-notation.ts'
import { judgeNotation } from '../exact/notation/judge-notation.ts'
import { judgeNumber } from '../exact/numbers/judge-number.ts'
import { judgeOrder } from '../exact/parts/judge-order.ts'
import { judgeParts } from '../exact/parts/judge-parts.ts'
import { judgeChange, judgeMargin, readMargin } from '../exact/worded/judge-change.ts'
import { judgeName } from '../exact/worded/judge-name.ts'
import { judgeTranslation } from '../exact/worded/judge-translation.ts'
import { rewordInKeyTerms } from '../exact/worded/named-things.ts'
import { normalFormOf } from '../grouping/normal-form.ts'
import { mostUntried } from '../scoring/low-confidence.ts'
import { TeacherCalibration, type TeacherDecision } from '../scoring/teacher-calibration.ts'
import { matchCode } from '../text/code-match.ts'
import { isCode } from '../text/open-keys.ts'
import { DEFAULT_SIGNAL_SETTINGS, type SignalSettings } from '../text/signal-settings.ts'
import { acceptedAnswers, isNonAnswer } from '../text/terms.ts'
import { TextJudge } from './judge-text.ts'
import { judgeWorking, judgeWorkingShown } from './judge-working.ts'

export const EMPTY_CONFIDENCE = 0.98
const MARKS_PRINT = /\b(?:circle|ring|tick|underline)\s+(?:one|the|all|your|which|each|every|any|two|three|as)\b/i
const SAME_WORDS_CONFIDENCE = 0.95
const NOTHING_SAID: ReadonlySet<string> = new Set(['empty', 'dont_know'])

/** `answers` are the class's; signals are prepared once per criterion. */
export class QuestionJudge {
  readonly question: Pick<Question, 'prompt' | 'kind' | 'criteria'>
  readonly #answers: string[]
  /** Indexes of written answers among these. */
  readonly #places: Map<number, number>
  readonly #text: TextJudge
  readonly #normalForm: (text: string) => string
  readonly #forms = new Map<number, string>()
  readonly #decisions = new Map<string, TeacherDecision[]>()
  readonly #scales = new Map<string, TeacherCalibration>()

  constructor(
    question: Pick<Question, 'prompt' | 'kind' | 'criteria'>,
    answers: string[],
    idf: (term: string) => number,
    settings: SignalSettings = DEFAULT_SIGNAL_SETTINGS,
  ) {
    this.question = question
    this.#answers = answers
    const written = answers.flatMap((text, i) => (text.trim() === '' ? [] : [i]))
    this.#places = new Map(written.map((index, place) => [index, place]))
    const keys = question.criteria.flatMap(acceptedAnswers)
    const texts = written.map((i) => rewordInKeyTerms(answers[i] ?? '', question.kind === 'text' ? keys : []))
    this.#text = new TextJudge(question, texts, idf, settings)
    this.#normalForm = normalFormOf(question)
  }

  get needsHuman(): boolean {
    return this.question.kind === 'essay' || this.question.kind === 'drawing'
  }

  /** Used for this question alone: what is right for one may be wrong for the next. */
  addTeacherDecisions(criterion: Criterion, decided: { index: number; share: number }[]): void {
    const decisions = decided
      .filter(({ index }) => this.#places.has(index))
      .map((one) => {
        const { share, confidence } = this.#judge(one.index, criterion)
        return { ...one, predicted: share, error: 1 - confidence }
      })
    this.#decisions.set(criterion.id, decisions)
    if (decisions.length > 0) this.#scales.set(criterion.id, this.#scaleFrom(criterion, decisions))
  }

  /** What is exactly right or wrong says nothing about the teacher's scale. */
  #scaleFrom(criterion: Criterion, decisions: TeacherDecision[]): TeacherCalibration {
    const comparable = decisions.filter(({ index }) => isComparable(this.#judge(index, criterion)))
    const [first = criterion, ...others] = this.question.criteria
    const likeness = (a: number, b: number) => this.#text.similarityOf(first, this.#placeOf(a), this.#placeOf(b))
    return new TeacherCalibration(comparable, likeness, others.length > 0)
  }

  /** `unseen`: as if the teacher had decided on all answers but this one. */
  judge(index: number, criterion: Criterion, unseen = false): Judgement {
    const judgement = this.#judgeWithDecisions(index, criterion, unseen)
    const others = (this.#decisions.get(criterion.id) ?? []).filter((one) => !unseen || one.index !== index)
    if (others.length > 0 || judgement.remarks.some((remark) => NOTHING_SAID.has(remark))) return judgement
    return { ...judgement, confidence: Math.min(judgement.confidence, mostUntried(this.question)) }
  }

  #judgeWithDecisions(index: number, criterion: Criterion, unseen: boolean): Judgement {
    const predicted = this.#judge(index, criterion)
    const answer = this.#answers[index] ?? ''
    if (answer.trim() === '' || this.needsHuman) return predicted
    const decisions = this.#decisions.get(criterion.id) ?? []
    const others = decisions.filter((decision) => decision.index !== index)
    const same = (unseen ? others : decisions).filter(
      (decision) => decision.index === index || this.#formOf(decision.index) === this.#formOf(index),
    )
    if (same.length > 0) {
      const share = same.reduce((sum, one) => sum + one.share, 0) / same.length
      return { ...predicted, share, confidence: SAME_WORDS_CONFIDENCE, remarks: ['as_decided'] }
    }
    const known = this.#scales.get(criterion.id)
    if (!known || !isComparable(predicted)) return predicted
    const scale = unseen ? this.#scaleFrom(criterion, others) : known
    const { share, doubt } = scale.calibrate({ index, share: predicted.share, error: 1 - predicted.confidence })
    return { ...predicted, share, confidence: this.#text.confidenceIn(share, this.#placeOf(index), doubt) }
  }

  predict(index: number, criterion: Criterion): Judgement & { comparable: boolean } {
    const judgement = this.#judge(index, criterion)
    return { ...judgement, comparable: isComparable(judgement) && !this.needsHuman }
  }

  #placeOf(index: number): number {
    return this.#places.get(index) ?? -1
  }

  #formOf(index: number): string {
    const known = this.#forms.get(index)
    if (known !== undefined) return known
    const form = this.#normalForm(this.#answers[index] ?? '')
    this.#forms.set(index, form)
    return form
  }

  #judge(index: number, criterion: Criterion): Judgement {
    const answer = this.#answers[index] ?? ''
    const { kind, prompt } = this.question
    if (this.needsHuman) return exactJudgement(0, 0, 'cannot_judge')
    // OCR may have missed what is circled in the print.
    if (answer.trim() === '' && kind === 'text' && MARKS_PRINT.test(prompt)) return exactJudgement(0, 0, 'cannot_judge')
    if (answer.trim() === '') return exactJudgement(0, EMPTY_CONFIDENCE, 'empty')
    const written = acceptedAnswers(criterion)
    const accepted = kind === 'number' ? written.flatMap((key) => keyResults(prompt, key)) : written
    if (accepted.length === 0) return exactJudgement(0, 0, 'no_key')
    // A tick says “true”, and signs alone may be a set.
    if (isNonAnswer(answer) && !(kind === 'true_false' ? /[✓✔✗✘☑☒]/u : /[∅{∞]/u).test(answer))
      return exactJudgement(0, 0.95, 'dont_know')
    const meant = kind === 'set' || kind === 'true_false' ? answer : correctedAnswer(answer)
    const worked = judgeWorking(this.question, criterion, answer)
    const judged = worked ?? this.#judgeShort(criterion, accepted, meant)
    if (worked || !judged || judged.share === 1 || judged.confidence >= 0.9)
      return judged ?? judgeCode(this.question, criterion, answer) ?? this.#text.judge(this.#placeOf(index), criterion)
    const claims = otherClaims(meant).map((claim) => this.#judgeShort(criterion, accepted, claim))
    const right = claims.find((one) => one?.share === 1)
    return right ? { ...right, confidence: Math.min(right.confidence, 0.75) } : judged
  }

  #judgeShort(criterion: Criterion, accepted: string[], answer: string): Judgement | null {
    const { kind, prompt } = this.question
    return (
      this.#judgeNotation(accepted, answer) ??
      this.#judgeWorded(criterion, accepted, answer) ??
      judgeExactly(kind, prompt, accepted, answer)
    )
  }

  #judgeWorded(criterion: Criterion, accepted: string[], answer: string): Judgement | null {
    const { kind, prompt, criteria } = this.question
    if (kind === 'number') {
      if (readMargin(answer, criterion.expected)) return judgeMargin(prompt, accepted, answer)
      return criteria.length === 1 ? judgeWorkingShown(prompt, criterion, answer) : null
    }
    if (kind === 'ordered_list')
      return (
        judgeBy(COEFFICIENTS, prompt, accepted, answer) ?? judgeOrder(prompt, accepted, answer, true, criterion.points)
      )
    if (kind !== 'text' || criteria.length > 1) return null
    return (
      judgeOrder(prompt, accepted, answer, false, criterion.points) ??
      judgeChange(prompt, accepted, answer) ??
      judgeMargin(prompt, accepted, answer) ??
      judgeTranslation(prompt, accepted, answer) ??
      judgeName(prompt, accepted, answer)
    )
  }

  /** A point of several may be within a sentence: only a whole answer has a notation. */
  #judgeNotation(accepted: string[], answer: string): Judgement | null {
    const { kind, prompt, criteria } = this.question
    const exact =
      kind === 'number' || kind === 'formula' || ((kind === 'text' || kind === 'set') && criteria.length === 1)
    return exact ? (judgeNotation(prompt, accepted, answer) ?? judgeParts(prompt, accepted, answer)) : null
  }
}

const isComparable = ({ remarks }: Judgement) => remarks.length === 0

function judgeExactly(kind: QuestionKind, prompt: string, accepted: string[], answer: string): Judgement | null {
  switch (kind) {
    case 'choice':
      return judgeChoice(prompt, accepted, answer)
    case 'true_false':
      return judgeTrueFalse(prompt, accepted, answer)
    case 'number':
      return judgeNumber(prompt, accepted, answer)
    case 'set':
      return judgeSet(accepted, answer, prompt)
    case 'formula':
      return judgeFormula(prompt, accepted, answer)
    case 'text':
      return judgeVerdicts(accepted, answer)
    default:
      return null
  }
}

/** A program without a mark per line earns a share of the lines found, with little certainty. */
const MOST_OF_A_PROGRAM = 0.6

/** By what its lines do, as programs may differ; null for any other criterion. */
function judgeCode(
  { prompt, criteria }: Pick<Question, 'prompt' | 'criteria'>,
  criterion: Criterion,
  answer: string,
): Judgement | null {
  if (!isCode(criteria.map(({ expected }) => expected).join('\n'))) return null
  const found = acceptedAnswers(criterion).map((key) => {
    if (criteria.length > 1) return matchCode(key, answer, prompt)
    const lines = key.split('\n').filter((line) => /\p{L}/u.test(line))
    const matches = lines.map((line) => matchCode(line, answer, prompt))
    return {
      share: mean(matches.map(({ share }) => share)),
      confidence: Math.min(MOST_OF_A_PROGRAM, mean(matches.map(({ confidence }) => confidence))),
    }
  })
  const [best] = found.sort((a, b) => b.share - a.share)
  if (!best) return null
  const points = [{ text: criterion.text, found: best.share === 1, coverage: best.share }]
  return { ...best, remarks: [], matched: [], points }
}
