/** What a question may ask for (“as a fraction”), and how exact it is. */
export type NumberForm = 'integer' | 'decimal' | 'fraction' | 'mixed' | 'scientific' | 'root' | 'expression'

export interface WrittenNumber {
  value: number
  form: NumberForm
  /** Negative for `3 × 10^8`, infinite for exact forms such as `1/3` and `√2`. */
  decimals: number
  /** Its shape with `n` for each number: `n`, `n/n`, `n-n`, `n*n^n`. */
  shape: string
  parts: number[]
  end: number
}

const POINT = String.raw`[1-9]\d{0,2}(?:(?:,\d{3})+|(?:'\d{3})+|(?: \d{3})+)(?!\d)(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+\.\d+|\d+,\d+|\d+|\.\d+`
/** Where the key has a decimal comma, a point before three digits parts thousands. */
const COMMA = String.raw`[1-9]\d{0,2}(?:(?:\.\d{3})+|(?: \d{3})+)(?!\d)(?:,\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)|\d+,\d+|\d+\.\d+|\d+|,\d+`
const LITERALS = { point: new RegExp(POINT, 'y'), comma: new RegExp(COMMA, 'y') }
const EXPONENT = /[eE]([-+]?\d{1,3})(?![\d\p{L}])/uy
const SCALE = /\s*(hundred|thousand|million|billion|trillion|bn|mn)s?\b/iy
const SCALES: Record<string, number> = { hundred: 2, thousand: 3, million: 6, mn: 6, billion: 9, bn: 9, trillion: 12 }
const MAX_DEPTH = 20

export type DecimalMark = keyof typeof LITERALS

/** Null where none begins at `at`. Knows numbers, + − × / ^ !, brackets, √ and π; nothing is executed. */
export function readNumberAt(text: string, at: number, mark: DecimalMark = 'point'): WrittenNumber | null {
  let i = at
  let depth = 0
  let shape = ''
  let scaledBy = 0
  const literals: { value: number; decimals: number }[] = []
  const skip = () => {
    while (text[i] === ' ') i++
  }

  function literal(): number | null {
    const pattern = LITERALS[mark]
    pattern.lastIndex = i
    const match = pattern.exec(text)
    if (!match) return null
    const digits = match[0]
    const end = pattern.lastIndex
    // “1,2,3” and “1.2.3” are no numbers.
    if (/^[.,']\d/.test(text.slice(end, end + 2)) || /^\d/.test(text.slice(end))) return null
    i = end
    let decimals = 0
    const plain = plainDigits(digits, mark)
    decimals = plain.split('.')[1]?.length ?? 0
    let value = Number(plain)
    EXPONENT.lastIndex = i
    const exponent = EXPONENT.exec(text)
    if (exponent) {
      i = EXPONENT.lastIndex
      value = Number(`${plain}e${exponent[1]}`)
      decimals -= Number(exponent[1])
      shape += 'e'
    }
    SCALE.lastIndex = i
    const scale = SCALE.exec(text)
    if (scale) {
      i = SCALE.lastIndex
      const power = SCALES[(scale[1] ?? '').toLowerCase()] ?? 0
      value = Number(`${value}e${power}`)
      decimals -= power
      scaledBy += power
    }
    literals.push({ value, decimals })
    shape += 'n'
    return value
  }

  function sum(): number | null {
    let left = product()
    while (left !== null) {
      const from = i
      skip()
      const sign = text[i]
      if (sign !== '+' && sign !== '-') {
        i = from
        break
      }
      const before = { shape, count: literals.length }
      i++
      shape += sign
      const right = product()
      if (right === null) {
        i = from
        shape = before.shape
        literals.length = before.count
        break
      }
      left = sign === '+' ? left + right : left - right
    }
    return left
  }

  function product(): number | null {
    let left = signed()
    while (left !== null) {
      const from = i
      const before = { shape, count: literals.length }
      skip()
      const sign = text[i]
      let right: number | null = null
      if (sign === '*' || sign === '/') {
        i++
        shape += sign
        right = signed()
      } else if (
        /^(?:π|pi\b|sqrt|root\b)/.test(text.slice(i, i + 5)) ||
        (sign === '(' && i === from && depth < MAX_DEPTH)
      ) {
        shape += '*'
        right = power()
      } else if (/n$/.test(shape)) {
        right = fractionPart()
        if (right !== null) {
          left += left < 0 ? -right : right
          continue
        }
      }
      if (right === null) {
        i = from
        shape = before.shape
        literals.length = before.count
        break
      }
      left = sign === '/' ? left / right : left * right
    }
    return left
  }

  /** The `3/4` of `1 3/4`. */
  function fractionPart(): number | null {
    const match = /^(\d{1,3})\s?\/\s?(\d{1,3})(?![\d.,]*\d)/.exec(text.slice(i))
    if (!match || text[i - 1] !== ' ' || !/(?:^|[^.,\dn])n$/.test(shape)) return null
    const [top, bottom] = [Number(match[1]), Number(match[2])]
    if (top >= bottom || !Number.isInteger(literals.at(-1)?.value)) return null
    i += match[0].length
    shape += ' n/n'
    return top / bottom
  }

  function signed(): number | null {
    skip()
    const sign = text[i]
    if (sign !== '-' && sign !== '+') return power()
    i++
    shape += sign
    skip()
    if (/[-+]/.test(text[i] ?? '')) return null
    const value = power()
    return value !== null && sign === '-' ? -value : value
  }

  function power(): number | null {
    let base = atom()
    if (base !== null && text[i] === '!' && Number.isInteger(base) && base >= 0 && base <= 20) {
      i++
      shape += '!'
      base = factorial(base)
    }
    if (base === null || !/^\s?\^/.test(text.slice(i, i + 2))) return base
    const from = i
    i = text.indexOf('^', i) + 1
    shape += '^'
    const exponent = deeper(signed)
    if (exponent !== null) return base ** exponent
    i = from
    shape = shape.slice(0, -1)
    return base
  }

  function atom(): number | null {
    skip()
    const rest = text.slice(i, i + 5)
    if (/^(?:π|pi(?![a-z]))/i.test(rest)) {
      i += rest.startsWith('π') ? 1 : 2
      shape += 'π'
      return Math.PI
    }
    if (/^(?:sqrt|root(?![a-z]))/i.test(rest)) {
      i += 4
      shape += '√'
      const of = deeper(atom)
      return of === null ? null : Math.sqrt(of)
    }
    if (text[i] === '(') {
      const from = i
      i++
      shape += '('
      const inner = deeper(sum)
      skip()
      if (inner !== null && text[i] === ')') {
        i++
        shape += ')'
        return inner
      }
      i = from
      return null
    }
    return literal()
  }

  function deeper(read: () => number | null): number | null {
    if (depth >= MAX_DEPTH) return null
    depth++
    const result = read()
    depth--
    return result
  }

  const value = sum()
  if (value === null || !Number.isFinite(value) || literals.length + (/π/.test(shape) ? 1 : 0) === 0) return null
  return { value, ...formOf(shape, literals, scaledBy), shape, parts: literals.map((one) => one.value), end: i }
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
