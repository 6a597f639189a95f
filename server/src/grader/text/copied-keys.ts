import type { Rubric } from '@assay/shared/rubrics.ts'
import { wordsOf } from './terms.ts'

/** A run that is no chance, and the share of a key's runs that must be there. */
const RUN = 5
const SHARE = 0.8
const SHORTEST_KEY = 14

/** By number, or null: knowing one question's key word for word, the student had it for all. */
export function createCopiedKeyFinder(rubric: Rubric): (questionId: string, text: string) => string | null {
  let keys: { id: string; number: string; runs: string[] }[] | undefined
  return (questionId, text) => {
    const runs = new Set(runsOf(text))
    if (runs.size <= SHORTEST_KEY - RUN) return null
    keys ??= keysOf(rubric)
    const own = new Set(keys.filter(({ id }) => id === questionId).map((key) => key.runs.join()))
    const found = keys.find(
      (key) =>
        key.id !== questionId &&
        // Two questions may have the same answer.
        !own.has(key.runs.join()) &&
        key.runs.filter((run) => runs.has(run)).length >= key.runs.length * SHARE,
    )
    return found?.number ?? null
  }
}

function keysOf(rubric: Rubric): { id: string; number: string; runs: string[] }[] {
  return rubric.questions.flatMap(({ id, number, criteria }) =>
    criteria
      .flatMap((criterion) => [criterion.expected, ...criterion.alternatives])
      .map((key) => ({ id, number, runs: runsOf(key) }))
      .filter(({ runs }) => runs.length > SHORTEST_KEY - RUN),
  )
}

function runsOf(text: string): string[] {
  const words = wordsOf(text)
  const count = Math.max(0, words.length - RUN + 1)
  return Array.from({ length: count }, (_, at) => words.slice(at, at + RUN).join(' '))
}
