import { digitsForWords } from '../numbers/number-words.ts'
import { romanValue } from '../numbers/numerals.ts'
import { plainMath } from '../numbers/plain-math.ts'
import { readUnit, sameUnit, type WrittenUnit } from '../units/read-unit.ts'
import { HALF, type Notation, RIGHT, WRONG } from './judge-by-notation.ts'

const ONLY = /^\s*#0#\s*\.?\s*$/

/** `XLIX`: as the rules have it, so that `IL` is not 49. */
export const ROMAN_NUMERAL: Notation<string> = {
  read: (key, prompt) => (/\broman\b/i.test(prompt) && /^\s*[MDCLXVI]+\s*$/.test(key) ? key.trim() : null),
  find(answer) {
    const plain = /^[\sMDCLXVI+-]+$/i.test(answer) ? answer.replace(/[\s+-]/g, '') : answer.replace(/#/g, ' ')
    const last = [...plain.matchAll(/(?<![\p{L}\d])[MDCLXVI]+(?![\p{L}\d])/giu)].at(-1)
    if (!last || (last[0] === 'I' && /\bI\s+\p{L}/u.test(plain))) return { skeleton: plain, found: [] }
    return { skeleton: `${plain.slice(0, last.index)}#0#`.replace(/^.*=/s, ''), found: [last[0].toUpperCase()] }
  },
  compare: (key, given) => (key === given ? RIGHT : WRONG),
}

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
    const { skeleton, found } = chargesIn(key)
    return ONLY.test(skeleton) ? (found[0] ?? null) : null
  },
  find: chargesIn,
  compare(key, given, prompt) {
    if (key.size !== given.size || key.sign === -given.sign) return WRONG
    if (key.sign === given.sign) return RIGHT
    return key.sign > 0 && /\b(?:oxidation|valenc)/i.test(prompt) ? { ...RIGHT, confidence: 0.7 } : HALF
  },
}

/** “Ampere” where a unit is asked for: by whatever it measures. */
export const UNIT: Notation<WrittenUnit> = {
  read: (key, prompt) =>
    /\bunits?\b/i.test(prompt) && !/\band\b/.test(key) && !(/\bsymbol\b/i.test(prompt) && /\(/.test(key))
      ? unitIn(key)
      : null,
  find(answer) {
    const unit = unitIn(answer.replace(/^\W*(?:[Tt]he|an?|[Ii]t|[Ii]s|[Mm]easured|[Ii]n|[Uu]nit)\b\s*/g, ''))
    return unit ? { skeleton: '#0#', found: [unit] } : { skeleton: answer.replace(/#/g, ' '), found: [] }
  },
  compare(key, given, prompt) {
    const cased = key.written.toLowerCase() === given.written.toLowerCase()
    const sign = /\bsymbol\b/i.test(prompt) && key.written.length < 3
    if (sign && key.written !== given.written && (cased || given.written.length > 2)) return HALF
    return sameUnit(key, given) ? RIGHT : WRONG
  },
  otherwise: () => null,
}

/** “Ampere (A)”: name and sign must be of one unit. */
function unitIn(text: string): WrittenUnit | null {
  const [, name = text, sign] = /^(.+?)\s*(?:\(([^()]+)\))?\s*\.?$/.exec(text.trim()) ?? []
  const unit = readUnit(plainMath(name).trim())
  const second = sign === undefined ? unit : readUnit(plainMath(sign).trim())
  return unit && second && sameUnit(unit, second) ? unit : null
}
