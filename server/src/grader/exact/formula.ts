import { indicesDown, latexDown } from './numbers/plain-math.ts'

const PAIRS =
  'π pi θ theta α alpha β beta γ gamma δ delta Δ Delta λ lambda μ mu µ mu ν nu ρ rho σ sigma φ phi ω omega Ω Omega ε epsilon τ tau η eta'.split(
    ' ',
  )
const NAMED = new Map(
  PAIRS.flatMap((letter, i): [string, string][] => (i % 2 === 0 ? [[letter, PAIRS[i + 1] ?? '']] : [])),
)
const INDEXED = new RegExp(String.raw`\b(${[...NAMED.values()].join('|')})\s+_`, 'g')
const GREEK = new RegExp(`^(?:${[...NAMED.values()].join('|')})$`, 'i')

export const isGreek = (name: string): boolean => GREEK.test(name)
export const isFormulaName = (word: string): boolean =>
  /^(?:(?:arc)?(?:sin|cos|tan)|cot|sec|csc|sqrt|cbrt|ln|log|exp|abs)$/i.test(word) || isGreek(word)

export function normalizeFormula(text: string): string {
  const plain = latexDown(indicesDown(text))
    .normalize('NFKC')
    .replace(/[$]/g, ' ')
    .replace(/\\var(?=epsilon|phi|theta|rho|sigma)/g, '\\')
    .replace(/\beps(?=_?\d|\b)/g, 'epsilon')
    .replace(/\broh?(?=\s*=)/g, 'rho')
  return plain
    .replace(/\\(?:cdot|times)(?![a-z])|[·×∗⋅•]/g, '*')
    .replace(/(?<=\d)\s+x\s+(?=\d)/g, '*')
    .replace(/\\div(?![a-z])|[÷⁄∕]/g, '/')
    .replace(/\\leq?(?![a-z])|≤|⩽|<=/g, '≤')
    .replace(/\\geq?(?![a-z])|≥|⩾|>=/g, '≥')
    .replace(/(?<![A-Za-z])a(sin|cos|tan)(?=[\s(])/g, 'arc$1')
    .replace(/∛/g, 'cbrt')
    .replace(/√\s*(\d+(?:\.\d+)?|[A-Za-z])/g, 'sqrt($1)')
    .replace(/√/g, 'sqrt')
    .replace(/\|([^|]+)\|/g, ' abs($1)')
    .replace(/\\?log_[{(]?e[)}]?(?![a-z])/g, ' ln ')
    .replace(/\\?log_[{(]?10[)}]?|\blg(?![a-z])/g, ' log ')
    .replace(/\\?log_[{(]?(\w+)[)}]?\s*(\([^()]*\)|\w+)/g, '(log($2)/log($1))')
    .replace(/≈|\\approx(?![a-z])/g, '=')
    .replace(/[−–—]/g, '-')
    .replace(/\*\*/g, '^')
    .replace(/(?<!_\w*)([A-Za-zΑ-Ωα-ω])(?<!log|sin|cos|tan|sec|csc|cot|ln|exp|sqrt|cbrt)(\d)(?![\d.])/g, '$1_$2')
    .replace(/\\([A-Za-z]+)/g, ' $1 ')
    .replace(INDEXED, '$1_')
    .replace(/(?:Δ|\bDelta\b)\s*([A-Za-z])/g, ' $1_Delta ')
    .replace(/[{[]/g, '(')
    .replace(/[}\]]/g, ')')
    .replace(
      /([πθα-δΔλμµρνσφωΩετη])(_\w+)?/gu,
      (_, letter: string, index = '') => ` ${NAMED.get(letter) ?? letter}${index} `,
    )
    .replace(/(?<![A-Za-z])(sin|cos|tan)\s*\^\(?-1\)?/g, 'arc$1')
    .replace(/(?<![A-Za-z])(sin|cos|tan|log|ln)\s*(\([^()]*\))\s*\^/g, '($1$2)^')
    .replace(
      /(?<![A-Za-z])(sin|cos|tan|cot|sec|csc|log|ln)\s*\^\s*\(?\s*(\d)\s*\)?\s*(\([^()]*\)|(?:theta|alpha|beta|phi|omega|[A-Za-z])(?![A-Za-z]))/g,
      '($1($3))^$2',
    )
    .replace(
      /(?<![A-Za-z])(sin|cos|tan|cot|sec|csc|ln)\s*(\d+(?:\.\d+)?\s?(?:theta|alpha|beta|phi|omega|[a-z]))(?![A-Za-z^])/g,
      '$1($2)',
    )
    .replace(
      /_\(([\w+\-\s,]+)\)/g,
      (_, index: string) => `_${index.replace(/\s/g, '').replace(/\+/g, 'p').replace(/-/g, 'm').replace(/,/g, 'c')}`,
    )
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.,;]+$/, '')
}

