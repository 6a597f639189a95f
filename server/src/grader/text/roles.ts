import { isReversedComparison } from './comparisons.ts'
import { isReversedCovariation } from './covariation.ts'
import { contentStems } from './directions.ts'
import { isReversedContrast } from './negated-contrasts.ts'
import { isReversedPair } from './paired-statements.ts'
import { isReversedRelation } from './relations.ts'
import { stemOf } from './terms.ts'

const PASSIVE_BY =
  /\b(?:is|are|was|were|be|been|being|get|gets|got)\s+(?:\p{L}+ly\s+)?\p{L}+\s+(?:(?:up|down|out|off|in|on|over|away)\s+)?by\b/iu
const FROM_TO =
  /\bfrom\s+(?:(?:the|an?|its|their)\s+)?(\p{L}+)\b.{0,40}?\b(?:to|into|towards?)\s+(?:(?:the|an?|its|their)\s+)?(\p{L}+)/iu

/** What has more than one part, or is more than a plain statement: the order of its words tells nothing. */
const SEVERAL_STATEMENTS = /\b(?:and|or|but|while|whereas|than|not|no|if|when|because|so|as|before|after)\b|[,;=+]/i

/**
 * Says the same words with the parts exchanged: “The rabbit eats the fox” for “The fox eats the rabbit”, “from B to A” for “from A to B”,
 * “B has it but A has not” for “A has it but B has not”.
 * A passive on one side exchanges them once more.
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
