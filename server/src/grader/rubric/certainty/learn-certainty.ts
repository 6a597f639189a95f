import type { Weights } from '../../layout/outline/linear-model.ts'

/** A question as it was read, and whether that is what a person found. */
export interface JudgedReading {
  facts: readonly string[]
  right: boolean
}

const STEPS = 400
const RATE = 2
/** How strongly weights are kept near 0, in questions: what a few of them show counts little. */
const PRIOR = 30

export const chanceOf = (weights: Weights, facts: readonly string[]): number =>
  1 / (1 + Math.exp(-facts.reduce((sum, fact) => sum + (weights[fact] ?? 0), 0)))

/** Learns by logistic regression what the chance is that a question was read right. */
export function learnCertainty(readings: readonly JudgedReading[]): Weights {
  const counts = new Map<string, number>()
  for (const { facts } of readings) for (const fact of facts) counts.set(fact, (counts.get(fact) ?? 0) + 1)
  const weights: Weights = Object.fromEntries([...counts.keys()].map((fact) => [fact, 0]))
  for (let step = 0; step < STEPS; step += 1) {
    const slopes = new Map<string, number>()
    for (const { facts, right } of readings) {
      const miss = (right ? 1 : 0) - chanceOf(weights, facts)
      for (const fact of facts) slopes.set(fact, (slopes.get(fact) ?? 0) + miss)
    }
    for (const [fact, count] of counts) {
      const own = weights[fact] ?? 0
      weights[fact] = own + (RATE * ((slopes.get(fact) ?? 0) - (PRIOR * own) / 4)) / (count + PRIOR) / 4
    }
  }
  return Object.fromEntries(Object.entries(weights).map(([fact, weight]) => [fact, Math.round(weight * 100) / 100]))
}
