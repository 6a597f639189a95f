import { isNegated } from './negation.ts'
import { isStopWord, stemOf, wordsOf } from './terms.ts'

const CLAUSES = /[.;!?\n]|,|\b(?:but|while|whereas|unlike|though|although|and)\b/i

/** A longer key says several things, and an answer may be about another of them. */
const MOST_TERMS = 14
/** What a denial is made of names nothing. */
const OF_DENIALS = new Set(
  'not no none never nothing cannot without do does did have has had can could will would'.split(' '),
)

/** “Plant cells have a wall, animal cells do not”: what is said of one thing, and of what it is denied. */
interface NegatedContrast {
  affirmed: Set<string>
  /** What the denial names and the affirmation does not. */
  denied: Set<string>
}

const stemsOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => !isStopWord(word) && !OF_DENIALS.has(word))
      .map(stemOf),
  )

/** Of neighbouring clauses of which just one is negated. */
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

/** Affirms of the one thing what the key denies it, and denies it of the other: “animal cells have a wall but plant cells do not”. */
export function isReversedContrast(key: string, answer: string): boolean {
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
