import type { Level } from '@assay/shared/rubrics.ts'
import type { KeyLine } from './key-lines.ts'

const LEVEL = /^\W*(?:level|band|grade)\s+(\d|[ivx]+)\b\s*[:–—-]?\s*/i
const RANGE = /(?:^|[\s(])(\d{1,2})(?:\s*(?:[–—-]|to)\s*(\d{1,2}))?\s*marks?\b\)?\s*[:–—-]?/i

/** Levels of response: “Level 2, 3–4 marks: one reason explained …”. Null where the key has none. */
export function readLevels(lines: readonly KeyLine[]): { levels: Level[]; expected: string; notes: string[] } | null {
  const levels: { points: number; text: string }[] = []
  const notes: string[] = []
  let indicative = false
  for (const line of lines) {
    let text = line.text.trim()
    if (/^level\s+descriptor/i.test(text)) continue
    const start = LEVEL.exec(text)
    if (start) {
      levels.push({ points: 0, text: '' })
      text = text.slice(start[0].length)
      indicative = false
    } else if (/^\W*indicative\s+content/i.test(text)) indicative = true
    const last = levels.at(-1)
    if (!last || indicative) {
      if (text !== '') notes.push(text)
      continue
    }
    const range = RANGE.exec(text)
    if (range && last.points === 0) {
      last.points = Number(range[2] ?? range[1])
      text = text.replace(RANGE, ' ')
    }
    last.text = `${last.text} ${text}`.replace(/\s+/g, ' ').trim()
  }
  if (levels.length < 2 || levels.some(({ points }) => points === 0)) return null
  const sorted = levels.toSorted((a, b) => b.points - a.points)
  return { levels: sorted, expected: sorted[0]?.text ?? '', notes: notes.length > 0 ? [notes.join(' ')] : [] }
}
