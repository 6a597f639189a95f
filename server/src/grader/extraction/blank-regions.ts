import type { matchPrintedLines } from '../layout/match-printed-lines.ts'
import { bottomOf, type PlacedLine } from '../layout/paper-lines.ts'
import type { PrintedLine, PrintedRubric } from '../layout/printed-lines.ts'

export const middleOf = ({ box }: PlacedLine) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 })

type Region = PrintedRubric['questions'][number]['regions'][number]

/** The blank's answer areas on a student's pages, as far as those are laid out like the blank. */
export class BlankRegions {
  readonly #regions: (Region & { question: string })[]
  readonly #alike = new Map<number, boolean>()

  constructor(
    questions: PrintedRubric['questions'],
    prints: PrintedLine[],
    lines: PlacedLine[],
    matches: ReturnType<typeof matchPrintedLines>,
  ) {
    const regions = questions.flatMap(({ id, regions: own }) => own.map((region) => ({ ...region, question: id })))
    // Where a person has drawn an area over one that was found, they know better.
    this.#regions = [...regions.filter(({ drawn }) => drawn), ...regions.filter(({ drawn }) => !drawn)]
    for (const [at, { printedIndex }] of matches) {
      const line = lines[at]
      const from = prints[printedIndex]
      if (!line) continue
      const moved = !from || from.page !== line.page || Math.abs(line.box.y - from.y) > 4
      this.#alike.set(line.page, !moved && (this.#alike.get(line.page) ?? true))
    }
  }

  questionAt(line: PlacedLine): string | null {
    return this.#regionAt(line)?.question ?? null
  }

  /** Only in an area drawn by a person, which outweighs the order of the text. */
  drawnAt(line: PlacedLine): string | null {
    const region = this.#regionAt(line)
    return region?.drawn ? region.question : null
  }

  #regionAt(line: PlacedLine): (Region & { question: string }) | undefined {
    if (!this.#alike.get(line.page)) return undefined
    const { x, y } = middleOf(line)
    return this.#regions.find(
      ({ page, box }) =>
        page === line.page &&
        y >= box.y - 2 &&
        y <= bottomOf({ box }) + 2 &&
        x >= box.x - 2 &&
        x <= box.x + box.width + 2,
    )
  }
}
