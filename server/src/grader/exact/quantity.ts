import { readUnit } from './units.ts'

/** A number as written, with what surrounds it. */
interface Quantity {
  value: number
  /** As written; empty for a bare number. */
  unit: string
  /** How far off an answer may be: from “± 0.1”, “± 5 %”, “9.7–9.9”, else half a unit of the last decimal place. */
  tolerance: number
  /** How many decimals it was written with. */
  decimals: number
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const DIGITS = String.raw`(?:\d{1,3}(?:[, ]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)`
const NUMBER = String.raw`[-+−–]?\s?${DIGITS}(?:\s*(?:[x×*·]\s*10\s*\^?\s*\(?([-+−]?\d+)\)?|[eE]([-+]?\d+)))?(?:\s*\/\s*\d+(?:\.\d+)?)?`
const UNIT = String.raw`(?:[%°$€£ΩµμA-Za-z][A-Za-zΩµμ°]*(?:[²³]|⁻[¹²]|\^?\(?-?\d\)?)?(?:\s*[/·*]\s*[A-Za-zΩµμ]+(?:[²³]|⁻[¹²]|\^?\(?-?\d\)?)?|\s+per\s+[a-z]+|\s[A-Za-z]{1,3}(?:\^-?\d|⁻[¹²]|-\d)){0,3})`
const WHOLE = new RegExp(
  String.raw`^(?:(?:[A-Za-z]{1,2}(?:_\w)?\s*)?[=≈~≃])?\s*([$€£]?)\s*(${NUMBER})\s*(${UNIT})?\s*(?:(?:±|\+\/-|\+-)\s*(${DIGITS})\s*(%|${UNIT})?)?(?:(?:\s*(?:-|–|to)\s*)(${NUMBER})\s*(${UNIT})?)?\s*\.?$`,
  'u',
)
const ANY = new RegExp(String.raw`([$€£]?)(?<![\p{L}\d.]|[\p{L}\d][x×])[x×]?(${NUMBER})\s?(${UNIT})?`, 'gu')

/** `10⁸` becomes `10^8`, signs and spaces their plain forms. */
function normalizeNumbers(text: string): string {
  return expandFractions(text)
    .replace(/[⁻⁺]?[⁰¹²³⁴-⁹]+/gu, (power, at: number, all: string) => {
      // A unit's power (m², s⁻¹) stays; only a number's is opened.
      if (!/\d\s*$/.test(all.slice(0, at))) return power
      const sign = power.startsWith('⁻') ? '-' : ''
      return `^${sign}${[...power]
        .map((c) => SUPERSCRIPTS.indexOf(c))
        .filter((d) => d >= 0)
        .join('')}`
    })
    .replace(/ /g, ' ')
    .trim()
}

const VULGAR: Record<string, string> = {
  '½': '1/2',
  '⅓': '1/3',
  '⅔': '2/3',
  '¼': '1/4',
  '¾': '3/4',
  '⅕': '1/5',
  '⅛': '1/8',
}

/** “½”, “2½”, “1 1/2”, \frac{1}{2} and LaTeX’s times as plain numbers. */
function expandFractions(text: string): string {
  return text
    .replace(/\\[dt]?frac\s*\{(\d+)\}\s*\{(\d+)\}/g, '$1/$2')
    .replace(/\\(?:times|cdot)(?![a-z])/g, '×')
    .replace(/(\d)\s*\^\s*\{(-?\d+)\}/g, '$1^$2')
    .replace(
      /(\d+)?\s?([½⅓⅔¼¾⅕⅛])/gu,
      (_, whole: string | undefined, part: string) => `${whole ? `${whole} ` : ''}${VULGAR[part] ?? ''}`,
    )
    .replace(/⁄/g, '/')
    .replace(
      /(?<![\d./])(\d{1,3}) (\d{1,2})\/(\d{1,3})(?![\d/])/g,
      (all, whole: string, top: string, bottom: string) =>
        Number(top) < Number(bottom) ? `${Number(whole) * Number(bottom) + Number(top)}/${bottom}` : all,
    )
}

function toNumber(text: string): { value: number; decimals: number } {
  const [number = '', divisor] = text.replace(/[−–]/g, '-').split('/')
  const match = /^\s*([-+]?)\s*([\d., ]+?)\s*(?:(?:[x×*·]\s*10\s*\^?\s*\(?([-+]?\d+)\)?)|[eE]([-+]?\d+))?\s*$/.exec(
    number,
  )
  if (!match) return { value: Number.NaN, decimals: 0 }
  // A comma before exactly three digits parts thousands; any other is a decimal comma.
  const digits = (match[2] ?? '')
    .replace(/[, ](?=\d{3}(?!\d))/g, '')
    .replace(',', '.')
    .replace(/ /g, '')
  const power = Number(match[3] ?? match[4] ?? 0)
  const value = (match[1] === '-' ? -1 : 1) * Number(digits) * 10 ** power
  const decimals = (digits.split('.')[1]?.length ?? 0) - power
  return { value: divisor ? value / Number(divisor) : value, decimals: divisor ? 3 : decimals }
}

/** The key's answer if it is a number and nothing else: “42”, “x = 3.5 m/s”, “9.8 ± 0.1”, “3 × 10^8”, “9.7 to 9.9”. */
export function readQuantity(text: string): Quantity | null {
  if (text.length > 80) return null
  const match = WHOLE.exec(normalizeNumbers(text))
  if (!match) return null
  const [, currency = '', written = '', , , unit = '', plus, plusUnit, to] = match
  // “3 bulbs in the circuit” is not a number with a unit; a single word may be a thing counted.
  const { value, decimals } = toNumber(written)
  if (!Number.isFinite(value)) return null
  const its = (unit || currency).trim()
  if (plus !== undefined) {
    const off = toNumber(plus).value
    return {
      value,
      unit: its || (plusUnit !== '%' ? (plusUnit ?? '') : ''),
      tolerance: plusUnit === '%' && its !== '%' ? (Math.abs(value) * off) / 100 : off,
      decimals,
    }
  }
  if (to !== undefined) {
    const end = toNumber(to).value
    const from = match[11] ?? its
    if (Number.isFinite(end) && end > value)
      return { value: (value + end) / 2, unit: from, tolerance: (end - value) / 2, decimals }
  }
  return { value, unit: its, tolerance: defaultTolerance(value, decimals, its), decimals }
}

/**
 * Half a unit of the last decimal written, but at most 2 %; 0.5 % of whole numbers that were measured (have a unit);
 * else nothing.
 */
function defaultTolerance(value: number, decimals: number, unit: string): number {
  if (decimals !== 0) return Math.min(0.5 * 10 ** -decimals, Math.abs(value) * 0.02)
  return unit !== '' && readUnit(unit) ? Math.abs(value) * 0.005 : 1e-9
}

/** Every number in a student's answer, in order. */
export function quantitiesIn(text: string): Quantity[] {
  const found: Quantity[] = []
  for (const match of normalizeNumbers(text.slice(0, 4000)).matchAll(ANY)) {
    const { value, decimals } = toNumber(match[2] ?? '')
    if (Number.isFinite(value)) found.push({ value, unit: (match[5] ?? match[1] ?? '').trim(), tolerance: 0, decimals })
    if (found.length > 200) break
  }
  return found
}

export type NumberMatch = 'right' | 'unit_missing' | 'unit_wrong' | 'wrong'

/** Is this the key's number? Units of one kind are converted; unknown ones are compared as words. */
export function compareQuantities(key: Quantity, given: Quantity): NumberMatch {
  const close = (value: number) =>
    Math.abs(value - key.value) <= key.tolerance * (1 + 1e-9) + Math.abs(key.value) * 1e-9
  if (key.unit === '') {
    if (close(given.value)) return 'right'
    // 25 % for 0.25.
    return given.unit === '%' && close(given.value / 100) ? 'right' : 'wrong'
  }
  const keyUnit = readUnit(key.unit)
  const givenUnit = given.unit === '' ? null : readUnit(given.unit)
  if (keyUnit && givenUnit) {
    if (keyUnit.dimension !== givenUnit.dimension) return close(given.value) ? 'unit_wrong' : 'wrong'
    const inKeyUnits =
      ((given.value + (givenUnit.offset ?? 0)) * givenUnit.factor) / keyUnit.factor - (keyUnit.offset ?? 0)
    if (close(inKeyUnits)) return 'right'
    return close(given.value) ? 'unit_wrong' : 'wrong'
  }
  // A share written out: 0.25 for 25 %.
  if (key.unit === '%' && given.unit === '' && close(given.value * 100)) return 'right'
  if (!close(given.value)) return 'wrong'
  if (!keyUnit) return 'right'
  return given.unit === '' || !givenUnit ? 'unit_missing' : 'unit_wrong'
}
