import words from './number-words.json' with { type: 'json' }

const { ordinals: ORDINALS, tens: TENS } = words
const ROMAN = /^(?=.)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/
const ROMAN_DIGITS = new Map(Object.entries({ I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 }))

/** Null for other words. A lone “I” is the student, and C, D, L and M are letters. */
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

export const romanValue = (word: string): number | null => {
  if (!ROMAN.test(word)) return null
  const values = [...word].map((letter) => ROMAN_DIGITS.get(letter) ?? 0)
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0)
}

const VULGAR = /(\d)?\s?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒])/gu
const RAISED = /[⁰¹²³⁴-⁹⁺⁻⁽⁾ⁿⁱˣᵃᵇᶜᵏᵐᵗʸ]+/gu
const LOWERED = /[₀-₉₊₋ₙₖₘᵢⱼₓₐ]+/gu

/** Superscripts become `^(…)`, subscripts `_{…}`. */
export const indicesDown = (text: string): string =>
  text
    .replace(RAISED, (power) => {
      const plain = power.normalize('NFKC').replace('−', '-').replace(/^\+/, '')
      return /^-?\d+$/.test(plain) ? `^${plain}` : `^(${plain})`
    })
    .replace(LOWERED, (index) => {
      const plain = index.normalize('NFKC').replace('−', '-')
      return /^\d+$/.test(plain) ? `_${plain}` : `_{${plain}}`
    })

const BRACED = String.raw`\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}`
const FRACTION = new RegExp(String.raw`\\[dt]?frac\s*${BRACED}\s*${BRACED}`, 'g')
const ROOT = new RegExp(String.raw`\\sqrt\s*(?:${BRACED}|(\w))`, 'g')
const NTH_ROOT = new RegExp(String.raw`\\sqrt\s*\[(\d)\]\s*${BRACED}`, 'g')

export function latexDown(text: string): string {
  let plain = text
    .replace(/(?<!\\)\\(?:[,;:! ()[\]]|(?:left|right|quad|qquad|displaystyle)(?![a-z]))/g, ' ')
    .replace(/\\[dt]?frac\s*(\d)\s*(\d)/g, '\\frac{$1}{$2}')
    .replace(/(\d)\s*\\[dt]?frac\s*\{(\d+)\}\s*\{(\d+)\}/g, '$1 $2/$3')
  for (let i = 0; i < 4 && /\\(?:[dt]?frac|sqrt)/.test(plain); i++)
    plain = plain
      .replace(NTH_ROOT, '(($2)^(1/$1))')
      .replace(ROOT, (_, inner, one) => `sqrt(${inner ?? one})`)
      .replace(FRACTION, (_, top: string, bottom: string) =>
        /^\d+$/.test(top + bottom) ? `${top}/${bottom}` : `((${top})/(${bottom}))`,
      )
  return plain
}

