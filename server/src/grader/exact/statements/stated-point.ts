import { hasProductOfSums, normalizeFormula, variablesOf } from '../formula.ts'
import { sizeOf } from '../formula-form.ts'
import { isRootList } from '../list-members.ts'
import { compareQuantities, quantitiesIn, readQuantity } from '../quantity.ts'
import { compareRelations, type Relation, sameValue } from '../relation.ts'
import { type Member, readStatements, type Statement, type Statements } from './read-statements.ts'

/** Met by all statements of one of its `ways`. */
interface StatedPoint {
  ways: Statement[][]
  /** “divides by 7” */
  operation: { sign: string; number: number } | null
  expands: boolean
  substitutes: boolean
}

/** Words that say how a formula comes about, not what else must be said. */
const GUIDANCE =
  /^(?:the|an?|of|to|in|by|as|it|on|at|use|uses|used|using|correct|correctly|correctness|attempts?|attempting|seen|oe|cao|awrt|isw|soi|dep|ft|with|without|no|errors?|shown|shows?|writes?|written|states?|stated|obtains?|obtaining|gets?|finds?|finding|calculates?|calculation|calculating|substitut\w+|expands?|expanding|simplif\w+|rearrang\w+|cancels?|cancelling|one|two|three|both|either|bracket|brackets|term|terms|side|sides|formula|formulas|formulae|equation|expression|answer|final|value|values|method|subtract\w*|adds?|adding|multipl\w+|divid\w+|sets?|setting|equates?|equating|equal|equals|factoris\w+|factoriz\w+|differentiat\w+|integrat\w+|solves?|solving|solution|leading|lead|unit|units|any|each|for|working|step|first|second|their|this|that|sum|difference|product|square|squares|total|puts?|applies|applied|evaluates?|identifies|recognises|reaches|result|line|correctly|accept|form|equivalent|all|must|be|been)$/i
const STEPS = /\s*(?::|\b(?:with|so|hence|therefore|leading\s+to|leads\s+to|giving|to\s+get|to\s+give)\b)\s*/i
const OPERATIONS: [RegExp, string][] = [
  [/^divid\w+\s+by\s+([\d.]+)$/i, '/'],
  [/^multipl\w+\s+by\s+([\d.]+)$/i, '*'],
  [/^adds?\s+([\d.]+)$/i, '+'],
  [/^subtracts?\s+([\d.]+)$/i, '-'],
]

/** Null where it says more than a formula, equation or number. */
export function readStatedPoint(text: string): StatedPoint | null {
  const plain = text
    .trim()
    // “(a =) 1.5”: brackets are optional.
    .replace(/^\(\s*\p{L}{1,3}\s*=\s*\)\s*/u, '')
    .replace(/\s*\([^()]*\p{L}{3}[^()]*\)\s*$/u, '')
    .replace(/\.$/, '')
  if (plain.length > 140) return null
  const quantity = readQuantity(plain)
  if (quantity && !quantity.explicit) {
    const member: Member = { text: plain, formula: null, value: quantity.value, quantity, computed: false }
    const label = /^\s*(\p{L})\s*=/u.exec(plain)?.[1] ?? ''
    return { ways: [[{ label, members: [member] }]], operation: null, expands: false, substitutes: false }
  }
  for (const [pattern, sign] of OPERATIONS) {
    const number = pattern.exec(plain)?.[1]
    if (number !== undefined)
      return { ways: [], operation: { sign, number: Number(number) }, expands: false, substitutes: false }
  }
  const expands = /\bexpand|bracket|factori[sz]e/i.test(plain)
  const substitutes = /\bsubstitut/i.test(plain)
  const parts = isRootList(plain) ? [plain] : plain.split(/\s+or\s+|\s\/\s/i)
  const ways = parts.map(readWays)
  return ways.every((way) => way !== null) ? { ways: ways.flat(), operation: null, expands, substitutes } : null
}

/** The formula or its numbers meet “use of v = u + at: 0 = 20 − 4t”, the result “… so x = 2”. */
function readWays(text: string): Statement[][] | null {
  const steps = text.split(STEPS).map(readWay)
  if (readWay(text.replace(STEPS, '; ')) === null) return null
  const told = steps.filter((step) => step !== null)
  const [first] = told
  const last = told.at(-1)
  if (!first || !last) return null
  return first !== last && /^\W*(?:use[sd]?|using|states?|quotes?|recalls?)\b|:/i.test(text) ? [last, first] : [last]
}

function readWay(text: string): Statement[] | null {
  const { found, words } = readStatements(text)
  const labels = new Set(found.map(({ label }) => label))
  const kept = found.filter(({ members }) => members.length > 1 || isTelling(members[0]))
  if (kept.length === 0 || words.some((word) => !GUIDANCE.test(word) && !labels.has(word) && !isLabelWord(word, text)))
    return null
  return kept
}

const isLabelWord = (word: string, text: string): boolean =>
  new RegExp(String.raw`\b${word}\b[\p{L}\s]{0,20}=`, 'iu').test(text)

const isTelling = (member: Member | undefined): boolean =>
  member !== undefined && (member.value !== null || (member.formula !== null && member.formula.kind !== 'variable'))