/** Nothing is executed. No library reads “ma” as m·a, and mathjs takes 9 MB. */
export type Formula =
  | { kind: 'number'; value: number }
  | { kind: 'variable'; name: string }
  | { kind: 'call'; name: string; of: Formula }
  | { kind: 'binary'; sign: '+' | '-' | '*' | '/' | '^'; left: Formula; right: Formula }

const FUNCTIONS: Record<string, (x: number) => number> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  arcsin: Math.asin,
  arccos: Math.acos,
  arctan: Math.atan,
  cot: (x) => 1 / Math.tan(x),
  sec: (x) => 1 / Math.cos(x),
  csc: (x) => 1 / Math.sin(x),
  sqrt: Math.sqrt,
  ln: Math.log,
  log: Math.log10,
  cbrt: Math.cbrt,
  abs: Math.abs,
  not: (x) => (x > 0.5 ? 0 : 1),
}
const TOKEN = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([A-Za-z]+)(_(?:\d+|\w+))?|([-+*/^()|]))/y
const LONGEST = 200
const DEEPEST = 40

type Token = { number: number } | { name: string } | { sign: string }

/** `words`: one name each, not products of letters. `tight`: in `a/2b` all of `2b` is below. */
export function readFormula(text: string, words: ReadonlySet<string> = new Set(), tight = false): Formula | null {
  const tokens = (text.length <= LONGEST ? tokensOf(text, words) : null) ?? []
  if (tokens.length === 0) return null
  let at = 0
  let depth = 0
  const sign = () => {
    const token = tokens[at]
    return token && 'sign' in token ? token.sign : null
  }

  function sum(): Formula | null {
    let left = product()
    while (left && (sign() === '+' || sign() === '-')) {
      const by = sign() === '+' ? '+' : '-'
      at++
      const right = product()
      left = right && { kind: 'binary', sign: by, left, right }
    }
    return left
  }

  function product(): Formula | null {
    let left = signed()
    while (left && at < tokens.length) {
      const next = sign()
      if (next === '*' || next === '/') at++
      else if (next !== null && next !== '(') break
      // What follows without a sign is a factor: 2x, 3(x+1).
      let right = next === '*' || next === '/' ? signed() : power()
      while (tight && next === '/' && right && at < tokens.length && (sign() === null || sign() === '(')) {
        const factor = power()
        right = factor && { kind: 'binary', sign: '*', left: right, right: factor }
      }
      left = right && { kind: 'binary', sign: next === '/' ? '/' : '*', left, right }
    }
    return left
  }

  function signed(): Formula | null {
    if (sign() === '+') at++
    if (sign() !== '-') return power()
    at++
    const of = deeper(signed)
    return of && { kind: 'binary', sign: '*', left: { kind: 'number', value: -1 }, right: of }
  }

  function power(): Formula | null {
    const left = atom()
    if (!left || sign() !== '^') return left
    at++
    const right = deeper(signed)
    return right && { kind: 'binary', sign: '^', left, right }
  }

  function atom(): Formula | null {
    const token = tokens[at++]
    if (!token) return null
    if ('number' in token) return { kind: 'number', value: token.number }
    if ('name' in token) {
      if (token.name === 'exp') {
        const right = deeper(power)
        return right && { kind: 'binary', sign: '^', left: { kind: 'variable', name: 'e' }, right }
      }
      if (!Object.hasOwn(FUNCTIONS, token.name)) return { kind: 'variable', name: token.name }
      const of = deeper(power)
      return of && { kind: 'call', name: token.name, of }
    }
    if (token.sign !== '(') return null
    const inner = deeper(sum)
    if (sign() !== ')') return null
    at++
    return inner
  }

  function deeper(read: () => Formula | null): Formula | null {
    if (depth >= DEEPEST) return null
    depth++
    const result = read()
    depth--
    return result
  }

  const formula = sum()
  return at === tokens.length ? formula : null
}

