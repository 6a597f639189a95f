import type { PlacedLine } from '../layout/paper-lines.ts'

const NAME = /^\W*(?:(?:student|full|candidate|your)(?:'s)?\s+)?name\b\s*(?:\([^)]*\))?\s*[:.\-–]?\s*(.*)$/i
const NEXT_LABEL =
  /\s*(?:_{2,}|\b(?:date|class|course|id|student\s*(?:id|no|number)|matr|roll|period|section|group|score|grade|teacher|number|no\.|marks?)\b\s*[:#.]?).*$/i

/** The name a student wrote on the first pages (“Name: Ada Diaz”), or null. `lines` are visible and in reading order. */
export function findNameOnPaper(lines: PlacedLine[]): string | null {
  for (const line of lines) {
    if (line.page > 2) break
    const match = NAME.exec(line.text)
    if (!match) continue
    const written = clean((match[1] ?? '').replace(NEXT_LABEL, ''))
    if (written) return written
    const beside = lines.filter((other) => other !== line && isBeside(line, other)).sort((a, b) => a.box.x - b.box.x)
    const filled = beside.map((other) => clean(other.text.replace(NEXT_LABEL, ''))).find((text) => text !== null)
    if (filled) return filled
  }
  return null
}

/** In the same row and to the right, or a form field extracted over the label's rule. */
function isBeside(label: PlacedLine, other: PlacedLine): boolean {
  if (other.page !== label.page || (other.source === 'text' && other.box.x <= label.box.x)) return false
  const middle = other.box.y + other.box.height / 2
  return middle > label.box.y - 4 && middle < label.box.y + label.box.height + 4 && other.box.x > label.box.x
}

function clean(text: string): string | null {
  const name = text
    .replace(/[_.…]{2,}/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\W_]+|[^\p{L}.]+$/gu, '')
    .trim()
  return /\p{L}{2}/u.test(name) && name.length <= 80 && name.split(' ').length <= 6 ? name : null
}
