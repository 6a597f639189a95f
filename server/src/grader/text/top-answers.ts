import type { TermSet } from './fuzzy-match.ts'

const MIN_SIZE = 3

/**
 * The better part of a class: the first `share` of it (at least three) by how well they fit the key. A grader asked
 * about is left out, and the next one moves up.
 */
export class TopAnswers {
  readonly #answers: TermSet[]
  readonly #negates: boolean[]
  readonly #members: Set<number>
  readonly #next: number | undefined
  readonly #uses = new Map<string, number>()
  readonly #negations: number
  readonly size: number

  /** `ranked`: the class's indices, the best first. */
  constructor(ranked: number[], share: number, answers: TermSet[], negates: boolean[]) {
    this.#answers = answers
    this.#negates = negates
    const others = ranked.length - 1
    this.size = Math.max(0, Math.min(others, Math.max(MIN_SIZE, Math.round(share * others))))
    const members = ranked.slice(0, this.size)
    this.#members = new Set(members)
    this.#next = ranked[this.size]
    for (const i of members) for (const term of answers[i] ?? []) this.#uses.set(term, (this.#uses.get(term) ?? 0) + 1)
    this.#negations = members.filter((i) => negates[i]).length
  }

  /** Each term with the share of the better part that uses it. */
  *termSharesExcluding(index: number): Generator<[term: string, share: number]> {
    const own = this.#members.has(index) ? this.#answers[index] : undefined
    const next = own ? this.#answers[this.#next ?? -1] : undefined
    for (const [term, count] of this.#uses)
      yield [term, (count - (own?.has(term) ? 1 : 0) + (next?.has(term) ? 1 : 0)) / this.size]
    for (const term of next ?? []) if (!this.#uses.has(term)) yield [term, 1 / this.size]
  }

  /** Share of the better part that says “not”. */
  negationShareExcluding(index: number): number {
    if (this.size === 0) return 0
    const member = this.#members.has(index)
    const own = member && this.#negates[index] ? 1 : 0
    const next = member && this.#negates[this.#next ?? -1] ? 1 : 0
    return (this.#negations - own + next) / this.size
  }
}
