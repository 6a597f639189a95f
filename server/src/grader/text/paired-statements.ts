import { isNegated } from './negation.ts'
import { isStopWord, stemOf, wordsOf } from './terms.ts'

const CLAUSES = /[.;:!?\n,]|\b(?:but|while|whilst|whereas|unlike|though|although|and|however|or)\b/i

const MOST_TERMS = 10
/** Of no use to tell two things apart, though they are what the sentences say. */
const VERBS = new Set(
  'have has had make makes made give gives means mean called do does did can will get gets go goes use uses carry carries one ones'
    .split(' ')
    .map(stemOf),
)
/** These are stop words elsewhere; here they may be all that is said: “before”, “out”. */
const TELLING = new Set('before after more most above below in into out over under from to off on up down'.split(' '))

/** “When …”, “the more …, the less …”: each says one thing in two parts. */
const NO_PAIR = /^\s*(?:when|if|as|because|the\s+(?:more|less|\p{L}+er))\b/iu
/** So much of what a key says of either is in an answer that mixes it. */
const MOSTLY = 0.75

interface Clause {
  stems: string[]
  negated: boolean
}

const clausesOf = (text: string): Clause[] =>
  text
    .slice(0, 2000)
    .replace(/\bnon[-\s](?=\p{L})/giu, 'non')
    .split(CLAUSES)
    .map((clause) => ({
      stems: wordsOf(clause)
        .filter((word) => !isStopWord(word) || TELLING.has(word))
        .map(stemOf),
      negated: isNegated(clause),
    }))
    .filter(({ stems }) => stems.length > 0)

/** Two things, and what is said of only one: “Mitosis makes two identical cells, meiosis four different ones”. */
interface Pair {
  subjects: [string, string]
  said: [Set<string>, Set<string>]
}

/** For a key of two parallel statements. */
function pairIn(text: string): Pair | null {
  const [one, other, ...more] = joinShort(clausesOf(text))
  if (!one || !other || more.length > 0 || one.negated || other.negated) return null
  // “The switch and the bulb are …” is one statement.
  if (one.stems.length < 2 || NO_PAIR.test(text)) return null
  if (Math.max(one.stems.length, other.stems.length) > MOST_TERMS) return null
  const own = (a: Clause, b: Clause) => a.stems.filter((stem) => !b.stems.includes(stem) && !VERBS.has(stem))
  const [first, ...saidOfFirst] = own(one, other)
  const [second, ...saidOfSecond] = own(other, one)
  if (first === undefined || second === undefined) return null
  // They begin with what they speak of, alike: else they are not two of a kind.
  if (!isAtStart(one, first) || !isAtStart(other, second)) return null
  if (saidOfFirst.length + saidOfSecond.length === 0) return null
  return { subjects: [first, second], said: [new Set(saidOfFirst), new Set(saidOfSecond)] }
}

const isAtStart = ({ stems }: Clause, stem: string) => stems.indexOf(stem) < 3

/** “identical” after “two and”: a word alone is no statement of its own. */
function joinShort(clauses: readonly Clause[]): Clause[] {
  const joined: Clause[] = []
  for (const clause of clauses) {
    const before = joined.at(-1)
    if (before && clause.stems.length < 2)
      joined[joined.length - 1] = {
        stems: [...before.stems, ...clause.stems],
        negated: before.negated !== clause.negated,
      }
    else joined.push(clause)
  }
  return joined
}

/** Clauses that name only one, and those after them that name neither. */
function saidIn(answer: string, [first, second]: [string, string]): [Clause, Clause] | null {
  const parts: [Clause, Clause] = [
    { stems: [], negated: false },
    { stems: [], negated: false },
  ]
  let about: 0 | 1 | null = null
  for (const clause of clausesOf(answer)) {
    const [one, other] = [clause.stems.includes(first), clause.stems.includes(second)]
    if (one && other) return null
    if (one) about = 0
    else if (other) about = 1
    if (about === null) continue
    parts[about].stems.push(...clause.stems)
    parts[about].negated = parts[about].negated !== clause.negated
  }
  return parts
}

/** “meiosis makes two identical cells, mitosis four different ones”. */
export function isReversedPair(key: string, answer: string): boolean {
  const pair = pairIn(key)
  if (!pair) return false
  const said = saidIn(answer, pair.subjects)
  if (!said || said[0].stems.length === 0 || said[1].stems.length === 0) return isMixed(pair, answer)
  if (said[0].negated || said[1].negated) return false
  const has = ({ stems }: Clause, words: ReadonlySet<string>) => stems.filter((stem) => words.has(stem)).length
  const straight = has(said[0], pair.said[0]) + has(said[1], pair.said[1])
  const crossed = [has(said[0], pair.said[1]), has(said[1], pair.said[0])] as const
  const possible = pair.said.map(({ size }) => (size > 0 ? 1 : 0))
  return straight === 0 && crossed[0] >= (possible[1] ?? 0) && crossed[1] >= (possible[0] ?? 0)
}

/** “The lungs release oxygen and take in carbon dioxide”: each statement mixes both of the key's. */
function isMixed({ subjects, said }: Pair, answer: string): boolean {
  const own = subjects.map((subject, i) => new Set([subject, ...(said[i] ?? [])]))
  const clauses = clausesOf(answer)
  const [first, second] = clauses.map(({ stems }) => own.map((words) => stems.filter((stem) => words.has(stem)).length))
  if (!first || !second || clauses.length > 2 || clauses.some(({ negated }) => negated)) return false
  const all = [...first, ...second]
  const known = own.reduce((sum, words) => sum + words.size, 0)
  return all.every((count) => count > 0) && all.reduce((sum, count) => sum + count, 0) >= MOSTLY * known
}
