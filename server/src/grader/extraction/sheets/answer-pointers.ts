const ARROW = '(?:→|⇒|➔|➜|↪|->|=>|-->|>>)'
const WHERE = [
  '(?:(?:the|an?|my)\\s+)?(?:(?:next|last|back|other|extra|reverse|separate|attached|additional|following|opposite)\\s+)+(?:page|sheet|side|paper|one)s?',
  '(?:the\\s+)?back(?:\\s+(?:of|page|side)(?:\\s+(?:of\\s+)?(?:the\\s+|this\\s+)?(?:page|sheet|paper))?)?',
  'overleaf|over\\s*leaf|over|behind',
  '(?:at\\s+)?(?:the\\s+)?end(?:\\s+of\\s+(?:the\\s+|this\\s+)?(?:paper|booklet|test|exam|document))?',
  '(?:page|pg|p)\\.?\\s*\\d{1,2}',
].join('|')
/** These alone stand in the middle of a line; the others are words of any sentence. */
const SURE_VERB = "(?:please\\s+)?(?:see|continued|cont(?:'?d|inuation)?\\.?)"
const VERB =
  "(?:please\\s+)?(?:see|continue[sd]?|cont(?:'?d|inuation)?\\.?|turn|goes?\\s+on|carr(?:y|ies|ied)\\s+on|(?:the\\s+)?rest(?:\\s+is)?|more|answer(?:ed)?(?:\\s+is)?|look)"
const AFTER_STOP = '(?:^|(?<=[.,;:!?)\\]…(\\[]\\s*))'
const PLACE = `(?:(?:on|to|at|in)\\s+)?(?:${WHERE})`
/** At the end of a text: the answer is, or continues, elsewhere. */
const POINTER = new RegExp(
  `(?:${AFTER_STOP}[([*–—-]*\\s*(?:${VERB}\\s+${PLACE}|p\\.?\\s?t\\.?\\s?o\\.?)|(?<![\\p{L}\\p{N}])(?:${ARROW}\\s*(?:${VERB}\\s+)?|[([]?${SURE_VERB}\\s+)${PLACE})\\s*${ARROW}?[)\\].!*\\s]*$`,
  'iu',
)
const PAGE = /(?:page|pg|p)\.?\s*(\d{1,2})\W*$/i

export interface AnswerPointer {
  before: string
  /** Null where it is not said. */
  page: number | null
}

/** “(continued overleaf)”, “→ p. 4”, “see back of page”; null where the text does not end so. */
export function readPointer(text: string): AnswerPointer | null {
  const match = POINTER.exec(text)
  if (!match) return null
  const page = PAGE.exec(match[0])?.[1]
  return { before: text.slice(0, match.index).trim(), page: page ? Number(page) : null }
}
