import { digitsForWords } from '../numbers/number-words.ts'
import { romanValue } from '../numbers/numerals.ts'
import { HALF, type Notation, onlyOne, RIGHT, WRONG } from './judge-by-notation.ts'

/** `sign` is 0 where none is written. */
interface Charge {
  size: number
  sign: 1 | -1 | 0
}

const ASKS = /\b(?:charges?|oxidation|valenc\w+|ions?)\b/i
const SIZE = String.raw`(\d{1,2}|[IV]{1,4})`
const BEFORE = new RegExp(String.raw`(?<![\p{L}\d])([+-])\s?${SIZE}(?![\p{L}\d])`, 'u')
const BEHIND = new RegExp(String.raw`(?:(?<![\p{L}\d])|(?<=\p{L}\^?[({]?))${SIZE}\s?([+-])(?![\d])`, 'u')
const ALONE = new RegExp(String.raw`(?<![\p{L}\d])${SIZE}(?![\p{L}\d])`, 'u')

const sizeOf = (text: string): number => (/\d/.test(text) ? Number(text) : (romanValue(text) ?? 0))

function chargesIn(answer: string): { skeleton: string; found: Charge[] } {
  const found: Charge[] = []
  const plain = digitsForWords(
    answer
      .replace(/[⁰¹²³⁴-⁹]*[⁺⁻]/gu, (sign) => `^${sign.normalize('NFKC')}`)
      .replace(/#/g, ' ')
      .replace(/[−–]/g, '-')
      .replace(/\b(?:plus|positive)\s+(?=\p{L}|\d)/giu, '+')
      .replace(/\b(?:minus|negative)\s+(?=\p{L}|\d)/giu, '-')
      .replace(/(?<=\p{L}|\d)\s+(?:plus|positive)\b/giu, '+')
      .replace(/(?<=\p{L}|\d)\s+(?:minus|negative)\b/giu, '-')
      .replace(/([+-])(?=[a-z]{3})/gi, '$1 '),
  )
  const put = (size: string, sign: string, before = '') => {
    const charge: Charge = { size: sizeOf(size), sign: sign === '+' ? 1 : sign === '-' ? -1 : 0 }
    return `${before}#${found.push(charge) - 1}#`
  }
  const last = plain.split(/=|\bso\b|→/).at(-1) ?? ''
  const skeleton = last
    .replace(new RegExp(BEFORE, 'gu'), (_, sign, size) => put(size, sign))
    .replace(new RegExp(BEHIND, 'gu'), (all, size, sign) => (/#/.test(all) ? all : put(size, sign)))
  if (found.length > 0) return { skeleton, found }
  const single = last.replace(/\b[A-Z][a-z]?\^?[({]?([+-])[)}]?(?![\d])/u, (_, sign) => put('1', sign))
  return { skeleton: found.length > 0 ? single : last.replace(ALONE, (_, size) => put(size, '')), found }
}

/** `+3`, `3+`, `III`, `Fe³⁺`, “iron(III)”. */
export const CHARGE: Notation<Charge> = {
  read(key, prompt) {
    if (!ASKS.test(prompt) || !/^\s*(?:[+−–-]\s?(?:\d|[IV]+)|\d\s?[+−–-])\s*$/.test(key)) return null
    return onlyOne(chargesIn(key))
  },
  find: chargesIn,
  compare(key, given, prompt) {
    if (key.size !== given.size || key.sign === -given.sign) return WRONG
    if (key.sign === given.sign) return RIGHT
    return key.sign > 0 && /\b(?:oxidation|valenc)/i.test(prompt) ? { ...RIGHT, confidence: 0.7 } : HALF
  },
}
