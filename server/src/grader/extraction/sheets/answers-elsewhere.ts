import type { PlacedLine } from '../../layout/paper-lines.ts'
import { readPointer } from './answer-pointers.ts'

/** “continued”, “(cont. from p. 2)” without the number of a question. */
const GOES_ON = /^\W*(?:answer\s+)?(?:continued|continuation|cont\.?|cont['’]d)(?:\s+from\b.{0,20})?\W*$/i

/** Answers that students said go on elsewhere. */
export class AnswersElsewhere {
  readonly #pointers: { question: string; from: number; page: number | null }[] = []

  /** The questions whose answers are said to be, or to go on, elsewhere. */
  get questions(): string[] {
    return this.#pointers.map(({ question }) => question)
  }

  /** What is written without “(see p. 4)”, which is remembered. */
  withoutPointer(question: string, { page }: PlacedLine, text: string): string {
    const pointer = readPointer(text)
    if (!pointer) return text
    this.#pointers.push({ question, from: page, page: pointer.page })
    return pointer.before
  }

  /** The question that a sheet without print or numbers goes on with. */
  questionOnPage(page: number): string | null {
    const named = this.#pointers.findLast((one) => one.page === page && one.from !== page)
    const anywhere = this.#pointers.filter((one) => one.page === null && one.from < page)
    return (named ?? (anywhere.length === 1 ? anywhere[0] : undefined))?.question ?? null
  }

  /** The question that “continued”, on a line of its own, goes on with. */
  questionGoneOnWith(text: string): string | null {
    return GOES_ON.test(text) ? (this.#pointers.at(-1)?.question ?? null) : null
  }
}
