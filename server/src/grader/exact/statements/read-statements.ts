import { evaluateAt, type Formula, isFormulaName, normalizeFormula, readFormula, variablesOf } from '../formula.ts'
import { spokenToSymbols, withoutLabel } from '../formula-readings.ts'
import { type Quantity, readQuantity } from '../quantity.ts'

export interface Member {
  text: string
  formula: Formula | null
  /** Null with variables. */
  value: number | null
  quantity: Quantity | null
  computed: boolean
}

/** `a = b = c`; `label` is the word or letter before the first sign. */
export interface Statement {
  label: string
  members: Member[]
}

export interface Statements {
  found: Statement[]
  words: string[]
}

const LONGEST = 1500
const MOST = 60
const BREAK =
  /[\n;]|,(?!\d{3}(?!\d))|\.(?=\s|$)|:(?=\s)|[∴⇒⟹→]|=>|->|\b(?:so|therefore|hence|thus|then|and|or|giving|gives?|leading\s+to|leads\s+to|becomes|since|because|where|is|are|but|which|to\s+get|we\s+get|get|got|with|when|if|from|into|using|uses?|for)\b/i
const SHORT_WORD = /^(?:of|in|to|it|we|by|on|as|at|an|up|no|oe|do|be|my|i)$/i
const OPERATOR = /[-+*/^·×÷√²³−–⁄]|sqrt/

/** “Ek”, “KE”, “Q_d” are one name; “mgh” is a product. */
const NAME = /^(?:[A-Z][a-z]|[A-Z]{2,3}|[A-Za-z]_\w+)$/

const isWord = (text: string): boolean => {
  const letters = text.match(/[A-Za-z]+/g) ?? []
  if (/\d/.test(text) && !/^[A-Za-z]{3,}/.test(text)) return false
  return letters.some(
    (run) =>
      !isFormulaName(run) &&
      (SHORT_WORD.test(text) || (run.length >= 3 && /^[A-Za-z]?[a-z]+$/.test(run) && /[aeiouy]/i.test(run))),
  )
}

export function readStatements(text: string): Statements {
  const found: Statement[] = []
  const words: string[] = []
  for (const piece of spoken(text.slice(0, LONGEST)).split(BREAK)) {
    if (found.length >= MOST || !piece) continue
    for (const { span, before } of spansIn(piece)) {
      words.push(...before)
      const statement = span === '' ? null : statementOf(span, before.at(-1) ?? '')
      if (statement) found.push(statement)
      else words.push(...(span.match(/[A-Za-z]{3,}/g) ?? []))
    }
  }
  return { found, words }
}

const spoken = (text: string): string =>
  spokenToSymbols(text.replace(/\s*(?:≈|≃|\bequals\b|\bis\s+equal\s+to\b)\s*/gi, ' = '))
    .replace(/[$£€](?=\s?\d)/g, ' ')
    .replace(/(?<=\d)\s*x\s*(?=\d)/g, ' * ')

function spansIn(piece: string): { span: string; before: string[] }[] {
  const spans: { span: string; before: string[] }[] = []
  let before: string[] = []
  let span: string[] = []
  const close = () => {
    spans.push({ span: span.join(' ').replace(/^[)\s]+|[(\s]+$/g, ''), before })
    before = []
    span = []
  }
  for (const token of piece.replace(/=/g, ' = ').trim().split(/\s+/)) {
    // A unit in words follows its number.
    if (isWord(token.replace(/[()?!"]/g, ''))) {
      if (span.length > 0) close()
      before.push(token.replace(/[^\p{L}]/gu, '').toLowerCase())
    } else span.push(token)
  }
  close()
  return spans
}

function statementOf(span: string, wordBefore: string): Statement | null {
  const sides = withoutLabel(span).split('=')
  const labelled = (sides[0] ?? '').trim() === '' && sides.length > 1
  const members = sides.map((side) => memberOf(side.trim())).filter((member) => member !== null)
  if (members.length === 0) return null
  const [first] = members
  const name = sides.length > 1 && NAME.test((sides[0] ?? '').trim()) ? (sides[0] ?? '').trim() : ''
  const letter = sides.length > 1 && first?.formula?.kind === 'variable' ? first.formula.name : name
  return { label: labelled ? wordBefore : letter, members }
}

function memberOf(text: string): Member | null {
  if (text === '') return null
  const quantity = readQuantity(text)
  const computed = OPERATOR.test(text.replace(/^\s*[-−–+]/, '')) && /\d.*\D.*\d|[A-Za-z]/.test(text)
  const formula = readFormula(normalizeFormula(text))
  if (quantity && !quantity.explicit) return { text, formula: bare(formula), value: quantity.value, quantity, computed }
  if (!formula) return valueWithUnit(text)
  const value = variablesOf(formula).size === 0 ? evaluateAt(formula, new Map()) : null
  return { text, formula, value: value !== null && Number.isFinite(value) ? value : null, quantity: null, computed }
}

function valueWithUnit(text: string): Member | null {
  const plain = /^(.*\d)\s*[A-Za-zΩµ°%/²³⁻¹·]{1,8}$/u.exec(text)?.[1]
  return plain !== undefined && plain !== text ? memberOf(plain) : null
}

const bare = (formula: Formula | null): Formula | null => (formula && variablesOf(formula).size === 0 ? formula : null)
