import { readUnitAt, sameDimensions, type WrittenUnit } from '../units/read-unit.ts'
import type { Unit } from '../units/unit-table.ts'
import { digitsForWords, plainMath } from './plain-math.ts'
import { type DecimalMark, readNumberAt, type WrittenNumber } from './read-expression.ts'

export interface WrittenQuantity extends Omit<WrittenNumber, 'end'> {
  unit: WrittenUnit | null
  raw: string
}

/** `#0#`, `#1#` stand for the quantities. */
export interface Scan {
  skeleton: string
  quantities: WrittenQuantity[]
}

export interface ScanOptions {
  /** Words that count as units: the key's “apples”. */
  things?: ReadonlySet<string>
  mark?: DecimalMark
  /** Units must be written exactly: a key's `½mv²` has none. */
  strict?: boolean
}

const LONGEST = 4000
const MOST = 200
const CURRENCY = /(?:[$€£¥₹]|(?:USD|EUR|GBP|CHF|INR|Rs\.?)(?![a-z]))\s*(?=[-\d.])/y
const JOINS = / *(?:, *|and +|& *)?(?=\d)/y

const SMALLER = new Map(Object.entries({ h: 1 / 60, hr: 1 / 60, m: 0.01 }))

export function scanQuantities(whole: string, options: ScanOptions = {}): Scan {
  const text = digitsForWords(plainMath(whole.slice(0, LONGEST).replace(/#/g, ' ')))
  const quantities: WrittenQuantity[] = []
  let skeleton = ''
  let at = 0
  while (at < text.length) {
    const found = quantities.length < MOST && mayBegin(text, at) ? readQuantityAt(text, at, options) : null
    if (!found) {
      skeleton += text[at]
      at++
      continue
    }
    skeleton += `#${quantities.length}#`
    quantities.push(found.quantity)
    at = found.end
  }
  return { skeleton, quantities }
}

function mayBegin(text: string, at: number): boolean {
  const here = text[at] ?? ''
  if (!/[\d.,+\-($€£¥₹πspUEGCIR]/.test(here)) return false
  const before = text.slice(0, at)
  if (/[\d.,)\]%]$/.test(before) && /\d/.test(here)) return false
  if (/\p{L}$|_$|[\d.]$|\)$/u.test(before)) return /(?:^|[^\p{L}\d])[xX]$/u.test(before) && /\d/.test(here)
  // In “Answer - 5” the dash is no sign.
  if (here === '-' && /[\p{L}\d%)#]\s+$/u.test(before) && /^-\s/.test(text.slice(at))) return false
  return !(/[-+]/.test(here) && /[#)\d]\s*$/.test(before))
}

type Placed = { quantity: WrittenQuantity; end: number }

function readQuantityAt(text: string, at: number, options: ScanOptions): Placed | null {
  const sign = /^[-+]\s?(?=[$€£¥₹])/.exec(text.slice(at, at + 3))?.[0] ?? ''
  CURRENCY.lastIndex = at + sign.length
  const currency = CURRENCY.exec(text)
  const from = currency ? CURRENCY.lastIndex : at
  if (/\p{L}/u.test(text[from] ?? '') && !/^(?:π|pi(?![a-z])|sqrt)/i.test(text.slice(from, from + 4))) return null
  const number = readNumberAt(text, from, options.mark)
  if (!number) return null
  if (/^\([^()]*\)$/.test(number.shape)) return null
  const value = sign.startsWith('-') ? -number.value : number.value
  let end = number.end
  let unit: WrittenUnit | null = null
  if (currency) {
    const name = currency[0].trim().replace('.', '')
    const rate = /^\s*(?:\/|(?:per|an?|each|every)\b)[\sa-z]*/iu.exec(text.slice(end))?.[0] ?? ''
    const read = readUnitAt(name + rate, 0, options.things) ?? { written: name, readings: [], end: name.length }
    end += Math.max(0, read.end - name.length)
    unit = { ...read, end }
  } else {
    unit = readUnitAt(text, end, options.things, options.strict)
    if (unit) end = unit.end
  }
  if (!unit && /^\s?[A-Za-z](?:[\s^*+=/)-]|$)/.test(text.slice(end)) && /^\s?[a-z]\s?[\^*+=/]/i.test(text.slice(end)))
    return null
  if (!unit && /^[a-z]{1,2}(?![a-z])/i.test(text.slice(end)) && !/^(?:ish|st|nd|rd|th)\b/i.test(text.slice(end)))
    return null
  const { end: _, ...read } = number
  const rest = { ...read, raw: text.slice(from, number.end) }
  const rated = unit !== null && /\/|\b(?:per|each|every|an?)\b/.test(unit.written)
  const mixed = unit && !rated ? smallerParts(text, end, { ...rest, value, unit }, options) : null
  return mixed ?? { quantity: { ...rest, value, unit }, end }
}

/** The `30 min` of `2 h 30 min`, the `65` of `1m65`. */
function smallerParts(
  text: string,
  from: number,
  first: WrittenQuantity & { unit: WrittenUnit },
  options: ScanOptions,
): Placed | null {
  let total: Placed | null = null
  let end = from
  let value = first.value
  let smallest = first.unit.readings
  let base: Unit | undefined
  for (let i = 0; i < 3; i++) {
    JOINS.lastIndex = end
    const join = JOINS.exec(text)
    if (!join || !/^n$|^n n\/n$/.test(first.shape)) return total
    const next = readNumberAt(text, JOINS.lastIndex, options.mark)
    if (next?.shape !== 'n') return total
    const unit = readUnitAt(text, next.end, options.things)
    const left = SMALLER.get(first.unit.written)
    if (unit) {
      const pair = smallest.flatMap((one) => unit.readings.map((other) => ({ one, other })))
      const fits = pair.find(({ one, other }) => sameDimensions(one, other) && other.factor < one.factor * (1 - 1e-9))
      if (!fits || next.value * fits.other.factor >= fits.one.factor * 10) return total
      base ??= fits.one
      value += (Math.sign(first.value) || 1) * next.value * (fits.other.factor / base.factor)
      smallest = [fits.other]
      end = unit.end
    } else if (join[0] === '' && left !== undefined && next.value < 1 / left && /^\d\d(?!\d)/.test(text.slice(end))) {
      value += next.value * left
      end = next.end
    } else return total
    total = {
      quantity: {
        ...first,
        unit: { ...first.unit, readings: base ? [base] : first.unit.readings },
        value,
        decimals: Number.POSITIVE_INFINITY,
        form: 'mixed',
      },
      end,
    }
  }
  return total
}
