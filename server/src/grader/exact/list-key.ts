import { membersOf } from './list-members.ts'
import { readQuantity } from './quantity.ts'

export const ORDERED =
  /\b(?:principal\s+parts|in\s+(?:the\s+)?(?:correct\s+|right\s+|chronological\s+|ascending\s+|descending\s+|increasing\s+|decreasing\s+|alphabetical\s+)?(?:order|sequence)|arrange|rank|from\s+(?:the\s+)?(?:smallest|largest|lowest|highest|least|most|first|oldest|newest|nearest|shortest|longest|lightest|heaviest|slowest|fastest|weakest|strongest))\b/i
const SEQUENCE = /\b(?:traversal|(?:in|pre|post)-?order|terms|sequence|next\s+\w+\s+numbers?)\b/i
/** “The three states of matter” are all of them; “three gases” may be any. */
const ASKS_FOR_ALL =
  /\bin\s+any\s+order\b|\(any\s+order\)|\bwhich\s+(?:two|three|four|five|six)\b|\bwhich\s+of\s+(?:these|the\s+following)\b[^.?!]*\bare\b|\b(?:name|list|give|state|identify|write\s+down|what\s+are|which\s+are)\b[^.?!]{0,40}\b(?:the\s+(?:two|three|four|five|six|seven|eight|nine|ten|[2-9]|10)|all(?:\s+of)?(?:\s+the)?)\b/i
const ROOTS =
  /\b(?:eigenvalues?|solve|roots?|solutions?|zeros|zeroes|values\s+of|factors\s+of|prime\s+numbers|numbers)\b/i
const ROOT = /^\s*([a-z])\s*(?:_?\d|[₀-₉])?\s*=\s*[-+−±]?\s*[\d.]/i
const LONG_MEMBER = 4

/** “x = 2 or x = −3”, “x = ±2” */
export function isRootList(text: string): boolean {
  const parts = text.split(/\s*(?:,|;|\bor\b|\band\b)\s*/i).filter((part) => part !== '')
  const names = parts.map((part) => ROOT.exec(part)?.[1])
  const [first] = names
  if (first === undefined) return false
  if (/=\s*±/.test(text)) return true
  return (
    parts.length > 1 && parts.every((part, i) => names[i] === first || (names[i] === undefined && readQuantity(part)))
  )
}

/** Null where members cannot be compared one by one, or it is unclear whether order counts. */
export function listKeyKind(prompt: string, key: string): 'set' | 'ordered_list' | null {
  if (key.length > 200) return null
  if (isRootList(key)) return 'set'
  if (/^\s*\{[^{}]+,[^{}]+\}\s*$/.test(key)) return 'set'
  const members = membersOf(key)
  const short = members.every((member) => member.split(/\s+/).length <= LONG_MEMBER)
  if (members.length < 2 || members.length > 12 || !short || /[.?!]\s+\S/.test(key)) return null
  if (
    (members.length > 2 && ORDERED.test(prompt)) ||
    (/\bin\s+th(?:is|at)\s+order\b/i.test(prompt) && !/[[({]/.test(key))
  )
    return 'ordered_list'
  if (members.length > 2 && SEQUENCE.test(prompt) && members.every((member) => readQuantity(member) !== null))
    return 'ordered_list'
  if (members.length > 2 && members.every((member) => /^(?:T|F|0|1|true|false)$/i.test(member))) return 'ordered_list'
  if (!/[,;\n&]|\band\b/i.test(key)) return null
  if (ASKS_FOR_ALL.test(prompt)) return 'set'
  return ROOTS.test(prompt) && members.every((member) => readQuantity(member) !== null) ? 'set' : null
}
