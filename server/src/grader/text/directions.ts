import { isNegated } from './negation.ts'
import { isStopWord, stemOf, wordsOf } from './terms.ts'

/** “Less resistance” and “no longer” show that one word alone is ambiguous. */
const UP = `rise rises rising rose risen increase increases increased increasing grow grows growing grew grown gain gains gained more higher
  greater larger bigger faster stronger longer heavier hotter warmer brighter thicker further expand expands expanded expanding double doubles
  doubled accelerate accelerates accelerated speeds`
const DOWN = `fall falls falling fell fallen decrease decreases decreased decreasing shrink shrinks shrinking shrank shrunk drop drops dropped
  dropping decline declines declined lose loses lost less fewer lower smaller slower weaker shorter lighter colder cooler dimmer thinner reduce
  reduces reduced reducing contract contracts contracted contracting halve halves halved decelerate decelerates decelerated slows`

const directions = new Map<string, 1 | -1>([
  ...UP.split(/\s+/).map((word): [string, 1] => [word, 1]),
  ...DOWN.split(/\s+/).map((word): [string, -1] => [word, -1]),
])

/** Up (1) or down (-1); 0 for a word that says neither. */
export const directionOf = (word: string): 1 | -1 | 0 => directions.get(word) ?? 0

const GOES = /\b(?:go|goes|going|went|gone)[\s.]+(up|down)\b/g
const STAYS =
  /\b(?:stay|stays|stayed|remain|remains|remained|keep|keeps|kept|be|is)\s+(?:the\s+same|unchanged|constant)\b|\b(?:does|do|did|will|would)(?:\s+not|n['’]?t)\s+change\b|\bno\s+change\b|\bunchanged\b/g
const UNCHANGED = 'unchanged'

/** “goes up”, “stays the same” in one word. */
export const normalizeDirections = (text: string): string =>
  text
    .toLowerCase()
    .replace(GOES, (_, way: string) => (way === 'up' ? 'rises' : 'falls'))
    .replace(STAYS, UNCHANGED)

/** Without repeats; 0 for what stays the same. */
function directionsIn(text: string): Set<number> {
  return new Set(
    wordsOf(normalizeDirections(text)).flatMap((word) => (word === UNCHANGED ? 0 : directionOf(word) || [])),
  )
}

/** A longer key says several things, and an answer may be about another of them. */
const MAX_TERMS = 12

/** Every key goes one way, and the answer, about the same thing, only the other. */
export function hasOppositeDirection(accepted: readonly string[], answer: string): boolean {
  const [way, ...more] = directionsIn(answer)
  if (way === undefined || more.length > 0 || (way !== 0 && isNegated(answer))) return false
  const given = contentStems(answer)
  return accepted.every((key) => {
    const [wanted, ...others] = directionsIn(key)
    const terms = contentStems(key)
    if (wanted === undefined || wanted === way || others.length > 0 || terms.length > MAX_TERMS || isNegated(key))
      return false
    return given.length <= 4 || terms.some((term) => given.includes(term) && directionOf(term) === 0)
  })
}

export const contentStems = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !isStopWord(word))
    .map(stemOf)
