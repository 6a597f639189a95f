import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeNumber } from './judge-number.ts'

const PROMPT = 'What is the result?'
const share = (key: string, answer: string) => judgeNumber(PROMPT, [key], answer).share

const ONES =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
  eighteen nineteen`.split(/\s+/)
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

/** A whole number under a million in words, as British English has it. */
function inWords(n: number): string {
  if (n < 20) return ONES[n] ?? ''
  if (n < 100) return n % 10 === 0 ? (TENS[n / 10] ?? '') : `${TENS[Math.floor(n / 10)]}-${ONES[n % 10]}`
  if (n < 1000) {
    const rest = n % 100
    return `${ONES[Math.floor(n / 100)]} hundred${rest === 0 ? '' : ` and ${inWords(rest)}`}`
  }
  const rest = n % 1000
  return `${inWords(Math.floor(n / 1000))} thousand${rest === 0 ? '' : `${rest < 100 ? ' and' : ''} ${inWords(rest)}`}`
}

const superscript = (n: number) => [...String(n)].map((c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'['0123456789'.indexOf(c)] ?? '⁻').join('')

const wholeNumberForms = (n: number): string[] => [
  String(n),
  `${n}.0`,
  n.toLocaleString('en-GB'),
  n.toLocaleString('en-GB').replace(/,/g, '\u202f'),
  n.toExponential(),
  `${n.toExponential().replace(/e\+?(-?\d+)/, ' × 10^$1')}`,
  n.toExponential().replace(/e\+?(-?\d+)/, (_, power: string) => ` × 10${superscript(Number(power))}`),
  n.toExponential().replace(/e\+?(-?\d+)/, ' x 10**$1'),
  inWords(n),
  `x = ${n}`,
  `The answer is ${n}.`,
  `${n * 2}/2 = ${n}`,
]

const decimal = fc
  .record({ whole: fc.integer({ min: 0, max: 9999 }), part: fc.integer({ min: 1, max: 999 }), places: fc.constant(3) })
  .map(({ whole, part, places }) => `${whole}.${String(part).padStart(places, '0')}`)

/** Another digit at one place of a number. */
const changedDigit = (text: string, at: number, by: number): string => {
  const places = [...text].flatMap((c, i) => (/\d/.test(c) ? [i] : []))
  const place = places[at % places.length] ?? 0
  return `${text.slice(0, place)}${(Number(text[place]) + by) % 10}${text.slice(place + 1)}`
}

const UNITS: [string, string, number][] = [
  ['km', 'm', 1000],
  ['kg', 'grams', 1000],
  ['m', 'cm', 100],
  ['h', 'minutes', 60],
  ['m³', 'litres', 1000],
  ['kJ', 'J', 1000],
  ['mA', 'μA', 1000],
  ['km/h', 'metres per hour', 1000],
  ['kg/m³', 'g per litre', 1],
]

describe('a number', () => {
  it('equals itself in each of its forms', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 999_999 }), (n) => {
        for (const key of [String(n), n.toExponential().replace(/e\+?/, ' × 10^')])
          for (const form of wholeNumberForms(n)) expect(share(key, form), `${key} <- ${form}`).toBe(1)
      }),
    )
  })

  it('equals itself with a decimal comma, a minus in words and zeros behind it', () => {
    fc.assert(
      fc.property(decimal, (n) => {
        // “1,234” is a thousand and more.
        const comma = n.startsWith('0') ? n.replace('.', ',') : n.slice(0, -1).replace('.', ',')
        expect(share(n.startsWith('0') ? n : n.slice(0, -1), comma), `${n} <- ${comma}`).toBe(1)
        for (const form of [`${n}0`, `+${n}`, `= ${n}`]) expect(share(n, form), `${n} <- ${form}`).toBe(1)
        for (const form of [`−${n}`, `minus ${n}`, `negative ${n}`]) expect(share(`-${n}`, form), form).toBe(1)
      }),
    )
  })

  it('is a fraction, a mixed number and a percentage', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(2, 4, 5, 8, 20),
        fc.integer({ min: 2, max: 6 }),
        (top, bottom, by) => {
          const key = String(top / bottom)
          expect(share(key, `${top}/${bottom}`)).toBe(1)
          expect(share(key, `${top * by}/${bottom * by}`)).toBe(1)
          expect(share(key, `${(100 * top) / bottom} %`)).toBe(1)
          const whole = Math.floor(top / bottom)
          if (whole > 0 && top % bottom > 0) expect(share(key, `${whole} ${top % bottom}/${bottom}`)).toBe(1)
          expect(share(key, `${bottom}/${top}`)).toBe(top === bottom ? 1 : 0)
        },
      ),
    )
  })

  it('is never the one with another digit or sign, a digit more or one less', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 10, max: 999_999 }).map(String), decimal),
        fc.nat(20),
        fc.integer({ min: 1, max: 9 }),
        (n, at, by) => {
          for (const other of [changedDigit(n, at, by), `-${n}`, `minus ${n}`, `1${n}`, n.slice(1)]) {
            if (other === '' || Number(other) === Number(n)) continue
            // A digit left out at the end is a rounding, which may be fair.
            expect(share(n, other), `${n} <- ${other}`).toBe(0)
            expect(share(`${n} km`, `${other} km`), `${n} km <- ${other} km`).toBe(0)
          }
        },
      ),
    )
  })

  it('equals itself in a unit of the same kind, and in no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 99_999 }), fc.constantFrom(...UNITS), (n, [unit, small, by]) => {
        expect(share(`${n} ${unit}`, `${n}${unit}`)).toBe(1)
        expect(share(`${n} ${unit}`, `${n * by} ${small}`), `${n} ${unit} <- ${n * by} ${small}`).toBe(1)
        if (by > 1) expect(share(`${n} ${unit}`, `${n} ${small}`)).toBeLessThan(0.5)
        expect(share(`${n} ${unit}`, `${n} mol`)).toBeLessThan(0.75)
        expect(share(`${n} ${unit}`, `${n} wibbles`)).toBeLessThan(0.75)
      }),
    )
  })

  it('is not in what denies, compares or brackets it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 9999 }),
        fc.constantFrom(
          'not #',
          'more than #',
          '> #',
          'at least #',
          'less than #',
          '# or more',
          'between 1 and #',
          'anything but #',
          '#-10000',
          'up to #',
          'x ≠ #',
        ),
        (n, pattern) => {
          expect(share(String(n), pattern.replace('#', String(n)))).toBe(0)
        },
      ),
    )
  })
})
