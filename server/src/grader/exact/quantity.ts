import type { DecimalMark, WrittenNumber } from './numbers/read-expression.ts'
import { type Scan, type ScanOptions, scanQuantities, type WrittenQuantity } from './numbers/scan-quantities.ts'
import { measuresAlike, readUnit, singularNoun, type WrittenUnit } from './units/read-unit.ts'

export interface Quantity extends Omit<WrittenNumber, 'end'> {
  /** As written; empty for a bare number. */
  unit: string
  measure: WrittenUnit | null
  /** From “± 0.1”, “± 5 %”, “9.7–9.9”, else half a unit of the last decimal place. */
  tolerance: number
  explicit: boolean
}

const LABEL = /^\s*(?:(?:[\p{L}]{1,3}(?:_\w{1,3})?'?\s*)?[=≈]\s*(?=\S)|\*\s*(?=#))/u
const LONGEST_KEY = 80
const ROUNDING =
  /\(?(?:\b(?:correct|rounded|given)\s+)?(?:\bto\s+)?\b(?:\d|one|two|three|four)\s*(?:d\.?\s?p\b\.?|s\.?\s?f\b\.?|decimal\s+places?|significant\s+figures?|sig\.?\s+figs?\.?)\s*\)?/gi
const NOT_COUNTED =
  /^(?:or|and|to|am|pm|the|in|of|a|an|is|it|bc|ad|ce|bce|january|february|march|april|may|june|july|august|september|october|november|december)$/i

/** Where a key writes `2,50` or `1.234,5`, its answers may; a point then separates thousands. */
const decimalMarkOf = (text: string): DecimalMark =>
  /\d,\d{1,2}(?!\d)|\d\.\d{3},\d/.test(text) && !/\d,\d{3}(?!\d)|\d\.\d{1,2}(?!\d)/.test(text) ? 'comma' : 'point'

/** Unknown units: “apples”, the “widgets” of “widgets/hour”. */
function countedNounsIn(key: string): ReadonlySet<string> {
  const { skeleton } = scanQuantities(key, { mark: decimalMarkOf(key) })
  const [, rest = ''] = /#\d+#\s*((?:[a-z]{2,}|\/|\s|-|\^\d)+)\.?\s*$/i.exec(skeleton) ?? []
  const words = rest.match(/[a-z]+/gi) ?? []
  if (words.length === 0 || words.length > 3 || words.some((word) => NOT_COUNTED.test(word))) return new Set()
  if (words.length > 1 && !/\/|\bper\b/i.test(rest)) return new Set()
  return new Set(words.filter((word) => word.length > 1 && word !== 'per' && !readUnit(word)).map(singularNoun))
}

export const scanOptionsOf = (key: string): ScanOptions => ({ things: countedNounsIn(key), mark: decimalMarkOf(key) })

/** “42”, “x = 3.5 m/s”, “9.8 ± 0.1”, “3 × 10^8”, “9.7 to 9.9”, “4√3”; null for anything but a number. */
export function readQuantity(text: string): Quantity | null {
  if (text.length > LONGEST_KEY || !/\d|[½⅓⅔¼¾⅕⅛π]|\p{L}{3}/u.test(text)) return null
  const scan = scanQuantities(text.replace(/\.\s*$/, ''), { ...scanOptionsOf(text), strict: true })
  const [first, second] = scan.quantities
  if (!first) return null
  const shape = scan.skeleton
    .replace(LABEL, '')
    .replace(/^\s*\(([^()]*)\)\s*$/, '$1')
    .replace(/\s+/g, '')
  if (shape === '#0#') {
    const range = rangeIn(first)
    if (range) return ranged(first, range[0], range[1], first.unit)
    return first.form === 'expression' ? null : asKey(first)
  }
  if (!second) return null
  if (/^#0#(?:±|\+\/-|\+-)#1#$/.test(shape)) {
    const percent = second.unit?.written === '%' && first.unit?.written !== '%'
    const tolerance = percent ? (Math.abs(first.value) * second.value) / 100 : second.value
    return { ...asKey(first.unit || percent ? first : { ...first, unit: second.unit }), tolerance, explicit: true }
  }
  if (/^(?:from|between)?#0#(?:-|to|and)#1#$/.test(shape) && (/to|-/.test(shape) || /^between/.test(shape)))
    return second.value > first.value ? ranged(first, first.value, second.value, second.unit ?? first.unit) : null
  return null
}

/** `9.7-9.9` is a range in a key, not a difference. */
function rangeIn({ shape, parts }: WrittenQuantity): [number, number] | null {
  const [from, to] = parts
  return /^-?n-n$/.test(shape) && from !== undefined && to !== undefined && to > from
    ? [shape.startsWith('-') ? -from : from, to]
    : null
}

export const asKey = (written: WrittenQuantity): Quantity => ({
  ...written,
  unit: written.unit?.written ?? '',
  measure: written.unit,
  tolerance: defaultTolerance(written),
  explicit: false,
})

function ranged(written: WrittenQuantity, from: number, to: number, unit: WrittenUnit | null): Quantity {
  const value = (from + to) / 2
  return { ...asKey({ ...written, unit }), form: 'decimal', value, tolerance: (to - from) / 2, explicit: true }
}

/** Half a unit of the last decimal, at most 2 %. Whole numbers and fractions are exact. */
function defaultTolerance({ value, decimals }: WrittenQuantity): number {
  if (decimals === 0 || !Number.isFinite(decimals)) return 1e-9
  return Math.min(0.5 * 10 ** -decimals, Math.abs(value) * 0.02)
}

export const quantitiesIn = (text: string, key = ''): WrittenQuantity[] => scanLikeKey(text, key).quantities

export const scanLikeKey = (text: string, key: string): Scan =>
  scanQuantities(
    text
      .replace(ROUNDING, ' ')
      .replace(/(?<=\bof\s)(?:[A-Z][a-z]?[\d₀-₉]*)+\b/g, ' ')
      .replace(/(?:\\(?:int|sum|prod|lim)(?![a-z])|[∫∑∏])[^=]*=/g, ' ')
      .replace(/\(?(\d+)\)?_\{?10\}?(?!\d)/g, '$1')
      .replace(/\(?\bin\s+(?:base\s+(?:ten|10)|decimal|denary)\b\)?/gi, ' '),
    scanOptionsOf(key),
  )

/** `coarse`, `rounded`: fewer or more digits than the key's, which a teacher may accept; `near`: just off. */
export type NumberMatch =
  | 'right'
  | 'rounded'
  | 'coarse'
  | 'unit_missing'
  | 'unit_wrong'
  | 'scale_wrong'
  | 'near'
  | 'wrong'

/** Units of one kind are converted; unknown ones must be the same words. */
export function compareQuantities(key: Quantity, given: WrittenQuantity): NumberMatch {
  if (!key.measure) {
    const percent = given.unit?.written === '%' || given.unit?.written === 'percent'
    return percent ? closeness(key, given, 0.01, 0) : closeness(key, given, 1, 0)
  }
  const bare = closeness(key, given, 1, 0)
  if (!given.unit) {
    const percent = key.unit === '%' ? closeness(key, given, 100, 0) : 'wrong'
    if (percent === 'right') return 'right'
    return bare === 'right' || bare === 'rounded' ? 'unit_missing' : bare
  }
  const matches = key.measure.readings.flatMap((wanted) =>
    (given.unit?.readings ?? [])
      .filter((unit) => measuresAlike(wanted, unit))
      .map((unit) => {
        const ratio = unit.factor / wanted.factor
        return closeness(key, given, ratio, (unit.offset ?? 0) * ratio - (wanted.offset ?? 0))
      }),
  )
  for (const match of ['right', 'rounded', 'coarse'] as const) if (matches.includes(match)) return match
  if (/^°\s?[NSEW]$/.test(key.unit) && matches.includes('near')) return 'rounded'
  if (bare !== 'right' && bare !== 'rounded') return matches.includes('near') ? 'near' : 'wrong'
  return matches.length > 0 ? 'scale_wrong' : 'unit_wrong'
}

/** `ratio` and `offset` convert the given value to the key's unit. */
function closeness(key: Quantity, given: WrittenQuantity, ratio: number, offset: number): NumberMatch {
  const value = given.value * ratio + offset
  const off = Math.abs(value - key.value)
  const size = Math.abs(key.value)
  if (off <= 1e-9 * Math.max(size, Math.abs(offset))) return 'right'
  if (key.explicit) return off <= key.tolerance * (1 + 1e-9) + size * 1e-12 ? 'right' : 'wrong'
  if (Math.sign(value) !== Math.sign(key.value)) return 'wrong'
  const converted = Math.abs(ratio - 1) > 1e-9 || offset !== 0
  const half = Number.isFinite(given.decimals) ? 0.5 * 10 ** -given.decimals * Math.abs(ratio) : 0
  const rounds = off <= half * (1 + 1e-6)
  const whole = Math.max(size, Math.abs(offset))
  if (converted) {
    const slack = key.decimals > 0 && Number.isFinite(key.decimals) ? key.tolerance : whole * 0.0007
    if (off <= slack + Math.min(half, whole * 0.005) + 1e-12 && (rounds || off <= slack)) return 'right'
    return rounds && half <= whole * 0.05 ? 'rounded' : off <= whole * 0.01 ? 'near' : 'wrong'
  }
  if (!Number.isFinite(key.decimals)) {
    if (!rounds) return off <= size * 0.005 ? 'near' : 'wrong'
    if (key.form === 'root') return half <= size * 0.02 ? 'rounded' : 'wrong'
    // Two significant digits are enough for 1/36.
    const told = String(given.value).replace(/^[-0.]+|\./g, '').length > 1
    return half <= size * 0.0016 ? 'right' : half <= size * 0.016 || (told && half <= size * 0.05) ? 'rounded' : 'wrong'
  }
  if (key.decimals !== 0) {
    const finer = given.decimals > key.decimals
    if (finer && off <= key.tolerance * (1 + 1e-9)) return key.tolerance <= size * 0.0101 ? 'right' : 'rounded'
    if (rounds && ((given.decimals > 0 && half <= size * 0.006) || (key.measure && half <= size * 0.012)))
      return 'coarse'
    return off <= size * 0.005 || (rounds && half <= size * 0.06) ? 'near' : 'wrong'
  }
  // A measured whole number may be rounded.
  if (key.measure && given.decimals > 0 && off <= size * 0.005) return 'rounded'
  return off <= size * 0.005 && key.measure ? 'near' : 'wrong'
}
