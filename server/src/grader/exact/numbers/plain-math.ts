const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'
const VULGAR = /(\d)?\s?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒])/gu

const digitsFrom = (signs: string, text: string) =>
  [...text].map((c) => (c === '⁻' ? '-' : c === '⁺' ? '' : signs.indexOf(c))).join('')

/** `10⁸` becomes `10^8`, `½` `1/2`, `×` `*`; LaTeX and odd spaces go. */
export function plainMath(text: string): string {
  return recurring(
    text
      .replace(
        /\\(?:left|right|,|;|!|quad|displaystyle)(?![a-z])|\\[()[\]]|(?<!\\)\$(?=[^\d\s]*\\|[^$]*\\[a-z][^$]*\$)|(?<=\\[a-z].*)\$/gs,
        ' ',
      )
      .replace(/\\(?:text|mathrm|mbox|mathbf|operatorname)\s*\{([^{}]*)\}/g, ' $1 ')
      .replace(/(\d)\s*\\[dt]?frac\s*\{(\d+)\}\s*\{(\d+)\}/g, '$1 $2/$3')
      .replace(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, (_, top: string, bottom: string) =>
        /^\d+$/.test(top + bottom) ? `${top}/${bottom}` : `((${top})/(${bottom}))`,
      )
      .replace(/\\sqrt\s*\{([^{}]*)\}/g, 'sqrt($1)')
      .replace(/\\(?:times|cdot)(?![a-z])/g, '*')
      .replace(/\\div(?![a-z])/g, '/')
      .replace(/\\(?:approx|simeq)(?![a-z])/g, '≈')
      .replace(/\\pi(?![a-z])/g, 'π')
      .replace(/\\(?:degree|circ)(?![a-z])/g, '°')
      .replace(/\\%/g, '%')
      .replace(/\^\s*\{([^{}]*)\}/g, '^($1)')
      .replace(/\^\s*°/g, '°')
      .replace(/[⁻⁺]?[⁰¹²³⁴-⁹]+/gu, (power) => `^${digitsFrom(SUPERSCRIPTS, power)}`)
      .replace(/[₀-₉]+/gu, (index) => `_${digitsFrom(SUBSCRIPTS, index)}`)
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
      .replace(/√/g, 'sqrt')
      .replace(/µ/g, 'μ')
      .replace(/(?<=\d)\s*[xX]\s*(?=[\d.(]|sqrt|π)/g, ' * ')
      .replace(/(\d)\s+\.\s+10(?=\^|e|\s*\^)/g, '$1 * 10')
      .replace(/\b10 to the (?:power(?: of)?\s+)?(-?\d+)(?:th)?(?: power)?\b/gi, '10^$1'),
  )
}

/** As exact fractions: `0.3 recurring`, `0.333…`, `0.(3)` and `0.3̇`. */
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
