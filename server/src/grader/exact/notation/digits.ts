import { bestJudgement, exactJudgement, UNSURE } from '../exact-judgement.ts'
import type { Judgement } from '../judgement.ts'

interface Base {
  digits: RegExp
  asks: RegExp
  prefix: RegExp
}

const INTO = String.raw`(?:\b(?:in(?:to)?|to|as|using)\s+(?:an?\s+)?(?:\d+[- ]?bits?\s+)?(?:unsigned\s+|signed\s+|two'?s\s+complement\s+)?)`
const asks = (name: string) =>
  new RegExp(
    String.raw`${INTO}(?:${name})|\b(?:${name})\s+(?:of\b|for\b|number|representation|equivalent|form|value|digits?|result|code|addition|sum)\b(?!\s+\w*\s*[01A-F]*\s*(?:in)?to\b)`,
    'i',
  )
const TO_DECIMAL = /\b(?:in(?:to)?|to|as)\s+(?:an?\s+)?(?:decimal|denary|integer|base[- ]?(?:10|ten))\b/i

const BASES: Base[] = [
  { digits: /^[01]+$/, asks: asks('binary|base[- ]?(?:2|two)|\\d+[- ]bits?'), prefix: /^0b/i },
  { digits: /^[0-9a-f]+$/i, asks: asks('hex(?:adecimal)?|base[- ]?16'), prefix: /^(?:0x|#|&h)/i },
  { digits: /^[0-7]+$/, asks: asks('octal|base[- ]?8'), prefix: /^0o/i },
]
const WIDTH = /\b(\d+)[- ]?bits?\b/i

/** A binary, octal or hexadecimal number without its marks; null when it is none. */
function digitsOf(text: string, { digits, prefix }: Base): string | null {
  const bare = text
    .normalize('NFKC')
    .trim()
    .replace(/^.*(?:=|\b(?:answer|ans|is)\b\s*:?)\s*/is, '')
    .replace(/\s*\(?\b(?:in\s+)?(?:binary|hex(?:adecimal)?|octal|base\s*(?:2|8|16))\b\)?\.?$/i, '')
    .replace(prefix, '')
    .replace(/^\(([^()]*)\)_?\{?(?:2|8|16)\}?$/, '$1')
    .replace(/_\{?(?:2|8|16)\}?$|(?<=[0-9a-f])h$/i, '')
    .replace(/[\s_]/g, '')
    .replace(/\.$/, '')
  return digits.test(bare) ? bare.toUpperCase() : null
}

export function judgeDigits(prompt: string, accepted: string[], answer: string): Judgement | null {
  const base = BASES.find(
    ({ asks: asked, digits, prefix }) =>
      !TO_DECIMAL.test(prompt) &&
      asked.test(prompt) &&
      accepted.some((key) => digits.test(key.trim().replace(prefix, '').replace(/\s/g, ''))),
  )
  if (!base) return null
  const keys = accepted.flatMap((key) => digitsOf(key, base) ?? [])
  if (keys.length === 0) return null
  const marked = answer.replace(/[₀-₉]+/g, (index) => `_${[...index].map((c) => '₀₁₂₃₄₅₆₇₈₉'.indexOf(c)).join('')}`)
  const lines = marked.split('\n').filter((line) => line.trim() !== '')
  const given = withoutIndex(marked, base, keys) ?? digitsOf(marked, base) ?? digitsOf(lines.at(-1) ?? '', base)
  if (given === null)
    return exactJudgement(
      0,
      /^\W*\d+\W*$/.test(answer) ? 0.9 : UNSURE,
      /^\W*\d+\W*$/.test(answer) ? 'exact_wrong' : 'unclear',
    )
  return bestJudgement(
    keys.map((key) => {
      if (key === given) return exactJudgement(1, 0.95, 'exact_right')
      // Zeros in front count where a width is asked for.
      const bare = (text: string) => text.replace(/^0+(?=.)/, '')
      if (bare(key) !== bare(given)) return exactJudgement(0, 0.93, 'exact_wrong')
      const wide = WIDTH.test(prompt) || key.startsWith('0')
      return wide ? exactJudgement(0.5, UNSURE, 'unclear') : exactJudgement(1, 0.9, 'exact_right')
    }),
  )
}

/** “FF16”: the base written behind, where the rest is the key. */
function withoutIndex(text: string, base: Base, keys: string[]): string | null {
  const bare = digitsOf(text.trim().replace(/(?:16|2|8)$/, ''), base)
  return bare !== null && keys.includes(bare) ? bare : null
}
