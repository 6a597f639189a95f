/** How a line starts a question: `3.`, `Q3:`, `Question 3 (b)`. */
export interface QuestionLabel {
  number: number
  /** Lower case, when the label names a part: `3b`, `3 (b)`. */
  part: string | null
  /** True when a word says so (“Question 3”, “Q3”), which a numbered list never does. */
  explicit: boolean
  rest: string
}

const EXPLICIT =
  /^\W{0,3}(?:(?:question|problem|exercise|task|item|ques|prob)\b\.?|q(?=\s?[.#]?\s?\d))\s*(?:no\.?|number|#)?\s*[.#]?\s*(\d{1,3})\s*(?:\(?([a-h])\)|([a-h])(?=[\s.:)]|$))?\s*(?:\((?:continued|cont\.?|cont'd)\)|continued|cont\.|cont'd)?\s*[.:)\]–—-]*\s*(.*)$/i
const PLAIN = /^[([]?(\d{1,3})\s*(?:\(([a-h])\)|\.?([a-h])(?=[.:)\s]))?\s*[.)\]:](?!\d)\s*(.*)$/i
const PLAIN_PART = /^(\d{1,3})\s*(?:\(([a-h])\)|([a-h])\))\s*(.*)$/i

export function readQuestionLabel(text: string): QuestionLabel | null {
  const line = text.trim()
  const explicit = EXPLICIT.exec(line)
  const match = explicit ?? PLAIN.exec(line) ?? PLAIN_PART.exec(line)
  if (!match) return null
  return {
    number: Number(match[1]),
    part: (match[2] ?? match[3] ?? null)?.toLowerCase() ?? null,
    explicit: explicit !== null,
    rest: match[4] ?? '',
  }
}

/** `a)`, `(b)`, `c.` at the start of a line. */
export function readPartLabel(text: string): { part: string; upper: boolean; rest: string } | null {
  const match = /^\W?\(?([a-hA-H])\s?[.)]\s*(.*)$/.exec(text.trim())
  if (!match?.[1]) return null
  return { part: match[1].toLowerCase(), upper: match[1] !== match[1].toLowerCase(), rest: match[2] ?? '' }
}
