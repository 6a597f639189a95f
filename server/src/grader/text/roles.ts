import { isReversedComparison } from './comparisons.ts'
import { contentStems, directionOf, normalizeDirections } from './directions.ts'
import { isNegated } from './negation.ts'
import { isReversedPair } from './paired-statements.ts'
import { isReversedRelation } from './relations.ts'
import { isStopWord, stemOf, wordsOf } from './terms.ts'

const PASSIVE_BY =
  /\b(?:is|are|was|were|be|been|being|get|gets|got)\s+(?:\p{L}+ly\s+)?\p{L}+\s+(?:(?:up|down|out|off|in|on|over|away)\s+)?by\b/iu
const FROM_TO =
  /\bfrom\s+(?:(?:the|an?|its|their)\s+)?(\p{L}+)\b.{0,40}?\b(?:to|into|towards?)\s+(?:(?:the|an?|its|their)\s+)?(\p{L}+)/iu

/** The word order of longer statements tells nothing. */
const SEVERAL_STATEMENTS = /\b(?:and|or|but|while|whereas|than|not|no|if|when|because|so|as|before|after)\b|[,;=+]/i

/**
 * The same words with roles exchanged: “The rabbit eats the fox” for “The fox eats the rabbit”, “from B to A” for “from
 * A to B”. A passive on one side exchanges them once more.
 */
export function hasReversedRoles(accepted: readonly string[], answer: string): boolean {
  return accepted.length > 0 && accepted.every((key) => reverses(key, answer))
}

function reverses(key: string, answer: string): boolean {
  const compared = isReversedComparison(key, answer)
  if (compared !== null) return compared
  if (isReversedContrast(key, answer) || isReversedPair(key, answer)) return true
  if (isReversedRelation(key, answer) || isReversedCovariation(key, answer)) return true
  const [, from = '', to = ''] = FROM_TO.exec(key) ?? []
  const [, givenFrom = '', givenTo = ''] = FROM_TO.exec(answer) ?? []
  if (from !== '' && givenFrom !== '') {
    const same = (a: string, b: string) => stemOf(a.toLowerCase()) === stemOf(b.toLowerCase())
    if (same(from, givenTo) && same(to, givenFrom) && !same(from, to)) return true
  }
  const wanted = contentStems(key)
  const given = contentStems(answer)
  // Only a short statement in the key's own words: elsewhere the order of words says little about who does what.
  if (wanted.length < 3 || wanted.length > 6 || new Set(wanted).size !== wanted.length) return false
  const [first = '', ...rest] = wanted
  const last = rest.at(-1) ?? ''
  const middle = rest.slice(0, -1)
  if (SEVERAL_STATEMENTS.test(key)) return false
  const at = (term: string) => given.indexOf(term)
  if (!wanted.every((term) => at(term) >= 0)) return false
  const ordered = (...groups: string[][]) =>
    groups.slice(1).every((group, i) => group.every((term) => (groups[i] ?? []).every((one) => at(one) < at(term))))
  // Any of the words between may be the verb.
  const verbs = middle.map((verb, i) => ({ subject: wanted.slice(0, i + 1), verb, object: wanted.slice(i + 2) }))
  const exchanged =
    ordered([last], middle, [first]) || verbs.some(({ subject, verb, object }) => ordered(object, [verb], subject))
  const kept = ordered([first], middle, [last])
  return PASSIVE_BY.test(key) === PASSIVE_BY.test(answer) ? exchanged : kept
}

/** “as”, “when”, “the higher the …, the lower …”. */
const LINKED =
  /\b(?:as|when|whenever|if|so|then|because|causes?|makes?|leads?\s+to)\b|\bthe\s+\p{L}+er\b.*\bthe\s+\p{L}+er\b|ing\b/iu

/** “The shadow gets longer”: what moves is the shadow. */
const OF_CHANGE = new Set('get gets got getting become becomes became becoming go goes going'.split(' '))
const isThing = (word: string): boolean => !isStopWord(word) && !OF_CHANGE.has(word)

interface Covariation {
  things: [string, string]
  /** 1 in the same direction, −1 in opposite ones. */
  sign: number
}

/** “When the pressure rises, the volume falls”: two things that go up or down, and whether together. */
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

/** The key has one fall as the other rises, or the reverse. */
function isReversedCovariation(key: string, answer: string): boolean {
  const wanted = contentStems(key).length <= 12 ? covariationIn(key) : null
  const ours = wanted && covariationIn(answer)
  return (
    wanted !== null &&
    ours !== null &&
    wanted.sign !== ours.sign &&
    wanted.things.every((thing) => ours.things.includes(thing))
  )
}

const CLAUSES = /[.;!?\n]|,|\b(?:but|while|whereas|unlike|though|although|and)\b/i

/** A longer key says several things, and an answer may be about another of them. */
const MOST_TERMS = 14
const OF_DENIALS = new Set(
  'not no none never nothing cannot without do does did have has had can could will would'.split(' '),
)

/** “Plant cells have a wall, animal cells do not”. */
interface NegatedContrast {
  affirmed: Set<string>
  denied: Set<string>
}

const stemsOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => !isStopWord(word) && !OF_DENIALS.has(word))
      .map(stemOf),
  )

/** Neighbouring clauses of which one is negated. */
function contrastsIn(text: string): NegatedContrast[] {
  const clauses = text
    .slice(0, 2000)
    .split(CLAUSES)
    .filter((clause) => clause.trim() !== '')
    .map((clause) => ({ stems: stemsOf(clause), negated: isNegated(clause) }))
  return clauses.slice(1).flatMap((clause, i) => {
    const before = clauses[i]
    if (!before || before.negated === clause.negated) return []
    const [affirmed, negated] = clause.negated ? [before.stems, clause.stems] : [clause.stems, before.stems]
    const denied = new Set([...negated].filter((stem) => !affirmed.has(stem)))
    return denied.size > 0 ? [{ affirmed, denied }] : []
  })
}

/** “animal cells have a wall but plant cells do not”. */
function isReversedContrast(key: string, answer: string): boolean {
  const [keys, ...more] = stemsOf(key).size <= MOST_TERMS ? contrastsIn(key) : []
  if (!keys || more.length > 0) return false
  return contrastsIn(answer).some(({ affirmed, denied }) => {
    if (shares(denied, keys.denied) || !shares(denied, keys.affirmed) || !shares(keys.denied, affirmed)) return false
    // What they say of the things is the same.
    const said = [...keys.affirmed].filter((stem) => !denied.has(stem))
    return said.filter((stem) => affirmed.has(stem)).length * 2 >= said.length
  })
}

const shares = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].some((stem) => b.has(stem))
