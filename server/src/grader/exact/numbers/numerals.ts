import words from './number-words.json' with { type: 'json' }

const { ordinals: ORDINALS, tens: TENS } = words
const ROMAN = /^(?=.)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/
const ROMAN_DIGITS = new Map(Object.entries({ I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 }))

/** “XIV”, “14th”, “fourteenth”, “14”; null for any other word. A lone “I” is the student, and C, D, L and M are letters. */
export function numeralOf(word: string): number | null {
  const digits = /^(\d{1,4})(?:st|nd|rd|th)?$/i.exec(word)?.[1]
  if (digits !== undefined) return Number(digits)
  const [ten = '', one = ''] = word.toLowerCase().split('-')
  const tens = TENS.indexOf(ten)
  if (tens >= 0 && ORDINALS.indexOf(one) >= 0) return (tens + 2) * 10 + ORDINALS.indexOf(one) + 1
  const named = ORDINALS.indexOf(word.toLowerCase())
  if (named >= 0) return named + 1
  const roman = word.replace(/(?<=[IVXLCDM])(?:st|nd|rd|th)$/, '')
  return ROMAN.test(roman) && (roman.length > 1 || /^[VX]$/.test(roman)) ? romanValue(roman) : null
}

/** Null where it is no Roman numeral as the rules have it. */
export const romanValue = (word: string): number | null => {
  if (!ROMAN.test(word)) return null
  const values = [...word].map((letter) => ROMAN_DIGITS.get(letter) ?? 0)
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0)
}
