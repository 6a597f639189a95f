import { spellingSimilarity } from './fuzzy-match.ts'
import { isStopWord, stemOf, synonymsOf, termsOf, wordsOf } from './terms.ts'

const SAME_WORD = 0.75

/** Words that read badly when named as missing. */
const GENERIC = new Set(
  `use process make way thing help cause work get take go come need want happen different type kind part example also able
  many much several various first second not no never none all both each same called known main important result often usually may might must`
    .split(/\s+/)
    .map(stemOf),
)
export const isGenericStem = (stem: string): boolean => GENERIC.has(stem)
const COUNTS = new Set(['one', 'two', 'three'])

/** Used and missed terms, most informative first, as the key writes them; of several accepted answers, the nearest. */
export function keyTermCoverage(
  accepted: string[],
  answer: string,
  prompt: string,
  weight: (term: string) => number,
): { matched: string[]; missing: string[] } {
  const has = [...new Set(termsOf(answer))]
  const asked = new Set(termsOf(prompt))
  let best: { matched: string[]; missing: string[] } = { matched: [], missing: [] }
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
    const uses = ([stem]: [string, string]) => has.some((term) => spellingSimilarity(stem, term) >= SAME_WORD)
    const matched = telling.filter(uses).map(([, word]) => word)
    // Said in another word for it, a term is neither: the student did not write the key's.
    const said = new Set(has.flatMap((term) => [...synonymsOf(term)]))
    const missing = telling.filter((entry) => !uses(entry) && !said.has(entry[0])).map(([, word]) => word)
    const share = matched.length / Math.max(1, telling.length)
    if (share > bestShare) {
      bestShare = share
      best = { matched, missing }
    }
  }
  return best
}
