import { evaluateAt, type Formula, readFormula, variablesOf } from '../formula.ts'
import { HALF, type Notation, RIGHT, WRONG } from './judge-by-notation.ts'

const SIGNS = /[¬∧∨→↔⇒⇔⊕]|\\(?:l?and|l?or|lnot|neg|wedge|vee|implies|to)(?![a-z])|\b(?:AND|OR|NOT|XOR)\b/
const OPERATION = /[A-Z]['’′]|[A-Z]\s*[+·∧∨]\s*[A-Z]|\b(?:AND|OR|NOT|XOR)\b/
const BOOLEAN =
  /\b(?:boolean|logic\w*|circuit|gates?|truth\s+table|proposition\w*|de\s+morgan|simplif\w+\s+the\s+expression)\b/i

const RULES: [RegExp, string][] = [
  [/\bneither\s+(\w+)\s+nor\s+(\w+)/gi, '(¬$1 ∧ ¬$2)'],
  [/\b(?:it\s+is\s+not\s+(?:true|the\s+case)\s+that)\b/gi, '¬'],
  [/\bif\s+and\s+only\s+if\b|\biff\b|<-+>|<=+>|⇔|\\(?:leftrightarrow|iff)(?![a-z])/gi, '↔'],
  [/^(?!if\b)(.+?)\s*(?:←|⇐|<-|\bif\b)\s*(.+)$/gi, '($2) → ($1)'],
  [/\bif\s+(.+?),?\s+then\s+(.+)$/gi, '($1) → ($2)'],
  [/\\(?:implies|to|rightarrow|Rightarrow)(?![a-z])|\bimplies\b|⇒|=>|->|⟹|⊃/gi, '→'],
  [/\\(?:l?and|wedge|cdot)(?![a-z])|\band\b|&&?|\^|∧|·|⋅|(?<=\w|\))\s*\.\s*(?=\w|[(¬~!])/gi, ' * '],
  [/\bx?or\b(?<=\bxor)|⊕|\\oplus/gi, ' ⊕ '],
  [/\\(?:l?or|vee)(?![a-z])|\bor\b|\|\|?|∨|(?<=[\s)'])v(?=[\s(~¬!])/gi, ' + '],
  [/\\(?:lnot|neg|not)(?![a-z])|\bnot\b|[~!¬]/gi, '¬'],
  [/([A-Za-z]|\([^()]*\))(?:\u0305|\u0304|[’'′])/gu, '(¬$1)'],
  [/\\(?:overline|bar)\s*\{([^{}]*)\}/g, '(¬($1))'],
]

/** As sums and products of 0 and 1, with `abs(1 - x)` for “not x”; null for anything else. */
function readLogic(text: string): Formula | null {
  if (text.length > 120 || /[2-9]/.test(text)) return null
  const written = text.normalize('NFC').replace(/\$/g, '')
  const plain = RULES.reduce((rest, [pattern, sign]) => rest.replace(pattern, sign), written)
  return read(plain.trim().replace(/\.$/, ''))
}

function read(text: string): Formula | null {
  for (const sign of ['↔', '→', '⊕']) {
    const at = outermost(text, sign)
    if (at < 0) continue
    const [left, right] = [read(text.slice(0, at)), read(text.slice(at + 1))]
    if (!left || !right) return null
    // A call tells it from the same formula written with “or”.
    if (sign === '→') return { kind: 'call', name: 'abs', of: or(not(left), right) }
    const both = or(and(left, right), and(not(left), not(right)))
    return sign === '↔' ? both : not(both)
  }
  const inner = /^\s*\((.*)\)\s*$/s.exec(text)?.[1]
  if (inner !== undefined && balanced(inner)) return read(inner)
  if (!/^[\w\s*+()¬]+$/.test(text) || /[A-Za-z]{3}/.test(text)) return null
  const formula = readFormula(text.replace(/¬\s*/g, 'not '))
  return formula && variablesOf(formula).size > 0 ? formula : null
}

const and = (left: Formula, right: Formula): Formula => ({ kind: 'binary', sign: '*', left, right })
const or = (left: Formula, right: Formula): Formula => ({ kind: 'binary', sign: '+', left, right })
const not = (of: Formula): Formula => ({ kind: 'call', name: 'not', of })

function balanced(text: string): boolean {
  let depth = 0
  for (const sign of text) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    if (depth < 0) return false
  }
  return depth === 0
}

const outermost = (text: string, sign: string): number =>
  [...text].findIndex((one, i) => one === sign && balanced(text.slice(0, i)))

const MOST_NAMES = 6

function truthTable(formula: Formula, names: string[]): string {
  return Array.from({ length: 2 ** names.length }, (_, row) => {
    const at = new Map(names.map((name, i) => [name, (row >> i) & 1]))
    return evaluateAt(formula, at) > 0.5 ? 1 : 0
  }).join('')
}

const lower = (formula: Formula): Formula => {
  if (formula.kind === 'variable') return { ...formula, name: formula.name.toLowerCase() }
  if (formula.kind === 'call') return { ...formula, of: lower(formula.of) }
  return formula.kind === 'binary' ? { ...formula, left: lower(formula.left), right: lower(formula.right) } : formula
}

const lengthOf = (formula: Formula): number => JSON.stringify(formula).length

export const LOGIC: Notation<Formula> = {
  read: (key, prompt) =>
    SIGNS.test(key) ||
    (/[A-Z]['’′]|[A-Z]\s*\+\s*[A-Z]/.test(key) && SIGNS.test(prompt)) ||
    (SIGNS.test(prompt) && /^\s*[a-zA-Z]\s*$/.test(key)) ||
    (BOOLEAN.test(prompt) && (/[+·.'’]/.test(key) || (/^\s*[A-Z01]\s*$/.test(key) && OPERATION.test(prompt))))
      ? readLogic(key)
      : null,
  find(whole) {
    const answer = whole.replace(/^\W*(?:just|only|simply)\s+/i, '')
    const [, tail = answer] = /^.*(?:\bis\b|:|(?<![<>!])=(?!>))\s*(.+)$/is.exec(answer) ?? []
    const formula = readLogic(answer) ?? readLogic(tail)
    return formula ? { skeleton: '#0#', found: [formula] } : { skeleton: answer.replace(/#/g, ' '), found: [] }
  },
  compare(key, given, prompt) {
    const [a, b] = [lower(key), lower(given)]
    const names = [...variablesOf(b, variablesOf(a))].sort()
    if (names.length > MOST_NAMES || truthTable(a, names) !== truthTable(b, names)) return WRONG
    // The inverse says the same as the converse, but is another answer.
    if (/\b(?:converse|inverse|contrapositive)\b/i.test(prompt) && JSON.stringify(a) !== JSON.stringify(b)) return WRONG
    const stated =
      /(?:\bof|:|\bsimplify|\bwrite)\s+([^.?:]+?)(?:\s+(?:with|without|using|by|more|as)\b.*)?[.?]?$/is.exec(
        prompt,
      )?.[1]
    const told = stated === undefined ? null : readLogic(stated)
    if (told && JSON.stringify(lower(told)) === JSON.stringify(b))
      return JSON.stringify(a) === JSON.stringify(b) ? RIGHT : WRONG
    return /\b(?:simplif|morgan|rewrite)/i.test(prompt) &&
      JSON.stringify(a) !== JSON.stringify(b) &&
      lengthOf(b) > 1.1 * lengthOf(a)
      ? HALF
      : RIGHT
  },
}
