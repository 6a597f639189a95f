import { isStopWord } from '../text/terms.ts'
import { isFormulaName, normalizeFormula } from './formula.ts'
import { digitsForWords, numeralOf } from './numbers/plain-math.ts'
import known from './worded/names.json' with { type: 'json' }

/** `dy/dx =`, `f'(x) =`, `∫2x dx =` */
const LABEL =
  /^\s*(?:d\s*\/\s*d\s*[a-z]\s*(?:\([^()=]*\))?|d\s*\^?2?\s*[a-z]\s*\/\s*d\s*[a-z]\s*\^?2?|[a-zA-Z]\s*['′’]+\s*(?:\(\s*[a-z]\s*\))?|[fgh]\s*(?:⁻¹|\^\(?\{?-1\}?\)?)?\s*\(\s*[a-z]\s*\)|[a-z]\s*(?:\*|\u0304|\u0305)|∫[^=]*)\s*=\s*/

export const withoutLabel = (text: string): string => text.replace(LABEL, '')

export const spokenToSymbols = (text: string): string =>
  digitsForWords(text.replace(/,\s*(?=(?:plus|minus|times)\b)|\b(?:the\s+)?bracket\b/gi, ' '))
    .replace(/\b(?:the\s+)?(sine|cosine|tangent)\s+of\b/gi, (_, name: string) => ` ${name.slice(0, 3).toLowerCase()} `)
    .replace(/\bto\s+the\s+(\p{L}+th|third)\b/giu, (all, ordinal) => `^${numeralOf(ordinal) ?? all}`)
    .replace(/\blog(?:arithm)?\s+(?:to\s+)?(?:the\s+)?base\s+(\w+)\s+of\b/gi, 'log_$1')
    .replace(/(?<=\d\/\d+)\s+of\b/g, ' * ')
    .replace(/\b(?:the\s+)?natural\s+log(?:arithm)?(?:\s+of)?\b/gi, ' ln ')
    .replace(/\b(?:the\s+)?absolute\s+value\s+of\s+(\w+)/gi, ' abs($1) ')
    .replace(/\b(?:the\s+)?(squ|cub)(?:are|e)\s+of\s+(?:the\s+)?([\p{L}]+)/giu, '$2 $1ared')
    .replace(/\s*\bsquared\b/gi, '^2 ')
    .replace(/\b(sin|cos|tan)(?:e|ine|gent)?\s*\^2\s+(?:of\s+)?/gi, (_, name: string) => `${name.toLowerCase()}^2 `)
    .replace(/\s*\bcub(?:ed|ared)\b/gi, '^3 ')
    .replace(/\b(?:multiplied\s+by|times)\b/gi, '*')
    .replace(/\b(?:divided\s+by|over|per)\b/gi, '/')
    .replace(/\b(?:the\s+)?product\s+of\s+(.+?)\s+and\s+/gi, ' $1 * ')
    .replace(/\b(?:the\s+)?(?:quotient|ratio)\s+of\s+(.+?)\s+(?:and|to)\s+/gi, ' $1 / ')
    .replace(/\b(?:the\s+)?sum\s+of\s+(.+?)\s+and\s+(?:the\s+)?(\w+)/gi, ' ($1 + $2) ')
    .replace(/\bplus\b/gi, '+')
    .replace(/\bminus\b/gi, '-')
    .replace(/\b(?:the\s+)?difference\s+(?:of|between)\s+(.+?)\s+and\s+/gi, ' $1 - ')
    .replace(/\b(?:the\s+)?reciprocal\s+of\b/gi, ' 1 / ')
    .replace(/\b(?:twice|double)\b/gi, ' 2 * ')
    .replace(/\b(?:is\s+(?:equal\s+to|defined\s+as|given\s+by)|equals?)\b/gi, '=')
    .replace(/^([^=]*?)\bis\b(?=[^=]*[*/+][^=]*$)/i, '$1=')
    .replace(/\bto\s+the\s+(?:power\s+(?:of\s+)?)?([\w.]+)(?:\s+power)?/gi, '^($1)')
    .replace(/\b(?:the\s+)?(log|ln|sin|cos|tan|sqrt)\s+of\b/gi, ' $1 ')
    .replace(/\ba\s+constant\b/gi, 'C')
    .replace(/\b(?:one\s+|a\s+)?half(?:\s+of)?\b/gi, '(1/2)')
    .replace(/\b(?:the\s+)?cube\s+root(?:\s+of)?\b/gi, ' cbrt ')
    .replace(/\b(?:the\s+)?(?:square\s+)?root(?:\s+of)?\b/gi, ' sqrt ')
    .replace(/(?<=\^\d) +(?=[*/^])/g, '')

export const restoreExponents = (text: string): string => text.replace(/(?<=[A-Za-z)])(\d)(?![\d.])/g, '^$1')

const LETTER_WORDS = /[A-Za-z]{3,}/g
const WORDS = /(?<![A-Za-z_])[A-Za-z]{3,}(?:\s+[A-Za-z]{2,})*(?![A-Za-z_])/g
const LETTER = /(?<![A-Za-z])[A-Za-z](?![A-Za-z]{2})|[A-Za-z]/g
const BESIDE = /^(?:total|average|mean|done|taken|unit|one|its|changes?)$/i

export const SYMBOLS: ReadonlyMap<string, string[]> = new Map(Object.entries<string[]>(known.quantities))

/** Words that point to one letter become it: “the total mass”. Null where some point to none, or to two. */
export function wordsToSymbols(text: string, key: string): string | null {
  const wanted = normalizeFormula(key)
  const letters = new Map((wanted.match(LETTER) ?? []).map((letter) => [letter.toLowerCase(), letter]))
  for (const name of wanted.match(/[A-Za-z]{2,}/g) ?? []) if (isFormulaName(name)) letters.set(name, name)
  const lettersOf = (word: string) =>
    (SYMBOLS.get(word) ?? []).concat(word.charAt(0)).flatMap((name) => letters.get(name) ?? [])
  let told = 0
  let clear = true
  const plain = normalizeFormula(text.replace(/['’]s\b/g, ''))
  const net = letters.has('x') && letters.has('m') ? plain.replace(/\bnet exports\b|\bNX\b/gi, '(X - M)') : plain
  const symbols = net.replace(WORDS, (run) => {
    const words = run.split(/\s+/).filter((word) => !isStopWord(word.toLowerCase()) && !BESIDE.test(word))
    if (words.length === 0 || words.every(isFormulaName)) return run.match(/^\w+$/) ? run : ` ${words.join(' ')} `
    const named = words.filter((word) => SYMBOLS.has(word.toLowerCase()))
    const all = (named.length > 0 ? named : words).map((word) => lettersOf(word.toLowerCase())[0])
    const letter = new Set(all.filter((one) => one !== undefined))
    clear &&= letter.size === 1
    told++
    return ` ${[...letter][0]} `
  })
  return (told > 0 || net !== plain) && clear ? symbols : null
}

/** Three letters and more are a word if pronounceable; `mgh` and `nRT` are products. */
export const wordsIn = (formula: string): Set<string> =>
  new Set(
    (normalizeFormula(formula).match(/[A-Za-z]{3,}/g) ?? [])
      .filter(
        (word) =>
          !isFormulaName(word) &&
          /^[A-Za-z][a-z]+$/.test(word) &&
          /[aeiou]/i.test(word) &&
          !/^(?:abc|abcd|xyz)$/i.test(word),
      )
      .map((word) => word.toLowerCase()),
  )

export const afterOtherName = (text: string): { name: string; rest: string } | null => {
  const [, name = '', rest = ''] =
    /^\s*([A-Za-z]{1,12}(?:_\w+)?|[A-Z]\.[A-Z]\.)\s*=\s*([^=]+)$/.exec(normalizeFormula(text)) ?? []
  return rest === '' ? null : { name, rest }
}

const FILLER = /^(?:total|takes?|makes?|gets?|comes?|pays?|\w{3,}(?:ed|en))$/i
const LETTERS = Object.entries({ d: 's x', s: 'd x', W: 'E', V: 'U', U: 'V', f: 'nu', v: 'c' })

/** With the confidence of their comparison. */
export function otherReadings(text: string, key: string, words: ReadonlySet<string>): [string, string, number][] {
  const plain = normalizeFormula(text)
  const wanted = normalizeFormula(key)
  const readings: [string, string, number][] = []
  // “The square root of A over π” may take in all that follows.
  if (/\bsqrt [^(]/.test(plain)) {
    const rooted = plain.replace(/\bsqrt (?!\()(.+)$/, 'sqrt($1)')
    readings.push([wordsToSymbols(rooted, key) ?? rooted, key, 0.8])
  }
  if (words.size > 0) {
    const bare = plain.replace(/[a-z]+/gi, (word) =>
      !words.has(word.toLowerCase()) && (isStopWord(word.toLowerCase()) || FILLER.test(word)) ? ' ' : word,
    )
    readings.push([bare, key, 0.9])
    for (const symbols of [false, true]) {
      const letterOf = (word: string) =>
        (symbols && SYMBOLS.get(word.toLowerCase())?.[0]) || (word[0] ?? '').toLowerCase()
      readings.push([
        plain.replace(/\b[A-Z]\b/g, (letter) => letter.toLowerCase()),
        wanted.replace(LETTER_WORDS, letterOf),
        0.85,
      ])
    }
  }
  for (const [own, others] of LETTERS)
    for (const letter of others.split(' ')) {
      const pattern = (name: string) => new RegExp(`(?<![a-z]{2}|_)${name}(?![a-z]{2}|_)`, 'g')
      if (
        pattern(own).test(wanted) &&
        !pattern(letter).test(wanted) &&
        pattern(letter).test(plain) &&
        !pattern(own).test(plain)
      )
        readings.push([plain.replace(pattern(letter), own), wanted, 0.8])
    }
  if (/_Delta/.test(plain + wanted)) {
    const bare = wanted.replace(/_Delta/g, '')
    const told = plain.replace(/_Delta/g, '')
    readings.push([wordsToSymbols(told, bare) ?? told, bare, told === plain ? 0.6 : 0.85])
  }
  if (/\bpi\b/.test(wanted) && /r/.test(wanted) && !/\bd/.test(wanted) && /d/.test(plain))
    readings.push([plain.replace(/\bdiameter\b|(?<![a-z])d(?![a-z])/g, '(2 * r)'), wanted, 0.85])
  return readings
}
