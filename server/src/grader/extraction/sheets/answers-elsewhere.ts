import type { PlacedLine } from '../../layout/paper-lines.ts'
import { readPointer } from './answer-pointers.ts'

/** “continued”, “(cont. from p. 2)” without the number of a question. */
const GOES_ON = /^\W*(?:answer\s+)?(?:continued|continuation|cont\.?|cont['’]d)(?:\s+from\b.{0,20})?\W*$/i

export class AnswersElsewhere {
  readonly #pointers: { question: string; from: number; page: number | null }[] = []

  get questions(): string[] {
    return this.#pointers.map(({ question }) => question)
  }

  /** Removes and remembers “(see p. 4)”. */
  withoutPointer(question: string, { page }: PlacedLine, text: string): string {
    const pointer = readPointer(text)
    if (!pointer) return text
    this.#pointers.push({ question, from: page, page: pointer.page })
    return pointer.before
  }

  /** For a sheet without print or numbers. */
  questionOnPage(page: number): string | null {
    const named = this.#pointers.findLast((one) => one.page === page && one.from !== page)
    const anywhere = this.#pointers.filter((one) => one.page === null && one.from < page)
    return (named ?? (anywhere.length === 1 ? anywhere[0] : undefined))?.question ?? null
  }

  /** For “continued” on a line of its own. */
  questionGoneOnWith(text: string): string | null {
    return GOES_ON.test(text) ? (this.#pointers.at(-1)?.question ?? null) : null
  }
}
