import { stemOf, wordsOf } from '../text/terms.ts'

/** Not more/less, before/after or not/so, which matter here. */
const UNTELLING = new Set(
  'a an the is are was were be been being am it its they them this these those that there i my because will would'.split(
    ' ',
  ),
)
/** 10² is not 102. */
const RAISED = new Map([...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻'].map((sign, i) => [sign, '0123456789+-'[i] ?? '']))
/** Letters, numbers (signed where nothing stands before) and other meaningful signs. */
const TOKEN = /(?<![\p{L}\p{N})] ?)[-−–]\d+(?:[.,:]\d+)*|\d+(?:[.,:]\d+)*|\p{L}+(?:['’]\p{L}+)*|[^\s\p{L}\d]/gu
/** In an interval, a point or a call brackets mean something. */
const BRACKETED = /[[(]\s*[-−–]?[\d.]+\s*[,;]\s*[^()[\]]*[\])]/u
const PUNCTUATION = /^[.,;:!?'"“”‘’`´()[\]{}…•·–—_|\\]$/u
const THOUSANDS = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/

/** In lower case, what case tells from words: `Bb`, `CO`, `Na`. */
export function casedWordsIn(keys: readonly string[]): ReadonlySet<string> {
  const words = keys.flatMap((key) => key.match(/\p{L}+/gu) ?? [])
  // A capital within a word, or a lone one that begins no sentence.
  const cased = words.filter(
    (word) => word.length <= 3 && /\p{Lu}/u.test(word) && (/.\p{Lu}/u.test(word) || !UNTELLING.has(word.toLowerCase())),
  )
  return new Set(cased.filter((word) => word.length < 3 || /.\p{Lu}/u.test(word)).map((word) => word.toLowerCase()))
}

/** Stems in order without case, punctuation and filler words. */
export function normalWords(text: string, cased: ReadonlySet<string> = new Set()): string {
  const plain = text
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+/gu, (raised) => ` ^${[...raised].map((sign) => RAISED.get(sign) ?? sign).join('')} `)
    .normalize('NFKC')
  const tokens = plain.match(TOKEN) ?? []
  const bracketed = BRACKETED.test(plain)
  const words = tokens.flatMap((token, i) => {
    if (bracketed && /^[()[\]]$/.test(token)) return [token]
    if (PUNCTUATION.test(token)) return []
    if (/^[-−–]$/.test(token)) return isMinus(tokens[i - 1], tokens[i + 1]) ? ['-'] : []
    if (/^\p{L}/u.test(token))
      return cased.has(token.toLowerCase())
        ? [token]
        : wordsOf(token)
            .filter((word) => !UNTELLING.has(word))
            .map(stemOf)
    return [THOUSANDS.test(token) ? token.replaceAll(',', '') : token.replace(/^[−–]/, '-')]
  })
  return (words.length > 0 ? words : wordsOf(text)).join(' ')
}

/** A dash between words is punctuation; beside a number or a letter it is a sign. */
const isMinus = (before: string | undefined, after: string | undefined): boolean =>
  [before, after].some((token) => token !== undefined && /^(?:[-−–]?\d.*|\p{L})$/u.test(token))