/** 0..1. */
export function shareStated(point: StatedPoint, answer: string, given: Statements): number {
  if (point.operation) return hasOperation(point.operation, answer) ? 1 : 0
  if (point.substitutes && point.ways.some((all) => all.some((one) => isSubstituted(one, answer)))) return 1
  const share = (all: readonly Statement[]) =>
    all.filter((one) => isStated(one, answer, given, point.expands)).length / Math.max(1, all.length)
  return Math.max(...point.ways.map(share))
}

function hasOperation({ sign, number }: NonNullable<StatedPoint['operation']>, answer: string): boolean {
  const plain = answer
    .replace(/[÷]/g, '/')
    .replace(/[×·]|(?<=\d)\s*x\s*(?=\d)/g, '*')
    .replace(/[−–]/g, '-')
  const digits = String(number).replace('.', String.raw`\.`)
  const after = new RegExp(String.raw`\${sign}\s*\(?${digits}(?![\d.])`).test(plain)
  return after || ('*+'.includes(sign) && new RegExp(String.raw`(?<![\d.])${digits}\s*\${sign}`).test(plain))
}

function isStated(key: Statement, answer: string, given: Statements, expands: boolean): boolean {
  const last = key.members.at(-1)
  if (!last) return false
  if (last.value !== null)
    return key.members.length > 1 || !last.computed ? isValueStated(key, last, answer, given) : isComputed(last, given)
  return given.found.some((one) => {
    if (key.members.length > 1 && shareRelation(key, one)) return true
    // An equation says more than its right side; a name on its left says nothing.
    if (last.formula?.kind === 'variable' || (key.members.length > 1 && key.label === '')) return false
    return one.members.some((member) => sameExpression(last, member, expands) || isTermsOf(last, member))
  })
}

function sameExpression(key: Member, given: Member, expands: boolean): boolean {
  if (!key.formula || !given.formula || !sameValue(key.formula, given.formula)) return false
  const factored = hasProductOfSums(key.formula)
  if ((expands || factored) && factored !== hasProductOfSums(given.formula)) return false
  return sizeOf(given.formula) <= 1.6 * sizeOf(key.formula) + 1
}

/** `(p/m)` in place of v. */
function isSubstituted({ members }: Statement, answer: string): boolean {
  const put = squeezed(members.at(-1)?.text ?? '')
  return put.length >= 3 && squeezed(answer).includes(`(${put})`)
}

const squeezed = (text: string): string =>
  normalizeFormula(text)
    .replace(/\s+/g, '')
    .replace(/\^\((\w+)\)/g, '^$1')

function isTermsOf(key: Member, given: Member): boolean {
  const [wanted, has] = [squeezed(key.text), squeezed(given.text)]
  if (wanted.length < 4 || !/[+-]/.test(wanted.slice(1))) return false
  const at = has.indexOf(wanted)
  return at >= 0 && /^$|[(+]$/.test(has.slice(0, at)) && /^$|^[)+-]/.test(has.slice(at + wanted.length))
}

const shareRelation = (a: Statement, b: Statement): boolean =>
  relationsOf(a).some((one) => relationsOf(b).some((other) => compareRelations(one, other) === 'same'))

function relationsOf({ members }: Statement): Relation[] {
  const pairs = members.flatMap((left, i) => (members[i + 1] ? [[left, members[i + 1]]] : []))
  if (members.length > 2) pairs.push([members[0], members.at(-1)])
  return pairs.flatMap(([left, right]) =>
    left?.formula && right?.formula && variablesOf(left.formula, variablesOf(right.formula)).size > 0
      ? [{ left: left.formula, sign: '=', right: right.formula } as const]
      : [],
  )
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 0.004 * Math.abs(a) + 1e-300

const isComputed = (key: Member, given: Statements): boolean =>
  given.found.some(({ members }) => members.some(({ value }) => value !== null && near(value, key.value ?? Number.NaN)))

function isValueStated(key: Statement, last: Member, answer: string, given: Statements): boolean {
  // A result must be worked out; a step need not be.
  const worked = key.members.length > 1
  const fits = ({ value, quantity, computed }: Member): boolean => {
    if (computed && !worked) return false
    if (last.quantity && quantity) {
      const match = compareQuantities(last.quantity, { ...quantity, unit: quantity.measure, raw: '' })
      return match === 'right' || match === 'rounded' || match === 'unit_missing'
    }
    return value !== null && near(value, last.value ?? Number.NaN)
  }
  const sameLabel = ({ label, members }: Statement): boolean => {
    if (key.label.length !== 1) return true
    if (label.length === 1) return label.toLowerCase() === key.label.toLowerCase()
    // The 3 of “2x² − 5x = 3” is no value of x.
    return members.every(({ value }) => value !== null)
  }
  if (given.found.some((one) => sameLabel(one) && one.members.some(fits))) return true
  if (given.found.some((one) => shareRelation(key, one))) return true
  const { quantity } = last
  // With its unit it may stand anywhere.
  return (
    quantity !== null &&
    quantity.unit !== '' &&
    quantitiesIn(answer, last.text).some((one) => compareQuantities(quantity, one) === 'right')
  )
}
