import type { Criterion, Question } from '@assay/shared/rubrics.ts'

import { judgeFormula } from '../exact/judge-formula.ts'
import type { Judgement } from '../exact/judgement.ts'
import { judgeNumber } from '../exact/numbers/judge-number.ts'
import { readQuantity } from '../exact/quantity.ts'

/** A result that is right was not guessed: its working has its marks too, unless the question is to show it. */
const SHOWS = /\b(?:show\s+that|show\s+your|prove|derive|verify)\b/i
const WORKING_FROM_RESULT = 0.9
/** A working without the result is for a person to look at. */
const WORKING_SEEN = 0.5

type Working = Pick<Question, 'prompt' | 'kind' | 'criteria'>

/** The criterion that holds the result; null for questions that are not compared exactly, or have one criterion. */
export function resultCriterion({ kind, criteria }: Working): Criterion | null {
  if (criteria.length < 2 || (kind !== 'number' && kind !== 'formula')) return null
  if (kind === 'formula') return criteria.at(-1) ?? null
  return criteria.findLast(({ expected }) => readQuantity(expected) !== null) ?? null
}

/**
 * Judges a mark for working: full where the result is right, else by the numbers it leads to. Null where the criterion is the
 * result itself or words.
 */
export function judgeWorking(question: Working, criterion: Criterion, answer: string): Judgement | null {
  const result = resultCriterion(question)
  if (!result) return null
  const accepted = [result.expected, ...result.alternatives].filter((text) => text.trim() !== '')
  const judged =
    question.kind === 'number'
      ? judgeNumber(question.prompt, accepted, answer)
      : judgeFormula(question.prompt, accepted, answer)
  if (criterion === result) return null
  if (isUnit(criterion.expected)) {
    const units = [criterion.expected, ...criterion.alternatives]
    const given = units.some((unit) => squeezed(answer).includes(squeezed(unit)))
    return judgementOf(given ? 1 : 0, WORKING_FROM_RESULT)
  }
  // A right number without its unit was worked out all the same.
  if (judged.share === 1 || judged.remarks.includes('unit_missing'))
    return judgementOf(1, SHOWS.test(question.prompt) ? WORKING_SEEN : WORKING_FROM_RESULT)
  const seen = [criterion.expected, ...criterion.alternatives].some((text) => leadsTo(text, answer))
  return judgementOf(seen ? 1 : 0, seen ? 0.7 : WORKING_SEEN)
}

/** “Qd = 120 − 60 = 60”: its expressions or its value stand in the answer. */
function leadsTo(working: string, answer: string): boolean {
  const given = squeezed(answer)
  const parts = working
    .split(/=|≈|→/)
    .map(squeezed)
    .filter((part) => part.length >= 3 && /\d/.test(part))
  if (parts.some((part) => given.includes(part))) return true
  const value = /[=≈]\s*([^=≈]+)$/.exec(working)?.[1]
  const number = value ? readQuantity(value) : null
  return number !== null && new RegExp(String.raw`(?<![\d.])${escaped(String(number.value))}(?![\d.])`).test(answer)
}

const isUnit = (text: string): boolean =>
  /^[\p{L}°µΩ%/²³⁻¹\s·.]{1,12}$/u.test(text.trim()) && text.trim().split(/\s+/).length <= 3

const squeezed = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[−–—]/g, '-')
    .replace(/[×·]/g, '*')
    .replace(/(?<=\d)\s*x\s*(?=\d)/g, '*')
    .replace(/÷/g, '/')
    .replace(/(\d+\.\d*?)0+(?=\D|$)/g, '$1')
    .replace(/\.(?=\D|$)/g, '')
    .replace(/[\s()]+/g, '')

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const judgementOf = (share: number, confidence: number): Judgement => ({
  raw: share,
  share,
  confidence,
  remarks: [share === 1 ? 'exact_right' : 'exact_wrong'],
  matched: [],
  missing: [],
})
