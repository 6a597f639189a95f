import { contradictionsOf } from './differences.ts'
import { spellingSimilarity } from './fuzzy-match.ts'
import { statementOf, wordsIn } from './statements.ts'
import { directionOf, isNegated, isStopWord, stemOf, synonymsOf, termsOf, wordsOf } from './terms.ts'

const SAME_WORD = 0.8
/** Weight of a word that the question or many phrases have. */
const COMMON = 0.25
/** “More”, “rises”: which way counts less than what. */
const DIRECTION = 0.5
const FOUND = 0.62

const EXAMPLES = /,?\s*(?:such\s+as|e\.g\.,?|for\s+example|like|including)\s+/i

/** “alcohol or drugs”, “abrasion (corrasion)”, “distraction, such as using a phone”: each way to say it. */
export function phraseVariants(phrase: string): string[] {
  const bracketed = [...phrase.matchAll(/\(([^)]+)\)/g)].map((match) => match[1] ?? '')
  const plain = phrase.replace(/\([^)]*\)/g, ' ')
  const [main = '', ...examples] = plain.split(EXAMPLES)
  return [main, ...bracketed.map((text) => text.replace(/^(?:or|e\.g\.)\s+/i, '')), ...examples]
    .flatMap((text) => text.split(/\s+or\s+|\s*\/\s*/i))
    .map((text) => text.trim())
    .filter((text) => /\p{L}{2}/u.test(text) && !/^(?:not|do\s+not)\b/i.test(text))
}

/** `common`: stems that do not distinguish the phrases. */
export const containsPhrase = (phrase: string, text: string, common: ReadonlySet<string>): boolean =>
  phraseAgreement(phrase, text, common) >= FOUND

/** 0..1, of its best variant; 0 where the text says the opposite. */
export function phraseAgreement(phrase: string, text: string, common: ReadonlySet<string>): number {
  if (isNegated(phrase) !== isNegated(text) || contradictionsOf([phrase], text).has('opposite')) return 0
  const given = termsIn(text)
  const shares = phraseVariants(phrase).map((variant) => {
    const wanted = termsIn(variant)
    let all = 0
    let got = 0
    for (const term of wanted) {
      const weight = term === '↑' || term === '↓' ? DIRECTION : common.has(term) || GENERIC.has(term) ? COMMON : 1
      all += weight
      if (given.some((other) => isSameTerm(term, other))) got += weight
    }
    return all > 0 ? got / all : 0
  })
  return Math.max(0, ...shares)
}

/** Of at least half of the phrases, and of the question. */
export function commonStems(phrases: readonly string[], asked: string): Set<string> {
  const counts = new Map<string, number>()
  for (const phrase of phrases)
    for (const term of new Set(termsIn(phrase))) counts.set(term, (counts.get(term) ?? 0) + 1)
  const shared = [...counts].filter(([, count]) => count > 1 && count >= phrases.length / 3).map(([term]) => term)
  return new Set([...shared, ...termsIn(asked)])
}

/** What grows by any word goes the same way. */
const termsIn = (text: string): string[] =>
  wordsIn(statementOf(text)).map(({ term, word }) => ({ '1': '↑', '0': term, '-1': '↓' })[directionOf(word)])

export const isSameTerm = (a: string, b: string): boolean =>
  a === b ||
  spellingSimilarity(a, b) >= SAME_WORD ||
  synonymsOf(a).has(b) ||
  (Math.min(a.length, b.length) >= 5 && (a.startsWith(b) || b.startsWith(a)))

const SAME_TERM = 0.75

/** Words that read badly when named as missing. */
const GENERIC = new Set(
  `use process make way thing help cause work get take go come need want happen different type kind part example also able
  many much several various first second not no never none all both each same called known main important result often usually may might must`
    .split(/\s+/)
    .map(stemOf),
)
const COUNTS = new Set(['one', 'two', 'three'])

/** Most informative first, as the key writes them; of several accepted answers, the nearest. */
export function matchedTerms(
  accepted: string[],
  answer: string,
  prompt: string,
  weight: (term: string) => number,
): string[] {
  const has = [...new Set(termsOf(answer))]
  const asked = new Set(termsOf(prompt))
  let best: string[] = []
  let bestShare = -1
  for (const key of accepted) {
    const words = new Map<string, string>()
    for (const word of wordsOf(key)) {
      const stem = stemOf(word)
      if (
        !isStopWord(word) &&
        !asked.has(stem) &&
        !GENERIC.has(stem) &&
        !COUNTS.has(word) &&
        !words.has(stem) &&
        /[\p{L}\d]/u.test(word)
      )
        words.set(stem, word)
    }
    const telling = [...words].sort(([a], [b]) => weight(b) - weight(a))
    const uses = ([stem]: [string, string]) => has.some((term) => spellingSimilarity(stem, term) >= SAME_TERM)
    const matched = telling.filter(uses).map(([, word]) => word)
    const share = matched.length / Math.max(1, telling.length)
    if (share > bestShare) {
      bestShare = share
      best = matched
    }
  }
  return best
}
