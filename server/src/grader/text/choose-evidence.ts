import type { Evidence } from '@assay/shared/papers.ts'
import { spellingSimilarity } from './fuzzy-match.ts'
import { stemOf, termsOf } from './terms.ts'

const MAX_LINES = 4

/** The lines a judgement rests on: those that carry the key's words, else the answer's first. In the paper's order. */
export function chooseEvidence(lines: Evidence[], matched: string[]): Evidence[] {
  if (lines.length <= 2) return lines
  const wanted = matched.map(stemOf)
  const scored = lines.map((line, i) => {
    const terms = new Set(termsOf(line.quote))
    const carried = wanted.filter((stem) => [...terms].some((term) => spellingSimilarity(stem, term) >= 0.75)).length
    return { i, line, carried }
  })
  const carrying = scored
    .filter(({ carried }) => carried > 0)
    .sort((a, b) => b.carried - a.carried || a.i - b.i)
    .slice(0, MAX_LINES)
    .sort((a, b) => a.i - b.i)
  return (carrying.length > 0 ? carrying : scored.slice(0, 2)).map(({ line }) => line)
}
