import type { PrintedLine, PrintMatch } from '../../layout/match-printed-lines.ts'
import { normalizeText } from '../../layout/paper-lines.ts'
import { spellingSimilarity } from '../../text/fuzzy-match.ts'

const MIN_MATCHING_SHARE = 0.8

/** After a recognised beginning, lines are print as long as they continue its words, however a copy breaks them. */
export class PrintedTextTracker {
  readonly #prints: PrintedLine[]
  readonly #words: string[][]
  #question: string | null = null
  /** Words not seen yet. */
  #ahead: string[] = []

  constructor(prints: PrintedLine[]) {
    this.#prints = prints
    this.#words = prints.map((print) => wordsOf(print.text))
  }

  startAt({ printedIndex, kind }: PrintMatch, text: string): void {
    this.#question = this.#prints[printedIndex]?.question ?? null
    const rest = this.#words
      .slice(printedIndex)
      .filter((_, i) => this.#prints[printedIndex + i]?.question === this.#question)
    const said = kind === 'begins' ? wordsOf(text).length : (this.#words[printedIndex]?.length ?? 0)
    this.#ahead = rest.flat().slice(said)
  }

  /** Null when the line does not continue the print, but is the student's. */
  remainderAfterPrint(text: string): string | null {
    const words = wordsOf(text)
    const length = Math.min(words.length, this.#ahead.length)
    const alike = words.slice(0, length).filter((word, i) => isAlike(word, this.#ahead[i] ?? '')).length
    // A single short word (“the”) proves nothing.
    const telling = length >= 2 || (words[0]?.length ?? 0) >= 4 || words.length === 1
    if (length === 0 || !telling || alike < length * MIN_MATCHING_SHARE) {
      // The student's answer has begun: chance matches with later print must not swallow it.
      this.#ahead = []
      return null
    }
    this.#ahead = this.#ahead.slice(length)
    return text.split(/\s+/).slice(length).join(' ')
  }
}

const isAlike = (a: string, b: string) => a === b || (a.length > 3 && spellingSimilarity(a, b) >= 0.6)

const wordsOf = (text: string) =>
  normalizeText(text)
    .split(' ')
    .filter((word) => word !== '')
