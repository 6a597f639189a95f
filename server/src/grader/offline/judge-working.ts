import type { Criterion, Question } from '@assay/shared/rubrics.ts'
import { escapeRegExp } from '../../lib/escape-reg-exp.ts'
import { judgeFormula } from '../exact/judge-formula.ts'
import { type Judgement, listJudgement } from '../exact/judgement.ts'
import { judgeNumber } from '../exact/numbers/judge-number.ts'
import { plainMath } from '../exact/numbers/plain-math.ts'
import { scanQuantities } from '../exact/numbers/scan-quantities.ts'
import { readQuantity } from '../exact/quantity.ts'
import { readStatements } from '../exact/statements/read-statements.ts'
import { readStatedPoint, shareStated } from '../exact/statements/stated-point.ts'
import { readUnit, sameUnit } from '../exact/units/read-unit.ts'

/** A right result was not guessed: its working has its marks too, unless the question is to show it. */
const SHOWS = /\b(?:show\s+that|show\s+your|prove|derive|verify)\b/i
const WORKING_FROM_RESULT = 0.9
/** A working without result needs a person. */
const WORKING_SEEN = 0.5
const WORTH_OF_WORKING = 0.4
/** The point's own formula or number stands in the answer. */
const POINT_STATED = 0.86
/** It may stand there in a form that was not read. */
const POINT_NOT_STATED = 0.62
const NO_POINT_STATED = 0.72
const RESULT_AMONG_OTHERS = 0.75

type Working = Pick<Question, 'prompt' | 'kind' | 'criteria'>

/** Null for questions not compared exactly, or with one criterion. */
function resultCriterion({ kind, criteria }: Working): Criterion | null {
  if (criteria.length < 2 || (kind !== 'number' && kind !== 'formula')) return null
  if (kind === 'formula') return criteria.at(-1) ?? null
  return criteria.findLast(({ expected }) => readQuantity(expected) !== null) ?? null
}

/** Full where its formula or number is stated, or the result is right. Null where it is words, or the result itself. */
export function judgeWorking(question: Working, criterion: Criterion, answer: string): Judgement | null {
  const result = resultCriterion(question)
  if (!result)
    return question.kind === 'text' && question.criteria.length > 1 ? judgeStated(question, criterion, answer) : null
  const accepted = [result.expected, ...result.alternatives].filter((text) => text.trim() !== '')
  const judged =
    question.kind === 'number'
      ? judgeNumber(question.prompt, accepted, answer)
      : judgeFormula(question.prompt, accepted, answer)
  const stated = shareIn(criterion, answer)
  if (criterion === result)
    return judged.remarks.includes('unclear') && stated === 1 ? listJudgement(1, RESULT_AMONG_OTHERS) : null
  if (isUnit(criterion.expected)) {
    const units = [criterion.expected, ...criterion.alternatives]
    const written = scanQuantities(answer).quantities.findLast(({ unit }) => unit !== null)?.unit
    const given = units.some((unit) => {
      const wanted = readUnit(plainMath(unit))
      return wanted && written ? sameUnit(wanted, written) : squeezed(answer).includes(squeezed(unit))
    })
    return listJudgement(given ? 1 : 0, WORKING_FROM_RESULT)
  }
  const figures = FIGURES.exec(criterion.expected)?.[1]
  if (figures) return listJudgement(hasFigures(answer, Number(figures)) ? 1 : 0, POINT_STATED)
  const shown = SHOWS.test(question.prompt)
  // A right number without its unit was worked out all the same.
  const right = judged.share === 1 || judged.remarks.includes('unit_missing')
  if (right && !shown) return listJudgement(1, WORKING_FROM_RESULT)
  // “4” of “-4”, whose sign has a mark of its own.
  const isNumber = question.kind === 'number' && /^[-−+]?\d/.test(criterion.expected)
  if (isNumber && judgeNumber(question.prompt, [criterion.expected], answer).share === 1)
    return listJudgement(1, POINT_STATED)
  if (stated === 1 && !(shown && isBare(answer))) return listJudgement(1, POINT_STATED)
  if (right) return listJudgement(1, WORKING_SEEN)
  if (stated !== null && stated > 0) return listJudgement(stated, POINT_NOT_STATED)
  const seen = [criterion.expected, ...criterion.alternatives].some((text) => leadsTo(text, answer))
  return listJudgement(seen ? 1 : 0, seen ? 0.7 : WORKING_SEEN)
}

/** A working that ends in another number earned some points, or follows an earlier error. */
export function judgeWorkingShown(prompt: string, criterion: Criterion, answer: string): Judgement | null {
  if (criterion.points < 2 || isBare(answer)) return null
  const accepted = [criterion.expected, ...criterion.alternatives].filter((text) => text.trim() !== '')
  const judged = judgeNumber(prompt, accepted, answer)
  return judged.share > 0 || !judged.remarks.includes('exact_wrong')
    ? null
    : { ...judged, share: WORTH_OF_WORKING, confidence: WORKING_SEEN }
}

const isBare = (answer: string): boolean =>
  !/\d\s*%?\s*[-+*/×÷−–x]\s*\d.*=/.test(answer) &&
  readStatements(answer).found.every(({ members }) => members.every(({ computed }) => !computed))

/** A point before the result is met by the result, unless the prompt gives it, or by all points after it. */
function judgeStated({ prompt, criteria }: Working, criterion: Criterion, answer: string): Judgement | null {
  const share = shareIn(criterion, answer)
  if (share === null) return null
  // It may be told in words, which say little of a formula.
  if (readStatements(answer).found.length === 0) return listJudgement(0, WORKING_SEEN)
  if (share === 1) return listJudgement(1, POINT_STATED)
  const shares = criteria.map((one) => shareIn(one, answer))
  const at = criteria.indexOf(criterion)
  const reached = at < criteria.length - 1 && shares.at(-1) === 1
  if (reached && !SHOWS.test(prompt)) return listJudgement(1, WORKING_FROM_RESULT)
  const later = shares.slice(at + 1)
  if (later.length > 1 && later.every((one) => one === 1)) return listJudgement(1, POINT_NOT_STATED)
  return listJudgement(share, shares.every((one) => one === 0) ? NO_POINT_STATED : POINT_NOT_STATED)
}

function shareIn({ expected, alternatives }: Criterion, answer: string): number | null {
  const [own, ...others] = [expected, ...alternatives].map(readStatedPoint)
  const points = [own, ...others].filter((point) => point !== null && point !== undefined)
  if (points.length === 0) return null
  const given = readStatements(answer)
  const share = Math.max(...points.map((point) => shareStated(point, answer, given)))
  return own || share === 1 ? share : null
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
  return (
    number !== null && new RegExp(String.raw`(?<![\d.])${escapeRegExp(String(number.value))}(?![\d.])`).test(answer)
  )
}

const FIGURES = /^(\d) significant figures?$/

/** Of the last number; zeros at the end of a whole number may count or not. */
function hasFigures(answer: string, figures: number): boolean {
  const number = (answer.match(/\d[\d.]*/g)?.at(-1) ?? '').replace(/\.$/, '').replace(/^0[0.]*/, '')
  const most = number.replace('.', '').length
  return figures <= most && figures >= (number.includes('.') ? most : number.replace(/0+$/, '').length)
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
