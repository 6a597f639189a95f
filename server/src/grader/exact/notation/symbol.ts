import { thingNamed } from '../worded/named-things.ts'
import { compareNames } from '../worded/same-name.ts'
import { HALF, type Notation, RIGHT } from './judge-by-notation.ts'

/** “M”, or “tesla (T)” with its name. */
interface Symbol {
  name: string
  sign: string
}

/** What an answer has of it. */
interface Given extends Symbol {
  otherSign: boolean
}

const ASKS = /\bsymbols?\b|\bprefix\b|\babbreviat/i
const SIGN = '[A-ZΩμ][a-z]?|[a-z]{1,2}|[A-Z]{2}|[a-zμ][A-Z]'
const BOTH = new RegExp(String.raw`^\s*(\p{L}{3,}(?:\s\p{L}+)?)\s*[,;(]\s*(?:symbol\s+)?(${SIGN})\s*\)?\s*\.?\s*$`, 'u')
const ALONE = new RegExp(String.raw`^\s*(${SIGN})\s*$`, 'u')
const ARTICLE = /^(?:a|an|is|it|no|so|or|of|to|in|as|i|I|A|be|by|my|we|he)$/

/** A sign with its case, alone or beside a name: “mW” is not “MW”. */
export const SYMBOL: Notation<Symbol> = {
  read(key, prompt) {
    if (!ASKS.test(prompt)) return null
    const [, name = '', sign = ALONE.exec(key)?.[1]] = BOTH.exec(key) ?? []
    return sign === undefined ? null : { name, sign }
  },
  find(answer, key) {
    const words = (
      answer
        .replace(/\\Omega(?![a-z])/g, 'Ω')
        .replace(/\\mu(?![a-z])/g, 'μ')
        .match(/[\p{L}Ωμ]+/gu) ?? []
    ).filter((word) => !ARTICLE.test(word) || word === key.sign)
    const thing = thingNamed(key.name)
    const name = words.some(
      (word) =>
        word.length > 2 &&
        (compareNames(key.name, word) !== 'different' || (thing !== null && thingNamed(word)?.id === thing.id)),
    )
    const signs = words.filter((word) => ALONE.test(word))
    const sign =
      signs.find((word) => word === key.sign) ?? signs.find((word) => word.toLowerCase() === key.sign.toLowerCase())
    const otherSign = sign === undefined && signs.length > 0
    const given: Given = { name: key.name !== '' && name ? key.name : '', sign: sign ?? '', otherSign }
    if (key.name === '' ? sign === undefined : !name && sign === undefined)
      return { skeleton: answer.replace(/#/g, ' '), found: [] }
    const at = sign ?? words.find((word) => compareNames(key.name, word) !== 'different') ?? words[0] ?? ''
    const told = answer.replace(/#/g, ' ').replace(/\([^()]*\p{L}{3}[^()]*\)/gu, ' ')
    return { skeleton: told.replace(new RegExp(String.raw`(?<!\p{L})${at}(?!\p{L})`, 'u'), '#0#'), found: [given] }
  },
  compare(key, given) {
    if (given.sign !== '' && given.sign !== key.sign)
      return key.name === given.name && key.name !== '' ? HALF : { ...HALF, share: 0.25 }
    if (given.name === key.name) return given.sign === '' ? HALF : { ...RIGHT, confidence: 0.92 }
    return HALF
  },
  otherwise: () => null,
}
