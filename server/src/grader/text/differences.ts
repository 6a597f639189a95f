import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import wordListPath from 'word-list'
import { compareContrast, exchangeBetween } from './exchanges.ts'
import { spellingSimilarity } from './fuzzy-match.ts'
import { isSided, oppositeOf, type Statement, statementOf, wordsIn } from './statements.ts'
import { differInPrefix, directionOf, synonymsOf } from './terms.ts'

/** `unclear`: what differs may say the same together. */
export type Difference = 'stance' | 'negation' | 'opposite' | 'order' | 'contrast' | 'number' | 'name' | 'unclear'

const LONGEST_KEY = 14
const OF_LONG_KEYS = new Set<Difference>(['stance', 'contrast'])
const SAME_SPELLING = 0.8
/** Two texts of so few words are about the same. */
const FEW = 4
const LONGEST_NAME = 2
const NEAR = 2
/** So many of their words make two clauses of one thing. */
const MOSTLY = 0.5
/** A word that a prefix turns says more. */
const MOSTLY_TURNED = 0.3

export function differencesBetween(one: Statement, other: Statement): Set<Difference> {
  const found = new Set<Difference>()
  const { names, opposed } = sameTerms(one, other)
  if (one.stance !== null && other.stance !== null && one.stance !== other.stance) found.add('stance')
  const turned = countTurned(one, other, names)
  if (turned > 0) found.add(turned === 1 ? 'opposite' : 'unclear')
  if (isDenied(one, other, names, opposed)) found.add('negation')
  if (numbersDiffer(one, other)) found.add('number')
  const varied = varyOtherwise(one, other, names)
  const exchanged = varied === null ? exchangeBetween(one, other, names) : varied && 'order'
  if (exchanged) found.add(turned > 0 ? 'unclear' : exchanged)
  else if (varied === null && compareContrast(one, other, names) === 'reversed') found.add('contrast')
  return found
}

/** In what an answer contradicts every key; of a longer key it may mean another part. `labels`: see `labelsIn`. */
export function contradictionsOf(
  keys: readonly string[],
  answer: string,
  labels?: ReadonlySet<string>,
): Set<Difference> {
  const given = statementOf(answer, labels)
  const [first = new Set<Difference>(), ...others] = keys.map((text) => {
    const key = statementOf(text, labels)
    const found = differencesBetween(given, key)
    if (wordsIn(key).length > LONGEST_KEY) return new Set([...found].filter((one) => OF_LONG_KEYS.has(one)))
    // Where only a part is negated, either may leave out or add that part.
    if (!isUniform(key) || !isUniform(given)) found.delete('negation')
    if (isRenamed(key, given)) found.add('name')
    return found
  })
  return new Set([...first].filter((one) => others.every((found) => found.has(one))))
}

/** “Pulmonary vein” for “pulmonary artery”, “nucleolus” for “nucleus”. */
function isRenamed(key: Statement, answer: Statement): boolean {
  const [wanted, given] = [wordsIn(key), wordsIn(answer)]
  const isName = key.clauses.every(({ bare }) => bare) && !wanted.some(({ term }) => isSided(term))
  if (!isName || wanted.length > LONGEST_NAME || given.length > LONGEST_NAME + 1) return false
  const { names } = sameTerms(answer, key)
  const lacks = wanted.filter(({ term }) => !names.has(term))
  const others = given.filter(({ term }) => ![...names.values()].includes(term))
  return lacks.some(({ term, word }) =>
    others.some(
      (other) => areOtherWords(word, other.word) && (names.size > 0 || spellingSimilarity(term, other.term) > 0),
    ),
  )
}

/** Says of each of two things which of two opposites a key says. */
export const agreesInContrast = (keys: readonly string[], answer: string): boolean =>
  keys.some((key) => {
    const [given, wanted] = [statementOf(answer), statementOf(key)]
    return compareContrast(given, wanted, sameTerms(given, wanted).names) === 'same'
  })

const isUniform = ({ clauses }: Statement): boolean => new Set(clauses.map(({ negated }) => negated)).size === 1

/** What the first calls the other's terms, and which of them a prefix turns. */
function sameTerms(one: Statement, other: Statement): { names: Map<string, string>; opposed: Set<string> } {
  const [own, theirs] = [one, other].map(
    (statement) => new Map(wordsIn(statement).map(({ term, word }) => [term, word])),
  )
  const names = new Map<string, string>()
  const opposed = new Set<string>()
  const free = [...(own?.keys() ?? [])].filter((term) => !theirs?.has(term))
  for (const [term, word] of theirs ?? []) {
    if (own?.has(term)) {
      names.set(term, term)
      continue
    }
    const turned = free.find((mine) => differInPrefix(own?.get(mine) ?? '', word))
    const same = turned ?? free.find((mine) => isSameWord(mine, term, own?.get(mine) ?? '', word))
    if (turned !== undefined) opposed.add(turned)
    if (same !== undefined) names.set(term, free.splice(free.indexOf(same), 1)[0] ?? same)
  }
  return { names, opposed }
}

const isSameWord = (one: string, other: string, oneWord: string, otherWord: string): boolean =>
  synonymsOf(one).has(other) || (spellingSimilarity(one, other) >= SAME_SPELLING && !areOtherWords(oneWord, otherWord))

const [UNCHANGED = ''] = wordsIn(statementOf('unchanged')).map(({ term }) => term)

