import { plainMath } from '../numbers/plain-math.ts'
import { measuresAlike, readUnit, sameUnit, type WrittenUnit } from '../units/read-unit.ts'
import { HALF, type Notation, RIGHT, WRONG } from './judge-by-notation.ts'

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
    if (sign && key.written !== given.written && (cased || (given.written.length > 2 && sameUnit(key, given))))
      return HALF
    if (sameUnit(key, given)) return RIGHT
    // Decays per second are becquerels.
    const alike = key.readings.some((one) =>
      given.readings.some((other) => measuresAlike(one, other) && one.factor === other.factor),
    )
    return alike ? { ...RIGHT, confidence: 0.8 } : WRONG
  },
  otherwise: () => null,
}

/** In “Ampere (A)” name and symbol must agree. */
function unitIn(text: string): WrittenUnit | null {
  const [, name = text, sign] = /^(.+?)\s*(?:\(([^()]+)\))?\s*\.?$/.exec(text.trim()) ?? []
  const unit = readUnit(plainMath(name).trim())
  const second = sign === undefined ? unit : readUnit(plainMath(sign).trim())
  return unit && second && sameUnit(unit, second) ? second : null
}

const ASKS =
  /\bsymbols?\s+(?:of|for)\b|\b(?:chemical|unit|SI)\s+symbols?\b|\bsymbols?\b.*\b(?:name|unit)|\b(?:name|unit)\b.*\bsymbols?\b|\bprefix\b|\babbreviat/i
const SIGN = '[A-ZΩμ][a-z]?|[a-z]{1,2}|[A-Z]{2}|[a-zμ][A-Z]'
const ALONE = new RegExp(String.raw`^\s*(${SIGN})\s*$`, 'u')
const ARTICLE = /^(?:a|an|is|it|no|so|or|of|to|in|as|i|I|A|be|by|my|we|he)$/

/** Case counts: “mW” is not “MW”. */
export const SYMBOL: Notation<string> = {
  read: (key, prompt) => (ASKS.test(prompt) ? (ALONE.exec(key)?.[1] ?? null) : null),
  find(answer, key) {
    const found: string[] = []
    const skeleton = answer
      .replace(/^.*\bsymbol\b(?:\s+(?:is|it\s+has))?\W+(?=(?:capital\s+omega|[A-Z][a-z]?)\W*$)/s, '')
      .replace(/\\Omega(?![a-z])|\b(?:capital\s+)?omega\b/gi, 'Ω')
      .replace(/\\mu(?![a-z])/g, 'μ')
      .replace(/#/g, ' ')
      .replace(/\([^()]*\p{L}{3}[^()]*\)/gu, ' ')
      .replace(/[\p{L}Ωμ]+/gu, (word) =>
        ALONE.test(word) && (word === key || !ARTICLE.test(word)) ? `#${found.push(word) - 1}#` : word,
      )
    return { skeleton: skeleton.replace(/\s(?=(?:not|rather\s+than|instead\s+of)\b)/gi, ', '), found }
  },
  compare: (key, given) =>
    given === key
      ? { ...RIGHT, confidence: 0.92 }
      : given.toLowerCase() === key.toLowerCase()
        ? { ...HALF, share: 0.25 }
        : WRONG,
  otherwise: () => null,
}
