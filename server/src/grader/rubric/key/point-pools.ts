import type { KeyAnswer } from './key-answer.ts'
import { tidy } from './key-wording.ts'

/** “any two from:”, “Any 3:”, “two of” */
export const POOL =
  /^\W*(?:any|either)\s+(one|two|three|four|five|six|\d)\b\s*(?:of|from)?(?:\s+(?:the\s+following|these))?\s*:?\s*/i
/** “…; … (any two)” */
const POOL_AFTER = /\s*[([]\s*any\s+(one|two|three|four|five|six|\d)(?:\s+of\s+(?:these|them))?\s*[)\]]\W*$/i
const EACH =
  /^\W*(?:award\s+)?(?:one|1)\s+(?:marks?|points?|pts?)\s+(?:for|per)\s+(?:(?:each|every|any)\s+)?[^:.;]{0,70}?(?::;?|,?\s+(?:e\.\s?g\.|such\s+as)[,:]?)\s+/i
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six']

/** “any two from: …; …”, “…; … (any two)” */
export function readPool(text: string, answer: KeyAnswer): boolean {
  const pool = POOL.exec(text) ?? POOL_AFTER.exec(text)
  if (!pool) return false
  const inner = text.replace(POOL, '').replace(POOL_AFTER, '')
  const bySemicolon = inner.split(/\s*;\s*/)
  const members =
    bySemicolon.length > 1 ? bySemicolon : inner.split(inner.includes(' / ') ? /\s+\/\s+/ : /\s*,\s*(?:or\s+)?/)
  takePool(pool[1] ?? '', members.map(tidy), answer)
  return true
}

/** “One mark for each …: …; …”: as many count as the question has points. */
export function readOnePerPoint(text: string, answer: KeyAnswer, worth: number | null): boolean {
  const head = EACH.exec(text)
  if (!head || worth === null) return false
  const inner = text.slice(head[0].length).replace(/[.\s]+$/, '')
  takePool(String(worth), inner.split(inner.includes(';') ? /\s*;\s+/ : /\s*,\s+/).map(tidy), answer)
  return true
}

/** In a pool a semicolon parts the members. */
export const memberOf = ({ text }: { text: string }) => text.replaceAll(';', ',')

/** Sets `count` of the members as what is expected. `count`: a number, as a word or in digits. */
export function takePool(count: string, members: string[], answer: KeyAnswer): void {
  const named = NUMBERS.indexOf(count.toLowerCase()) + 1
  const word = NUMBERS[(named || Number(count)) - 1] ?? count
  answer.expected = `any ${word} of: ${members.filter((member) => member !== '').join('; ')}`
}
