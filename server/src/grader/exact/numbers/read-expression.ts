import { evaluateAt, readFormula } from '../formula.ts'

type NumberForm = 'integer' | 'decimal' | 'fraction' | 'mixed' | 'scientific' | 'root' | 'expression'

export interface WrittenNumber {
  value: number
  form: NumberForm
  /** Negative for `3 × 10^8`, infinite for exact forms such as `1/3` and `√2`. */
  decimals: number
  /** `n` for each number: `n/n`, `n-n`, `n*n^n`. */
  shape: string
  parts: number[]
  end: number
}

const POINT = String.raw`[1-9]\d{0,2}(?:(?:,\d{3})+|(?:'\d{3})+|(?: \d{3})+)(?!\d)(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+\.\d+|\d+,\d+|\d+|\.\d+`
/** With a decimal comma, a point before three digits separates thousands. */
const COMMA = String.raw`[1-9]\d{0,2}(?:(?:\.\d{3})+|(?: \d{3})+)(?!\d)(?:,\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)|\d+,\d+|\d+\.\d+|\d+|,\d+`
const LITERALS = { point: new RegExp(POINT, 'y'), comma: new RegExp(COMMA, 'y') }
const EXPONENT = /[eE]([-+]?\d{1,3})(?![\d\p{L}])/uy
const SCALE = /\s*(hundred|thousand|million|billion|trillion|bn|mn)s?\b/iy
const SCALES: Record<string, number> = { hundred: 2, thousand: 3, million: 6, mn: 6, billion: 9, bn: 9, trillion: 12 }
const MOST_TOKENS = 60
const SIGN = /(?:π|pi(?![a-z])|sqrt|root(?![a-z])|[-+*/^()!])/iy
const MIXED = / (\d{1,3})\s?\/\s?(\d{1,3})(?![\d.,]*\d)/y
const LARGEST_FACTORIAL = 20

export type DecimalMark = keyof typeof LITERALS

interface Literal {
  value: number
  decimals: number
  scaledBy: number
  shape: string
  end: number
}

/** `formula`: as `readFormula` takes it, with a name for each number. */
interface Token {
  formula: string
  shape: string
  end: number
}

/** Null where none begins at `at`. Nothing is executed. */
export function readNumberAt(text: string, at: number, mark: DecimalMark = 'point'): WrittenNumber | null {
  const { tokens, literals } = tokensAt(text, at, mark)
  const values = new Map(literals.map(({ value }, i) => [`n_${i}`, value]))
  for (let count = tokens.length; count > 0; count--) {
    const part = tokens.slice(0, count)
    const formula = readFormula(part.map((token) => token.formula).join(' '))
    const shape = part.map((token) => token.shape).join('')
    if (!formula || !/[nπ]/.test(shape)) continue
    const value = evaluateAt(formula, values)
    if (!Number.isFinite(value)) return null
    const used = literals.slice(0, shape.match(/n/g)?.length ?? 0)
    const scaledBy = used.reduce((sum, one) => sum + one.scaledBy, 0)
    const parts = used.map((one) => one.value)
    return { value, ...formOf(shape, used, scaledBy), shape, parts, end: part.at(-1)?.end ?? at }
  }
  return null
}

function tokensAt(text: string, at: number, mark: DecimalMark): { tokens: Token[]; literals: Literal[] } {
  const tokens: Token[] = []
  const literals: Literal[] = []
  const name = (literal: Literal) => `n_${literals.push(literal) - 1}`
  let end = at
  while (tokens.length < MOST_TOKENS) {
    let i = end
    while (text[i] === ' ') i++
    const before = tokens.at(-1)
    const operand = before !== undefined && /[nπ)!]$/.test(before.shape)
    SIGN.lastIndex = i
    const sign = SIGN.exec(text)?.[0].toLowerCase()
    const literal = operand || sign ? null : literalAt(text, i, mark)
    MIXED.lastIndex = end
    const mixed =
      operand && /^e?n$/.test(before.shape) && !/[.,n]$/.test(tokens.at(-2)?.shape ?? '') ? MIXED.exec(text) : null
    const [top, bottom] = [Number(mixed?.[1]), Number(mixed?.[2])]
    if (mixed && top < bottom && Number.isInteger(literals.at(-1)?.value)) {
      const plain = { decimals: 0, scaledBy: 0, shape: 'n', end: MIXED.lastIndex }
      const whole = tokens.pop()
      const part = `${name({ ...plain, value: top })} / ${name({ ...plain, value: bottom })}`
      end = MIXED.lastIndex
      tokens.push({ formula: `(${whole?.formula} + ${part})`, shape: `${whole?.shape} n/n`, end })
    } else if (literal) {
      end = literal.end
      tokens.push({ formula: name(literal), shape: literal.shape, end })
    } else if (sign === undefined) break
    else {
      const named = sign === 'pi' || sign === 'π' ? 'π' : /^[sr]/.test(sign) ? '√' : sign
      const starts = /[π√(]/.test(named)
      // A bracket may follow a number: 2(3 + 1).
      if (operand ? named === '(' && i !== end : !starts && !/[-+]/.test(named)) break
      const binary = /[nπ)!]$/.test(tokens.at(-2)?.shape ?? '')
      if (/[-+]/.test(named) && /[-+√]$/.test(before?.shape ?? '') && !binary) break
      const last = literals.at(-1)
      if (named === '!') {
        if (
          !last ||
          before?.shape !== 'n' ||
          !Number.isInteger(last.value) ||
          last.value < 0 ||
          last.value > LARGEST_FACTORIAL
        )
          break
        tokens.pop()
      }
      end = i + sign.length
      const formula =
        named === '!'
          ? name({ value: factorial(last?.value ?? 0), decimals: 0, scaledBy: 0, shape: 'n', end })
          : named === 'π'
            ? 'pi'
            : named === '√'
              ? 'sqrt'
              : named
      tokens.push({ formula, shape: named === '!' ? 'n!' : `${operand && starts ? '*' : ''}${named}`, end })
    }
  }
  return { tokens, literals }
}