/** `10⁸` becomes `10^8`, `½` `1/2`, `×` `*`; LaTeX and odd spaces go. */
export function plainMath(text: string): string {
  return recurring(
    latexDown(indicesDown(text))
      .replace(/(?<!\\)\$(?=[^\d\s]*\\|[^$]*\\[a-z][^$]*\$)|(?<=\\[a-z].*)\$/gs, ' ')
      .replace(/\\(?:text|mathrm|mbox|mathbf|operatorname)\s*\{([^{}]*)\}/g, ' $1 ')
      .replace(/\\(?:times|cdot)(?![a-z])/g, '*')
      .replace(/\\div(?![a-z])/g, '/')
      .replace(/\\(?:approx|simeq)(?![a-z])/g, '≈')
      .replace(/\\pi(?![a-z])/g, 'π')
      .replace(/\\Omega(?![a-z])/g, 'Ω')
      .replace(/\\mu(?![a-z])/g, 'μ')
      .replace(/\\(?:degree|circ)(?![a-z])/g, '°')
      .replace(/\\%/g, '%')
      .replace(/\^\s*\{([^{}]*)\}/g, '^($1)')
      .replace(/\^\s*°/g, '°')
      .replace(VULGAR, (_, whole: string | undefined, part: string) => `${whole ? `${whole} ` : ' '}${part}`)
      .replace(/º/g, '°')
      .normalize('NFKC')
      .replace(/[\u00a0\u2000-\u200a\u202f\u205f]/g, ' ')
      .replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
      .replace(/[−–‒‐‑]/g, '-')
      .replace(/—/g, ' , ')
      .replace(/[×∗·⋅•∙]/g, '*')
      .replace(/[÷⁄∕]/g, '/')
      .replace(/\*\*/g, '^')
      .replace(/[’‘ʼ`]/g, "'")
      .replace(/[“”]/g, '"')
      .replace(/<=|⩽|=</g, '≤')
      .replace(/>=|⩾/g, '≥')
      .replace(/!=|=\/=|<>/g, '≠')
      .replace(/[≃≅∼~]/g, '≈')
      .replace(/√|\b(?:the )?(?:square )?root (?:of )?(?=[\d(])/gi, 'sqrt')
      .replace(/µ/g, 'μ')
      .replace(/(?<=\d)\s*[xX]\s*(?=[\d.(]|sqrt|π)/g, ' * ')
      .replace(/(\d)\s+\.\s+10(?=\^|e|\s*\^)/g, '$1 * 10')
      .replace(/(?<=[\d%\p{L}$€£] ?)\b(?:p\.\s?a\b\.?|annually|yearly)/giu, ' per year')
      .replace(/\bfrom (.{1,20}?) (?:until|till) /gi, 'from $1 to ')
      .replace(/\bfor (?:each|every)\b/gi, 'per')
      .replace(/(\d+)° ?(\d+)['′]/g, (_, whole, minutes) => `${Number((Number(whole) + minutes / 60).toFixed(4))}°`)
      .replace(
        /(?:° ?|\bdeg(?:rees?)? )(?:of )?(north|south|east|west|[NSEW]\b)(?:ern)?(?: latitude| longitude)?/gi,
        (_, way: string) => `°${way[0]?.toUpperCase()}`,
      )
      .replace(/\b(\d+):(\d\d)\s*h(?:ours)?\b/g, '$1 h $2 min')
      .replace(/(?<=\d )1 ?(?=\/ ?[a-z])/gi, '')
      .replace(/\b(1\d|20)(\d\d)( ?[-/] ?| to )(\d\d)\b(?!\s*[=\d])/g, (all, century, from, sign, to) =>
        Number(to) > Number(from) ? `${century}${from}${sign}${century}${to}` : all,
      )
      .replace(/\b10 to the (?:power(?: of)?\s+)?(-?\d+)(?:th)?(?: power)?\b/gi, '10^$1'),
  )
}

/** `0.3 recurring`, `0.333…`, `0.(3)` and `0.3̇` as exact fractions. */
function recurring(text: string): string {
  return text
    .replace(/(\d*)\.(\d*?)((?:\d\u0307)(?:\d*\d\u0307)?)/gu, (_, whole: string, fixed: string, cycle: string) =>
      fractionOf(whole, fixed, cycle.replace(/\u0307/g, '')),
    )
    .replace(/(\d*)\.(\d*)\((\d+)\)/g, (_, whole: string, fixed: string, cycle: string) =>
      fractionOf(whole, fixed, cycle),
    )
    .replace(
      /(\d*)\.(\d+)\s*(?:\.{2,}|…|\(?(?:recurring|repeating|rec\b)\)?)/gi,
      (_, whole: string, digits: string) => {
        const [, fixed = '', cycle = ''] = /^(\d*?)(\d+?)\2+$/.exec(digits) ?? [
          undefined,
          digits.slice(0, -1),
          digits.slice(-1),
        ]
        return fractionOf(whole, fixed, cycle)
      },
    )
}

function fractionOf(whole: string, fixed: string, cycle: string): string {
  const bottom = `${'9'.repeat(cycle.length)}${'0'.repeat(fixed.length)}`
  const top = Number(`${whole}${fixed}${cycle}`) - Number(`${whole}${fixed}`)
  return `${top}/${bottom}`
}

const VALUES = new Map(Object.entries(words.small))
const SCALES = new Map(Object.entries(words.scales))
const PARTS = new Map(Object.entries(words.parts))
const SMALL = [...VALUES.keys()].join('|')
const SCALE = [...SCALES.keys()].join('|')
const PART = [...PARTS.keys()].join('|')
/** “twenty-five”, “two hundred and six thousand”, “a million”; but “the one” is no number. */
const CARDINAL = new RegExp(
  String.raw`(?<![\p{L}\d])(?<!\b(?:the|this|that|which|each|no|any|every|other|right|correct)\s)((?:${SMALL})|an?(?=[\s-]+(?:${SCALE})\b))(?:(?:[\s-]+|(?<=${TENS.join('|')})|(?<=${SCALE})s?\s+and\s+)(?:${SMALL})\b|[\s-]+(?:${SCALE})s?\b)*(?![\p{L}])`,
  'giu',
)

export function digitsForWords(text: string): string {
  if (!/[a-z]{2}/i.test(text)) return text
  return text
    .replace(/\b(an?|one|half an?|half)\s+dozen\b/gi, (all) => (/half/i.test(all) ? '6' : '12'))
    .replace(
      /\b(an?|one|\d+)\s+(\p{L}{3,})\s+and\s+a\s+half\b/giu,
      (_, count, unit) => `${Number(count) || 1}.5 ${unit}`,
    )
    .replace(/\bthe (?=(?:number|value) )/gi, '')
    .replace(CARDINAL, (words) => (sumOf(words) ?? words).toString())
    .replace(
      /(\d)\s+point\s+((?:\d\s*)+)/gi,
      (_, whole: string, digits: string) => `${whole}.${digits.replace(/\s/g, '')}`,
    )
    .replace(
      new RegExp(String.raw`\b(?:(\d+)|an?)[\s-]+(${PART})(s?)\b(?![\s-]+(?:past|to|life|reaction|equation)\b)`, 'gi'),
      (all, count: string | undefined, part: string, plural: string, at: number, whole: string) => {
        const bottom = PARTS.get(part.toLowerCase())
        // “3 quarter notes” are three.
        return bottom && (plural !== '' || Number(count ?? 1) === 1 || /^\W*$/.test(whole.slice(at + all.length)))
          ? `${count ?? 1}/${bottom}`
          : all
      },
    )
    .replace(
      /(?<![\p{L}-])half(?![\s-]*(?:past|life|reaction|equation|\p{L}*-)|\p{L})(?:\s+of|\s+an?(?=\s))?(?=\s+(?:an?\s+)?\p{L}|\W*$)/giu,
      '1/2',
    )
    .replace(/(\d+)\s+and\s+(\d+\/\d+)/gi, '$1 $2')
    .replace(/(\d+)\s+over\s+(\d+)/gi, '$1/$2')
    .replace(/(?<![\d.])(\d+)\s+(?:in|out\s+of)\s+(\d+)(?=\W*$|\W*\n)/gi, '$1/$2')
    .replace(/\b(?:minus|negative)\s+(?=[\d.])/gi, '-')
    .replace(/\b(?:plus|positive)\s+(?=[\d.])/gi, '+')
    .replace(/\bper\s?cent\b/gi, 'percent')
}

function sumOf(words: string): number | null {
  let total = 0
  let group = 0
  let last = Number.POSITIVE_INFINITY
  for (const word of words.toLowerCase().match(/[a-z]+/g) ?? []) {
    for (const part of parted(word)) {
      const scale = SCALES.get(part.replace(/s$/, ''))
      const value = /^an?$/.test(part) ? 1 : VALUES.get(part)
      if (scale !== undefined) {
        if (scale === 100) group *= 100
        else {
          total += group * scale
          group = 0
        }
        last = scale
      } else if (value !== undefined) {
        // “five six” are two numbers, “twenty five” is one.
        if (value >= last || (last < 20 && last !== 0)) return null
        group += value
        last = value
      } else if (part !== 'and') return null
    }
  }
  return total + group
}

function parted(word: string): string[] {
  const tens = TENS.find((ten) => word.startsWith(ten) && word.length > ten.length)
  return tens ? [tens, word.slice(tens.length)] : [word]
}
