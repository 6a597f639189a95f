import { priorWeight } from './prior-weights.ts'

export type Weights = Record<string, number>

/** A sum of weights of named features. Features that were never learnt have their prior weight. */
export class LinearModel {
  readonly names: string[] = []
  readonly weights: number[] = []
  readonly #ids = new Map<string, number>()

  constructor(learnt: Weights = {}) {
    for (const [name, weight] of Object.entries(learnt)) this.weights[this.idOf(name)] = weight
  }

  /** A feature's number, by which its weight is found. */
  idOf(name: string): number {
    let id = this.#ids.get(name)
    if (id === undefined) {
      id = this.names.length
      this.#ids.set(name, id)
      this.names.push(name)
      this.weights.push(priorWeight(name))
    }
    return id
  }

  scoreOf(features: readonly number[]): number {
    let sum = 0
    for (const id of features) sum += this.weights[id] ?? 0
    return sum
  }
}
