import { contentStems, directionOf, normalizeDirections } from './directions.ts'
import { isNegated } from './negation.ts'
import { isStopWord, stemOf, wordsOf } from './terms.ts'

/** Says that one goes with the other: “as”, “when”, “the higher the …, the lower …”. */
const LINKED =
  /\b(?:as|when|whenever|if|so|then|because|causes?|makes?|leads?\s+to)\b|\bthe\s+\p{L}+er\b.*\bthe\s+\p{L}+er\b|ing\b/iu

/** “The shadow gets longer”: what moves is the shadow. */
const OF_CHANGE = new Set('get gets got getting become becomes became becoming go goes going'.split(' '))
const isThing = (word: string): boolean => !isStopWord(word) && !OF_CHANGE.has(word)

interface Covariation {
  things: [string, string]
  /** 1 where they go the same way, −1 where one rises as the other falls. */
  sign: number
}

/** “When the pressure rises, the volume falls”: of which two things the text says that they go up or down, and whether together. */
function covariationIn(text: string): Covariation | null {
  if (!LINKED.test(text) || isNegated(text)) return null
  const words = wordsOf(normalizeDirections(text))
  const moves: { thing: string; way: number }[] = []
  let from = 0
  for (const [at, word] of words.entries()) {
    const way = directionOf(word)
    if (way === 0) continue
    const next = words.findIndex((one, i) => i > at && directionOf(one) !== 0)
    const before = words.slice(from, at).findLast(isThing)
    const after = words.slice(at + 1, next < 0 ? words.length : next).find(isThing)
    const thing = before ?? after
    if (thing === undefined) return null
    // “Increasing the pressure”: what follows is taken.
    from = before === undefined ? words.indexOf(thing, at) + 1 : at + 1
    moves.push({ thing: stemOf(thing), way })
  }
  const [one, other, ...more] = moves
  if (!one || !other || more.length > 0 || one.thing === other.thing) return null
  return { things: [one.thing, other.thing], sign: one.way * other.way }
}

/** Both rise where the key says that one falls as the other rises, or the reverse. */
export function isReversedCovariation(key: string, answer: string): boolean {
  const wanted = contentStems(key).length <= 12 ? covariationIn(key) : null
  const ours = wanted && covariationIn(answer)
  return (
    wanted !== null &&
    ours !== null &&
    wanted.sign !== ours.sign &&
    wanted.things.every((thing) => ours.things.includes(thing))
  )
}
