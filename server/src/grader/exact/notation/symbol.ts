import { thingNamed } from '../worded/named-things.ts'
import { compareNames } from '../worded/same-name.ts'
import { HALF, type Notation, RIGHT, WRONG } from './judge-by-notation.ts'

/** “M”, or “tesla (T)” with its name. */
interface NamedSymbol {
  name: string
  sign: string
}

const ASKS =
  /\bsymbols?\s+(?:of|for)\b|\b(?:chemical|unit|SI)\s+symbols?\b|\bsymbols?\b.*\b(?:name|unit)|\b(?:name|unit)\b.*\bsymbols?\b|\bprefix\b|\babbreviat/i
const SIGN = '[A-ZΩμ][a-z]?|[a-z]{1,2}|[A-Z]{2}|[a-zμ][A-Z]'
const BOTH = new RegExp(String.raw`^\s*(\p{L}{3,}(?:\s\p{L}+)?)\s*[,;(]\s*(?:symbol\s+)?(${SIGN})\s*\)?\s*\.?\s*$`, 'u')
const ALONE = new RegExp(String.raw`^\s*(${SIGN})\s*$`, 'u')
const ARTICLE = /^(?:a|an|is|it|no|so|or|of|to|in|as|i|I|A|be|by|my|we|he)$/

/** A sign with its case, alone or beside a name: “mW” is not “MW”. */
export const SYMBOL: Notation<NamedSymbol> = {
  read(key, prompt) {
    if (!ASKS.test(prompt)) return null
    const [, name = '', sign = ALONE.exec(key)?.[1]] = BOTH.exec(key) ?? []
    return sign === undefined ? null : { name, sign }
  },
  find(answer, key) {
    const told = answer
      .replace(/\\Omega(?![a-z])/g, 'Ω')
      .replace(/\\mu(?![a-z])/g, 'μ')
      .replace(/#/g, ' ')
    const thing = thingNamed(key.name)
    const isName = (word: string) =>
      word.length > 2 &&
      (compareNames(key.name, word) !== 'different' || (thing !== null && thingNamed(word)?.id === thing.id))
    const name = key.name !== '' && (told.match(/\p{L}+/gu) ?? []).some(isName) ? key.name : ''
    const found: NamedSymbol[] = []
    const skeleton = told.replace(/\([^()]*\p{L}{3}[^()]*\)/gu, ' ').replace(/[\p{L}Ωμ]+/gu, (word) => {
      if (isName(word)) return ' '
      return ALONE.test(word) && (word === key.sign || !ARTICLE.test(word))
        ? `#${found.push({ name, sign: word }) - 1}#`
        : word
    })
    const clauses = skeleton.replace(/\s(?=(?:not|rather\s+than|instead\s+of)\b)/gi, ', ')
    if (found.some(({ sign }) => sign.toLowerCase() === key.sign.toLowerCase())) return { skeleton: clauses, found }
    return name !== '' ? { skeleton: '#0#', found: [found[0] ?? { name, sign: '' }] } : { skeleton, found: [] }
  },
  compare(key, given) {
    if (given.sign === key.sign) return given.name === key.name ? { ...RIGHT, confidence: 0.92 } : HALF
    if (key.name !== '' && given.name === key.name) return HALF
    return given.sign.toLowerCase() === key.sign.toLowerCase() ? { ...HALF, share: 0.25 } : WRONG
  },
  otherwise: () => null,
}