function tokensOf(text: string, words: ReadonlySet<string>): Token[] | null {
  const tokens: Token[] = []
  let end = 0
  while (end < text.length) {
    TOKEN.lastIndex = end
    const match = TOKEN.exec(text)
    if (!match) return text.slice(end).trim() === '' ? tokens : null
    end = TOKEN.lastIndex
    const [, number, letters, index = '', sign] = match
    if (number !== undefined) tokens.push({ number: Number(number) })
    else if (sign !== undefined) tokens.push({ sign })
    else if (letters !== undefined) tokens.push(...namesIn(letters, index, words))
  }
  return tokens
}

/** “mc” is m·c; “sin”, “theta” and `words` are one name; an index belongs to the last letter. */
function namesIn(letters: string, index: string, words: ReadonlySet<string>): Token[] {
  const lower = letters.toLowerCase()
  if (Object.hasOwn(FUNCTIONS, lower) || lower === 'exp') return [{ name: lower }]
  if (words.has(lower)) return [{ name: lower }]
  if (letters.length === 1 || isGreek(letters)) return [{ name: letters + index }]
  const start = /^(?:sin|cos|tan|cot|sec|csc|sqrt|cbrt|exp|ln|log)/.exec(letters)?.[0]
  if (start) return [{ name: start }, ...namesIn(letters.slice(start.length), index, words)]
  return [...letters].map((letter, i) => ({ name: i === letters.length - 1 ? letter + index : letter }))
}

export function variablesOf(formula: Formula, found: Set<string> = new Set()): Set<string> {
  if (formula.kind === 'variable' && formula.name !== 'pi') found.add(formula.name)
  if (formula.kind === 'call') variablesOf(formula.of, found)
  if (formula.kind === 'binary') {
    variablesOf(formula.left, found)
    variablesOf(formula.right, found)
  }
  return found
}

export function evaluateAt(formula: Formula, at: ReadonlyMap<string, number>): number {
  switch (formula.kind) {
    case 'number':
      return formula.value
    case 'variable':
      return at.get(formula.name) ?? (formula.name === 'pi' ? Math.PI : Number.NaN)
    case 'call':
      return FUNCTIONS[formula.name]?.(evaluateAt(formula.of, at)) ?? Number.NaN
    case 'binary': {
      const [left, right] = [evaluateAt(formula.left, at), evaluateAt(formula.right, at)]
      if (formula.sign === '+') return left + right
      if (formula.sign === '-') return left - right
      if (formula.sign === '*') return left * right
      return formula.sign === '/' ? left / right : left ** right
    }
  }
}

export const isSum = (formula: Formula): boolean =>
  formula.kind === 'binary' && (formula.sign === '+' || formula.sign === '-')

export const sizeOf = (formula: unknown): number =>
  (JSON.stringify(formula).match(/"(?:number|variable)"/g) ?? []).length

export function hasProductOfSums(formula: Formula): boolean {
  if (formula.kind !== 'binary') return false
  const { sign, left, right } = formula
  if (sign === '*' && (isSum(left) || isSum(right))) return true
  if (sign === '^' && isSum(left)) return true
  return hasProductOfSums(left) || hasProductOfSums(right)
}
