import { romanValue } from './question-labels.ts'
import type { Row } from './rows.ts'

/** A label this far right of the others is part of an answer; in points. */
const NEAR_LABELS = 26
/** Parts are indented below their question. */
const PART_INDENT = 60

/** Where a label leads, and where the words go on after it in the row's text. */
interface Followed {
  path: string[]
  /** Of the question, or of the first of its parts. */
  index: number
  end: number
}

/** The levels of a question's number: `2.1` and `1 c ii` apart. */
export const pathOfNumber = (number: string): string[] => number.toLowerCase().match(/\d+|[a-z]+/g) ?? []

/**
 * Reads the labels of rows that answer a paper's questions elsewhere: “b” after “2 a” is the next part of question 2.
 * Such answers go on and never back.
 */
export class LabelFollower {
  readonly #paths: readonly string[][]
  readonly #explicitOnly: boolean
  readonly #margin: number
  #at: string[] | null = null

  constructor(paths: readonly string[][], rows: readonly Row[]) {
    this.#paths = paths
    const named = rows.filter((row) => row.explicit && this.#indexUnder([row.labels[0]?.value ?? '']) >= 0)
    this.#explicitOnly = named.length >= 2
    const labelled = rows.filter(({ labels }) => labels[0]?.kind === 'number')
    this.#margin = Math.min(...labelled.map(({ line }) => line.box.x))
  }

  /** The question that rows belong to now; -1 before the first label. */
  get index(): number {
    return this.#at ? this.#indexUnder(this.#at) : -1
  }

  follow(row: Row): Followed | null {
    const [first] = row.labels
    if (!first) return null
    const indent = NEAR_LABELS + (first.kind === 'letter' ? PART_INDENT : 0)
    if (row.line.box.x > this.#margin + indent) return null
    if (this.#explicitOnly && !row.explicit && first.kind === 'number') return null
    for (const { path, used } of this.#candidates(row)) {
      const index = this.#indexUnder(path)
      if (index < 0 || !this.#isPlausible(row, path, index, used)) continue
      this.#at = path
      return { path, index, end: row.labels[used - 1]?.end ?? 0 }
    }
    return null
  }

  #candidates(row: Row): { path: string[]; used: number }[] {
    const values = row.labels.map(({ value }) => value)
    const lengths = values.map((_, i) => values.length - i)
    if (row.labels[0]?.kind === 'number') return lengths.map((used) => ({ path: values.slice(0, used), used }))
    const at = this.#at ?? []
    return at.flatMap((_, i) =>
      lengths.map((used) => ({ path: [...at.slice(0, at.length - i), ...values.slice(0, used)], used })),
    )
  }

  #isPlausible(row: Row, path: readonly string[], index: number, used: number): boolean {
    const here = this.index
    const goesOn = this.#at !== null && startsWith(path, this.#at)
    // “1 mark for …” within question 1 says nothing new.
    if (index === here && !(goesOn && path.length > (this.#at?.length ?? 0))) return false
    const next = index === here + 1 || (here < 0 && index <= 1) || goesOn
    const first = row.labels[0]
    const apart = row.cells.length > 1 && (row.cells[0]?.text.length ?? 9) <= 8
    const set = row.explicit || apart || row.labels.some(({ style }) => style.length > 1)
    if (!set && !next) return false
    if (index < here) return false
    return !(first?.kind === 'letter' && used === 1 && romanValue(first.value) > 1 && !next)
  }

  #indexUnder(path: readonly string[]): number {
    return this.#paths.findIndex((one) => startsWith(one, path))
  }
}

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((value, level) => path[level] === value)
