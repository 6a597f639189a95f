import type { Paper } from '@assay/shared/papers.ts'
import type { PrintedTotal, Question } from '@assay/shared/rubrics.ts'
import { chooses, findChoiceOptions } from '@assay/shared/rules/choice-options.ts'
import { totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import type { Weights } from '../../layout/outline/linear-model.ts'
import { ASKS_VERDICT } from '../question-kind.ts'
import learnt from './certainty-weights.json' with { type: 'json' }

interface Reading {
  scannedBlank: boolean
  scannedKey: boolean
  totals: readonly PrintedTotal[]
  unmatched: boolean
  /** Ids of questions whose answers OCR hardly read. */
  unclear: ReadonlySet<string>
  /** Ids of questions whose points are printed nowhere. */
  guessed: ReadonlySet<string>
}

/** The chance that points and answer were read right; calibrated on exams that were not learnt from. */
export const certaintyOf = (facts: readonly string[]): number => chanceOf(learnt, facts)

const ASKS_RESULT =
  /\b(?:calculate|compute|find|determine|evaluate|solve|simplify|how\s+(?:many|much|long|far)|what\s+(?:is|are)|probability|in\s+terms\s+of|write\s+(?:down|an?|the))\b/i
const ASKS_WORDS =
  /\b(?:explain|why|describe|discuss|prove|show|justify|outline|compare|state|define|name|give|list)\b/i
const GARBLED = /[\u{E000}-\u{F8FF}\u{FFFD}]|[a-z][A-Z]{2}|[|~^_\\<>{}]{2}|\p{L}\d\p{L}/u

const size = (text: string): string => {
  const { length } = text.trim()
  return length === 0 ? 'none' : length < 3 ? '1' : length < 12 ? '2' : length < 40 ? '3' : length < 140 ? '4' : '5'
}
const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu))

export function isScanned({ pages }: Paper): boolean {
  const lines = pages.flatMap((page) => page.lines)
  const letters = (own: typeof lines) => own.reduce((sum, { text }) => sum + text.length, 0)
  return letters(lines.filter(({ source }) => source === 'ocr')) * 2 > letters(lines)
}

/** Names of features by question id. */
export function readingFacts(questions: readonly Question[], reading: Reading): Map<string, string[]> {
  const answers = questions.map(answerOf)
  const total = totalPoints({ questions: [...questions] })
  const whole = reading.totals.find(({ number }) => number === null)
  const quarters = (count: number) => Math.floor((4 * count) / questions.length)
  const ofPaper = [
    'any',
    `answered:${quarters(answers.filter((answer) => answer !== '').length)}`,
    `totals:${whole ? Math.abs(whole.points - total) < 0.05 : 'none'}`,
    ...(reading.scannedBlank ? ['scannedBlank'] : []),
    ...(reading.scannedKey ? ['scannedKey'] : []),
    ...(reading.unmatched ? ['unmatched'] : []),
  ]
  return new Map(
    questions.map((question, i) => {
      const answer = answers[i] ?? ''
      const alike = answers.filter((other) => other === answer).length
      const facts = [...ofPaper, ...factsOf(question, answer, alike)]
      if (reading.scannedKey) facts.push(`scannedKey|${question.kind}`)
      if (reading.unclear.has(question.id)) facts.push('unclear')
      if (reading.guessed.has(question.id)) facts.push('guessed')
      return [question.id, facts]
    }),
  )
}

const answerOf = ({ criteria }: Question): string =>
  criteria
    .map(({ expected }) => expected)
    .join(' ')
    .trim()

function factsOf({ kind, prompt, criteria, printed_points }: Question, answer: string, alike: number): string[] {
  const words = [...wordsOf(answer)]
  const asked = wordsOf(prompt)
  const repeated = words.filter((word) => asked.has(word)).length / Math.max(1, words.length)
  const options = findChoiceOptions(prompt).length
  const [isText, isChoice] = [kind === 'text', kind === 'choice']
  const told: Record<string, boolean> = {
    resultAsText: isText && ASKS_RESULT.test(prompt),
    resultAsLongText: isText && answer.length > 40 && ASKS_RESULT.test(prompt),
    wordsAsked: isText && ASKS_WORDS.test(prompt),
    verdictAsOther: ASKS_VERDICT.test(prompt) && kind !== 'true_false' && !isChoice,
    optionsAsOther: options > 0 && !isChoice,
    choiceAsOther: chooses(prompt) && options === 0 && !isChoice,
    choiceOfNothing: isChoice && options === 0,
    working: isText && /[=≈⇒∑∫√]/.test(answer),
    equation: answer.includes('=') && !isText,
    garbled: GARBLED.test(answer),
    smallStart: /^\p{Ll}/u.test(answer),
    signStart: /^[^\p{L}\p{N}]/u.test(answer),
    openEnd: answer.length > 12 && /(?:\b(?:the|of|and|a|is|to|in|or)|[,=+([])$/i.test(answer),
    asks: answer.includes('?'),
    label: /(?:^|\s)(?:\d{1,2}|[a-h])[.)]\s/.test(answer),
    numberAsOther: /^[-−+]?[\d.,]+$/.test(answer) && kind !== 'number' && !isChoice,
    sameAsOthers: alike > 1 && !isChoice && kind !== 'true_false',
    noPrompt: prompt.trim().length < 4,
    pointsPrinted: printed_points !== undefined,
  }
  return [
    `kind:${kind}`,
    `size:${size(answer)}`,
    `kind:${kind}|size:${size(answer)}`,
    `criteria:${Math.min(criteria.length, 3)}`,
    `prompt:${size(prompt)}`,
    `repeats:${isChoice ? 'choice' : Math.floor(repeated * 3.99)}`,
    ...Object.keys(told).filter((fact) => told[fact]),
  ]
}

export const chanceOf = (weights: Weights, facts: readonly string[]): number =>
  1 / (1 + Math.exp(-facts.reduce((sum, fact) => sum + (weights[fact] ?? 0), 0)))
