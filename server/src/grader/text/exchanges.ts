import { isLabel, isSided, oppositeOf, type Statement, wordsIn } from './statements.ts'
import { stemOf } from './terms.ts'

/** The order of more words tells nothing. */
const MOST_WORDS = 18
const LEAST_SHARED = 0.5
/** How well the one fits the other once two things are exchanged. */
const FITS = 0.9
/** Of fewer facts all must be the same. */
const LEAST_FACTS = 4

/** Their two things may be named in any order. */
const SYMMETRIC = new Set(
  'connect join link attach touch equal same similar react mix meet differ'.split(' ').map(stemOf),
)

interface Place {
  term: string
  /** Among the words of its clause, and of the last of those it stands for. */
  at: number
  end: number
  marker: string
  listed: boolean
}

type Shape = { places: Place[]; negated: boolean }[]

/** “The rabbit eats the fox”; unclear where they share no verb. `names`: what the one calls the other's terms. */
export function exchangeBetween(
  one: Statement,
  other: Statement,
  names: ReadonlyMap<string, string>,
): 'order' | 'unclear' | null {
  const [ours, theirs] = [wordsIn(one), wordsIn(other)]
  const [own, others] = [ours, theirs].map((words) => new Set(words.map(({ term }) => term)))
  const opposites = [...(own ?? []), ...(others ?? [])].filter((term) => isSided(term) && names.has(oppositeOf(term)))
  const known = new Map([...names, ...opposites.map((term): [string, string] => [term, term])])
  const shared = new Set(known.values())
  const least = LEAST_SHARED * Math.min(own?.size ?? 0, others?.size ?? 0)
  if (Math.max(ours.length, theirs.length) > MOST_WORDS || shared.size < Math.max(2, least)) return null
  if (ours.some(({ word }) => SYMMETRIC.has(stemOf(word)))) return null
  const shapes = [
    shapeOf(one, (term) => (shared.has(term) ? term : undefined)),
    shapeOf(other, (term) => known.get(term)),
  ]
  joinCompounds(shapes.flat())
  const denials = shapes.every((shape) => new Set(shape.map(({ negated }) => negated)).size > 1)
  const [facts = [], wanted = []] = shapes.map((shape) => factsOf(shape, denials))
  const things = [...new Set(shapes.flat().flatMap(({ places }) => places.map(({ term }) => term)))].filter(
    (term) => !term.startsWith('('),
  )
  const linked = one.linked || other.linked
  const isExchanged = things.some((x, i) =>
    things.slice(i + 1).some((y) => {
      // “When the one rises, the other falls” says the same of both turned.
      if (linked && y === oppositeOf(x)) return false
      return mayExchange(shapes, x, y) && fitsExchanged(facts, wanted, x, y)
    }),
  )
  if (!isExchanged) return null
  return shared.size < 3 && facts.every(({ relation }) => relation === '~' || relation === '<') ? 'unclear' : 'order'
}

/** Which of two opposites comes first for each of two things: “retroactive: new before old”. Null where unclear. */
export function compareContrast(
  one: Statement,
  other: Statement,
  names: ReadonlyMap<string, string>,
): 'same' | 'reversed' | null {
  const [ours = [], theirs = []] = [one, other].map(({ clauses }) =>
    clauses.flatMap(({ tokens }) =>
      tokens.map(({ term }, at) => ({ term: names.get(term) ?? term, begins: at === 0 })),
    ),
  )
  const begins = (words: typeof ours, term: string) => words.some((word) => word.begins && word.term === term)
  const topics = new Set(ours.map(({ term }) => term).filter((term) => begins(ours, term) && begins(theirs, term)))
  const [first = '', second = ''] = topics
  const firstSide = (words: typeof ours, topic: string, pair: string) => {
    const rest = words.slice(words.findIndex(({ term }) => term === topic) + 1).map(({ term }) => term)
    return rest.find((term) => topics.has(term) || (isSided(term) && term.slice(1) === pair)) ?? ''
  }
  const pairs = new Set(theirs.flatMap(({ term }) => (isSided(term) && !topics.has(term) ? [term.slice(1)] : [])))
  for (const pair of topics.size === 2 ? pairs : []) {
    const [own, wanted] = [firstSide(ours, first, pair), firstSide(theirs, first, pair)]
    const isOpposed = oppositeOf(own) === firstSide(ours, second, pair)
    if (isOpposed && oppositeOf(wanted) === firstSide(theirs, second, pair)) return own === wanted ? 'same' : 'reversed'
  }
  return null
}

/** `nameOf` has no name for what the other statement lacks. */
const shapeOf = ({ clauses }: Statement, nameOf: (term: string) => string | undefined): Shape =>
  clauses.map(({ tokens, negated }) => {
    let marker = ''
    const places = tokens.flatMap((token, at): Place[] => {
      const term = nameOf(token.term)
      // “From areas of high …”: what follows is meant.
      marker = token.marker || marker
      if (term === undefined) return []
      const place = { term, at, end: at, marker, listed: token.listed === true }
      marker = ''
      return [place]
    })
    return { places, negated }
  })

