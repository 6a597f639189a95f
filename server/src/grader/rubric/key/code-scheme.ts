import { isCode } from '../../text/open-keys.ts'
import type { KeyAnswer, MarkingPoint } from './key-answer.ts'
import { GUIDANCE, tidy } from './key-wording.ts'

/** “n = 0   # 1 counter starts at 0”, “WHERE age > 18  -- 1”, “// (1 mark) loop”: a line of a program and what its mark is for. */
const MARKED_LINE =
  /^(.*?\S)\s*(?:#|\/\/|--|\/\*|%)\s*[([]?(\d(?:\.5)?)\s*(?:marks?|points?|pts?)?[)\]]?(?:\s*[:.–-]?\s+(.*?))?(?:\s*\*\/)?\s*$/i

/**
 * Reads a program or a query whose lines have marks in their comments. A line without a mark belongs to the one before it; what follows
 * the program is for the marker. Null for any other scheme.
 */
export function readCodeScheme(lines: readonly string[]): Pick<KeyAnswer, 'expected' | 'criteria' | 'notes'> | null {
  const criteria: MarkingPoint[] = []
  const notes: string[] = []
  let before = ''
  let over = false
  for (const line of lines) {
    const [, code = '', points = '', what = ''] = MARKED_LINE.exec(line) ?? []
    if (code !== '') {
      const expected = `${before} ${code}`.trim()
      criteria.push({ text: tidy(what) || expected, expected, alternatives: [], points: Number(points) })
      before = ''
    } else if (over || GUIDANCE.test(line) || /^\p{Lu}\p{Ll}+\s+\p{Ll}+\s.*[.:]?$/u.test(line)) {
      over = criteria.length > 0
      notes.push(line.trim())
    } else {
      const last = criteria.at(-1)
      if (last) last.expected = `${last.expected}\n${line.trim()}`
      else before = `${before} ${line.trim()}`
    }
  }
  if (criteria.length > 1 && isCode(criteria.map(({ expected }) => expected).join('\n')))
    return { expected: '', criteria, notes }
  return null
}
