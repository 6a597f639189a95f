import type { TermSet } from './fuzzy-match.ts'

/** How informative a term is, by itself and given how many of the class use it. */
export class TermWeights {
  readonly #answers: TermSet[]
  readonly #users = new Map<string, { each: boolean[]; all: number }>()
  /** idf, demoted if the question has the term. */
  readonly weightOf: (term: string) => number

  constructor(answers: TermSet[], weight: (term: string) => number) {
    this.#answers = answers
    this.weightOf = weight
  }

  weightsOf(terms: Set<string>): [string, number][] {
    return [...terms].map((term) => [term, this.weightOf(term)])
  }

  /** × √(0.05 + share of the others, `index` left out, who use it). */
  weightsAmongOthers(terms: Set<string>, index: number): [string, number][] {
    const others = Math.max(1, this.#answers.length - 1)
    return [...terms].map((term) => {
      const { each, all } = this.#usersOf(term)
      return [term, this.weightOf(term) * Math.sqrt(0.05 + (all - (each[index] ? 1 : 0)) / others)]
    })
  }

  /** × √(0.05 + share of the class who use it). */
  weightInClass(term: string): number {
    return this.weightOf(term) * Math.sqrt(0.05 + this.#usersOf(term).all / Math.max(1, this.#answers.length))
  }

  /** For each answer, whether it uses the term, and how many do. */
  #usersOf(term: string): { each: boolean[]; all: number } {
    let users = this.#users.get(term)
    if (!users) {
      const each = this.#answers.map((answer) => answer.has(term))
      users = { each, all: each.filter(Boolean).length }
      this.#users.set(term, users)
    }
    return users
  }
}