function literalAt(text: string, at: number, mark: DecimalMark): Literal | null {
  const pattern = LITERALS[mark]
  pattern.lastIndex = at
  const digits = pattern.exec(text)?.[0]
  let end = pattern.lastIndex
  // “1,2,3” and “1.2.3” are no numbers.
  if (digits === undefined || /^(?:[.,']\d|\d)/.test(text.slice(end, end + 2))) return null
  const plain = plainDigits(digits, mark)
  EXPONENT.lastIndex = end
  const exponent = EXPONENT.exec(text)?.[1]
  if (exponent !== undefined) end = EXPONENT.lastIndex
  SCALE.lastIndex = end
  const scale = SCALE.exec(text)?.[1]
  if (scale !== undefined) end = SCALE.lastIndex
  const scaledBy = SCALES[scale?.toLowerCase() ?? ''] ?? 0
  const decimals = (plain.split('.')[1]?.length ?? 0) - Number(exponent ?? 0) - scaledBy
  const unscaled = Number(`${plain}e${exponent ?? 0}`)
  const value = scaledBy === 0 ? unscaled : Number(`${unscaled}e${scaledBy}`)
  return { value, decimals, scaledBy, shape: exponent === undefined ? 'n' : 'en', end }
}

function plainDigits(digits: string, mark: DecimalMark): string {
  const spaceless = digits.replace(/[ ']/g, '')
  if (/,.*\./.test(spaceless)) return spaceless.replace(/,/g, '')
  if (/\..*,/.test(spaceless)) return spaceless.replace(/\./g, '').replace(',', '.')
  if (mark === 'comma') {
    if (/^[1-9]\d{0,2}(?:\.\d{3})+$/.test(spaceless)) return spaceless.replace(/\./g, '')
    return spaceless.replace(',', '.')
  }
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.|$)/.test(spaceless)) return spaceless.replace(/,/g, '')
  if (/\..*\./.test(spaceless)) return spaceless.replace(/\./g, '')
  return spaceless.replace(',', '.')
}

function formOf(
  shape: string,
  literals: { value: number; decimals: number }[],
  scaledBy: number,
): { form: NumberForm; decimals: number } {
  const plain = shape.replace(/^\(([^()]*)\)$/, '$1').replace(/^[-+]/, '')
  const [first, second, third] = literals
  const exact = Number.POSITIVE_INFINITY
  if (plain === 'n') {
    const decimals = first?.decimals ?? 0
    return { form: decimals > 0 ? 'decimal' : 'integer', decimals: scaledBy > 0 && decimals <= 0 ? 0 : decimals }
  }
  if (plain === 'en') return { form: 'scientific', decimals: first?.decimals ?? 0 }
  if (/^n\^\(?[-+]?n\)?$/.test(plain) && first?.value === 10) return { form: 'scientific', decimals: exact }
  if (/^n\*n\^\(?[-+]?n\)?$/.test(plain) && second?.value === 10)
    return { form: 'scientific', decimals: (first?.decimals ?? 0) - powerFrom(shape, third?.value ?? 0) }
  if (plain === 'n/n') return { form: 'fraction', decimals: exact }
  if (plain === 'n n/n') return { form: 'mixed', decimals: exact }
  return { form: /[√π]/.test(plain) ? 'root' : 'expression', decimals: exact }
}

const powerFrom = (shape: string, value: number) => (/\^\(?-n\)?$/.test(shape) ? -value : value)

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1))
