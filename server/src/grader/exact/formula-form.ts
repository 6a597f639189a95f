import { type Formula, hasProductOfSums, isSum, normalizeFormula, readFormula, variablesOf } from './formula.ts'
import { exactJudgement, type Judgement, unclear, verdict } from './judgement.ts'
import type { Relation } from './relation.ts'

const EXPAND = /\b(?:expand|multiply\s+out|remove\s+the\s+brackets)\b/i
const FACTORISE = /\bfactor(?:i[sz]e)?\b/i
const SIMPLIFY = /\bsimplif/i
const SUBJECT =
  /\b(?:the\s+subject|rearrange|solve\s+(?:it\s+)?for|solve\b.{1,60}=.{1,60}\bfor\s+\p{L}\b|in\s+terms\s+of|express)\b/iu

export const asksForSubject = (prompt: string): boolean => SUBJECT.test(prompt)

/** The right value in an unaccepted form: not expanded or factorised, or the prompt repeated. */
export function judgeFormulaForm(prompt: string, key: Relation, given: Relation): Judgement | null {
  const [wanted, has] = [resultOf(key), resultOf(given)]
  const wrong = verdict(false, 0.75)
  const half = unclear(0.5)
  const shape = JSON.stringify(has)
  if (shape !== JSON.stringify(wanted) && stated(prompt).has(shape)) return wrong
  if (EXPAND.test(prompt) && !hasProductOfSums(wanted)) {
    if (hasProductOfSums(has)) return wrong
    return terms(has) > terms(wanted) ? exactJudgement(0.75, 0.6, 'unclear') : null
  }
  if (FACTORISE.test(prompt) && terms(wanted) === 1) {
    if (terms(has) > 1) return wrong
    return factors(has) < factors(wanted) ? half : null
  }
  if (/\bprimes?\b/i.test(prompt) && variablesOf(wanted).size === 0)
    return bases(wanted).every(isPrime) && !bases(has).every(isPrime) ? unclear(0.25) : null
  if (SIMPLIFY.test(prompt)) return sizeOf(has) > 1.6 * sizeOf(wanted) ? half : null
  if (SUBJECT.test(prompt) && key.left.kind === 'variable' && given.sign !== null)
    return isolates(given, key.left.name) ? null : isolatesOther(given) ? unclear() : half
  return null
}

const resultOf = ({ left, right }: Relation): Formula => right ?? left

function isolates({ left, right }: Relation, name: string): boolean {
  const alone = (one: Formula, other: Formula | null) =>
    one.kind === 'variable' && one.name === name && other !== null && !variablesOf(other).has(name)
  return alone(left, right) || (right !== null && alone(right, left))
}

const isolatesOther = (given: Relation): boolean =>
  [given.left, given.right].some((side) => side?.kind === 'variable' && isolates(given, side.name))

function stated(prompt: string): Set<string> {
  const shapes = new Set<string>()
  for (const [text] of normalizeFormula(prompt.slice(0, 500)).matchAll(/[\dA-Za-z(][\w\s()^*/+-]*[\dA-Za-z)]/g))
    for (const part of text.split(/\s(?=[A-Za-z]{2,}\s)|(?<=(?:^|\s)[A-Za-z]{2,})\s/)) {
      const formula = readFormula(part)
      if (formula && formula.kind === 'binary') shapes.add(JSON.stringify(formula))
    }
  return shapes
}

const terms = (formula: Formula): number =>
  formula.kind === 'binary' && isSum(formula) ? terms(formula.left) + terms(formula.right) : 1

function factors(formula: Formula): number {
  if (formula.kind !== 'binary') return 1
  if (formula.sign === '*') return factors(formula.left) + factors(formula.right)
  return formula.sign === '^' && formula.right.kind === 'number' ? factors(formula.left) * formula.right.value : 1
}

function bases(formula: Formula): number[] {
  if (formula.kind === 'number') return [formula.value]
  return formula.kind === 'binary'
    ? [...bases(formula.left), ...(formula.sign === '^' ? [] : bases(formula.right))]
    : []
}

const isPrime = (value: number): boolean => {
  for (let divisor = 2; divisor * divisor <= value; divisor++) if (value % divisor === 0) return false
  return value > 1
}

export function sizeOf(formula: Formula): number {
  if (formula.kind === 'call') return 1 + sizeOf(formula.of)
  if (formula.kind === 'binary' && formula.left.kind === 'number' && formula.left.value === -1)
    return sizeOf(formula.right)
  return formula.kind === 'binary' ? 1 + sizeOf(formula.left) + sizeOf(formula.right) : 1
}