function isDenied(
  one: Statement,
  other: Statement,
  names: ReadonlyMap<string, string>,
  opposed: ReadonlySet<string>,
): boolean {
  return one.clauses.some(({ tokens, negated }) => {
    const terms = new Set(tokens.map(({ term }) => term))
    const compared = other.clauses.map((clause) => {
      const theirs = new Set(clause.tokens.map(({ term }) => term))
      const common = new Set([...theirs].flatMap((term) => names.get(term) ?? []).filter((term) => terms.has(term)))
      const isTurned = [...common].filter((term) => opposed.has(term)).length % 2 === 1
      const share = common.size / Math.max(terms.size, theirs.size)
      const least = Math.min(terms.size, theirs.size)
      const isAlike = share >= MOSTLY || common.size === least || common.size >= Math.max(2, MOSTLY * least)
      // “Does not fall” for “rises”, “does not change” for “stays the same”.
      const isOpposite = [...terms].some((term) => term === UNCHANGED || theirs.has(oppositeOf(term)))
      const agrees = isOpposite || theirs.has(UNCHANGED) || (clause.negated === negated) !== isTurned
      return { share, isTurned, isAlike, agrees }
    })
    if (compared.some(({ isTurned, agrees, share }) => isTurned && !agrees && share >= MOSTLY_TURNED)) return true
    const [best] = compared.toSorted((a, b) => b.share - a.share || Number(b.agrees) - Number(a.agrees))
    return best?.isAlike && !best.agrees
  })
}

/** Not of negated clauses: what is not the highest may not be the lowest. */
const sidesIn = ({ clauses }: Statement): { pair: string; term: string; near: string[] }[] =>
  clauses.flatMap(({ tokens, negated }) =>
    tokens.flatMap(({ term }, at) => {
      const near = tokens.slice(Math.max(0, at - NEAR), at + NEAR + 1)
      return negated || !isSided(term) ? [] : [{ pair: term.slice(1), term, near: near.map((token) => token.term) }]
    }),
  )

/** Counts pairs of which each has only one opposite, said of the same thing. */
function countTurned(one: Statement, other: Statement, names: ReadonlyMap<string, string>): number {
  const lengths = [one, other].map((statement) => wordsIn(statement).length)
  if (names.size === 0 && Math.max(...lengths) > FEW) return 0
  const [ours, theirs] = [sidesIn(one), sidesIn(other)]
  const pairs = new Set(ours.map(({ pair }) => pair).filter((pair) => theirs.some((side) => side.pair === pair)))
  if (pairs.size === 0) {
    const [own, their] = [waysIn(one), waysIn(other)]
    return own.size === 1 && their.size === 1 && [...own][0] !== [...their][0] ? 1 : 0
  }
  return [...pairs].filter((pair) => {
    const own = ours.filter((side) => side.pair === pair)
    const their = theirs.filter((side) => side.pair === pair)
    const said = own[0]?.term
    if (own.some(({ term }) => term !== said) || their.some(({ term }) => term === said)) return false
    const known = new Set(their.flatMap(({ near }) => near.flatMap((term) => names.get(term) ?? [])))
    return Math.min(...lengths) <= FEW || own.some(({ near }) => near.some((term) => known.has(term)))
  }).length
}

const waysIn = ({ clauses }: Statement): Set<number> =>
  new Set(clauses.flatMap((clause) => (clause.negated ? [] : directionsOf(clause))))

const directionsOf = ({ tokens }: Statement['clauses'][number]): number[] =>
  tokens.map(({ word }) => directionOf(word)).filter((way) => way !== 0)

/** “When the one rises, the other falls” for “rises”, or the reverse; null where they are not both of this form. */
function varyOtherwise(one: Statement, other: Statement, names: ReadonlyMap<string, string>): boolean | null {
  const isPlain = ({ clauses, linked }: Statement) =>
    linked && clauses.length === 2 && clauses.every((clause) => !clause.negated && directionsOf(clause).length === 1)
  const things = [...names.keys()].filter((term) => !isSided(term))
  return isPlain(one) && isPlain(other) && things.length > 1 ? waysIn(one).size !== waysIn(other).size : null
}

function numbersDiffer(one: Statement, other: Statement): boolean {
  const [own, theirs] = [one, other].map((statement) =>
    wordsIn(statement).flatMap(({ term }) => term.match(/^\d.*/) ?? []),
  )
  const lacks = (some: string[] = [], others: string[] = []) => others.some((number) => !some.includes(number))
  return lacks(own, theirs) && lacks(theirs, own)
}

/** Searched as text: a set would take twenty megabytes in each worker. */
let all: string | undefined
/** Bounded, as students write any number of words. */
const known = new LRUCache({
  max: 20_000,
  memoMethod(word: string): boolean {
    all ??= `\n${readFileSync(wordListPath, 'latin1')}\n`
    return all.includes(`\n${word}\n`)
  },
})

const ENDING =
  /^[bdpsv]?(?:s|al|ance|ar|ary|ate|e|ed|ee|en|ent|er|es|ful|i|ian|ic|in|ing|ion|ism|ist|ity|ive|ment|or|ous|t|us|ut|y)*$/

/** “Nucleolus” is neither a slip nor a form of “nucleus”, as “nuclius” and “nuclear” are. */
function areOtherWords(one: string, other: string): boolean {
  let shared = 0
  while (shared < one.length && one[shared] === other[shared]) shared += 1
  const isForm =
    one.startsWith(other) ||
    other.startsWith(one) ||
    (shared >= 4 && ENDING.test(one.slice(shared)) && ENDING.test(other.slice(shared)))
  return !isForm && known.memo(one) && known.memo(other)
}
