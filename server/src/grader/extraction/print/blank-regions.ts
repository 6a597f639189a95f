import type { matchPrintedLines, PrintedLine, PrintedRubric } from '../../layout/match-printed-lines.ts'
import { hasAnswerSpace, isInBox, type PlacedLine } from '../../layout/paper-lines.ts'

const HALF_LINE = 9 // points; words stand at the top of a higher box

export const middleOf = ({ box }: PlacedLine) => ({
  x: box.x + box.width / 2,
  y: box.y + Math.min(box.height / 2, HALF_LINE),
})

const LINE = 13 // points

const BEHIND = 60 // points

const isBeside = ({ box }: PlacedLine, { right = 0 }: PrintedLine): boolean =>
  box.x >= right - 3 && box.x < right + BEHIND

type Region = PrintedRubric['questions'][number]['regions'][number]

export class BlankRegions {
  readonly #regions: (Region & { question: string })[]
  readonly #gaps: PrintedLine[]
  readonly #asked: PrintedLine[]
  readonly #alike = new Map<number, boolean>()

  constructor(
    questions: PrintedRubric['questions'],
    prints: PrintedLine[],
    lines: PlacedLine[],
    matches: ReturnType<typeof matchPrintedLines>,
  ) {
    const regions = questions.flatMap(({ id, regions: own }) => own.map((region) => ({ ...region, question: id })))
    // A person's area comes before one that was found.
    this.#regions = [...regions.filter(({ drawn }) => drawn), ...regions.filter(({ drawn }) => !drawn)]
    this.#asked = prints.filter(({ question, right }) => question !== null && right !== undefined)
    this.#gaps = prints.filter(({ question, text }) => question !== null && hasAnswerSpace({ text }))
    for (const [at, { printedIndex }] of matches) {
      const line = lines[at]
      const from = prints[printedIndex]
      if (!line) continue
      const moved = !from || from.page !== line.page || Math.abs(line.box.y - from.y) > 4
      this.#alike.set(line.page, !moved && (this.#alike.get(line.page) ?? true))
    }
  }

  questionAt(line: PlacedLine): string | null {
    const region = this.#regionAt(line)
    if (region?.drawn) return region.question
    return this.#gapAt(line)?.question ?? region?.question ?? null
  }

  /** A gap belongs to its line, though the previous question's space ends there. */
  #gapAt(line: PlacedLine): PrintedLine | undefined {
    if (!this.#alike.get(line.page)) return undefined
    const { x, y } = middleOf(line)
    const gap = this.#gaps.find(
      (print) => print.page === line.page && y > print.y - 2 && y < print.y + LINE && this.#isInColumnOf(print, x),
    )
    const beside = this.#asked.filter(
      (print) => print.page === line.page && y > print.y - 2 && y < print.y + LINE && isBeside(line, print),
    )
    return gap ?? beside.toSorted((one, other) => (other.right ?? 0) - (one.right ?? 0))[0]
  }

  #isInColumnOf({ question, page }: PrintedLine, x: number): boolean {
    const own = this.#regions.filter((region) => region.question === question && region.page === page)
    return own.length === 0 || own.some(({ box }) => x >= box.x - 2 && x <= box.x + box.width + 2)
  }

  drawnAt(line: PlacedLine): string | null {
    const region = this.#regionAt(line)
    return region?.drawn ? region.question : null
  }

  #regionAt(line: PlacedLine): (Region & { question: string }) | undefined {
    if (!this.#alike.get(line.page)) return undefined
    const { x, y } = middleOf(line)
    return this.#regions.find(({ page, box }) => page === line.page && isInBox(x, y, box, 2))
  }
}
