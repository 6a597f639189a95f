import { HALF, type Notation, RIGHT, WRONG } from './judge-by-notation.ts'

const ASKS =
  /\bsymbols?\s+(?:of|for)\b|\b(?:chemical|unit|SI)\s+symbols?\b|\bsymbols?\b.*\b(?:name|unit)|\b(?:name|unit)\b.*\bsymbols?\b|\bprefix\b|\babbreviat/i
const SIGN = '[A-ZΩμ][a-z]?|[a-z]{1,2}|[A-Z]{2}|[a-zμ][A-Z]'
const ALONE = new RegExp(String.raw`^\s*(${SIGN})\s*$`, 'u')
const ARTICLE = /^(?:a|an|is|it|no|so|or|of|to|in|as|i|I|A|be|by|my|we|he)$/

/** A sign with its case: “mW” is not “MW”. */
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
    return {
      skeleton: skeleton.replace(/\s(?=(?:not|rather\s+than|instead\s+of)\b)/gi, ', '),
      found,
    }
  },
  compare: (key, given) =>
    given === key
      ? { ...RIGHT, confidence: 0.92 }
      : given.toLowerCase() === key.toLowerCase()
        ? { ...HALF, share: 0.25 }
        : WRONG,
  otherwise: () => null,
}