/** Makes one of two words that always stand together: “carbon dioxide”. */
function joinCompounds(clauses: Shape): void {
  const neighbour = (term: string, step: 1 | -1): string => {
    const found = clauses.flatMap(({ places }) =>
      places.flatMap((place, i) => {
        const next = places[i + step]
        if (place.term !== term) return []
        const [first, second] = step === 1 ? [place, next] : [next, place]
        return next && first && second && second.at - first.end === 1 ? [`${next.term} ${second.marker}`] : ['']
      }),
    )
    return new Set(found).size === 1 ? (found[0] ?? '') : ''
  }
  for (const term of new Set(clauses.flatMap(({ places }) => places.map((place) => place.term)))) {
    const [next = '', marker] = neighbour(term, 1).split(' ')
    if (next === '' || next === term || neighbour(next, -1) !== `${term} ${marker}`) continue
    for (const clause of clauses) {
      for (const [i, place] of clause.places.entries())
        if (place.term === term) place.end = clause.places[i + 1]?.end ?? place.end
      clause.places = clause.places.filter((place) => place.term !== next)
    }
  }
}

interface Fact {
  relation: string
  of: string[]
}

const keyOf = ({ relation, of }: Fact): string => [relation, ...(relation === '~' ? of.toSorted() : of)].join(' ')

/** Which stand in one clause, in which order or after which preposition; with `denials`, which are denied. */
function factsOf(shape: Shape, denials: boolean): Fact[] {
  const facts = new Map<string, Fact>()
  const add = (relation: string, ...of: string[]) => facts.set(keyOf({ relation, of }), { relation, of })
  for (const { places, negated } of shape)
    for (const [i, { term, end, marker, listed }] of places.entries()) {
      if (marker !== '') add(marker, term)
      if (negated && denials) add('not', term)
      for (const next of places.slice(i + 1)) {
        if (next.term === term) continue
        add('~', term, next.term)
        // “Protons are positive” and “the positive ones are protons” say the same.
        if (!listed && !next.listed && (next.at - end > 1 || next.marker !== '')) add('<', term, next.term)
      }
    }
  return [...facts.values()]
}

function fitsExchanged(facts: readonly Fact[], wanted: readonly Fact[], x: string, y: string): boolean {
  const keys = new Set(wanted.map(keyOf))
  const exchange = (term: string) => (term === x ? y : term === y ? x : term)
  const tried = facts.map((fact) => {
    const changed = { ...fact, of: fact.of.map(exchange) }
    return { changed, before: keys.has(keyOf(fact)), after: keys.has(keyOf(changed)) }
  })
  const fitting = tried.filter(({ after }) => after).map(({ changed }) => changed)
  const gained = tried.filter(({ before, after }) => after && !before).map(({ changed }) => changed)
  const lost = tried.filter(({ before, after }) => before && !after).length
  if (gained.length <= 2 * lost) return false
  const has = (some: readonly Fact[], thing: string) => some.some(({ of }) => of.includes(thing))
  const hasBoth = (some: readonly Fact[]) => has(some, x) && has(some, y)
  // Of two opposites a statement may have only one.
  if (y === oppositeOf(x) && !(hasBoth(facts) && hasBoth(wanted))) return true
  const fewest = Math.min(facts.length, wanted.length)
  const fit = fewest >= LEAST_FACTS ? fitting.length / fewest : (2 * fitting.length) / (facts.length + wanted.length)
  return (fit >= FITS && hasBoth(fitting)) || (gained.length >= 2 && hasBoth(gained))
}

/** In a clause of both they need a word between them, or a preposition that the other lacks. */
function mayExchange(shapes: readonly Shape[], x: string, y: string): boolean {
  if (kindOf(x, shapes) !== kindOf(y, shapes)) return false
  const areApart = shapes.map((shape) => {
    for (const { places } of shape) {
      const [one, other] = [x, y].map((thing) => places.find(({ term }) => term === thing))
      if (one && other) return Math.abs(one.at - other.at) > 1 || (one.at > other.at ? one : other).marker !== ''
    }
    return null
  })
  if (areApart.every((apart) => apart === null)) return true
  const keepsMarker = [x, y].some((thing) => {
    const [own = [], others = []] = shapes.map((shape) =>
      shape.flatMap(({ places }) => places.filter(({ term }) => term === thing).map(({ marker }) => marker)),
    )
    return [...own, ...others].includes('with') || own.some((marker) => marker !== '' && others.includes(marker))
  })
  return !keepsMarker && !areApart.includes(false)
}

/** A number is exchanged with a number, and of two opposites one with the other. */
function kindOf(term: string, shapes: readonly Shape[]): string {
  if (/^\d/.test(term)) return 'number'
  if (isLabel(term)) return 'label'
  const isOpposed = shapes.flat().some(({ places }) => places.some((place) => place.term === oppositeOf(term)))
  return isSided(term) && isOpposed ? term.slice(1) : ''
}
