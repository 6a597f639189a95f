import { isNegated } from './negation.ts'
import { isStopWord, stemOf, wordsOf } from './terms.ts'

interface Relation {
  kind: 'cause' | 'order'
  /** The cause, or what comes first. */
  first: Set<string>
  second: Set<string>
  negated: boolean
}

const BE = '(?:is|are|was|were|be|been|being)'
const CAUSED = '(?:caused|triggered|produced|created|brought\\s+about|started)'
/** `swaps` where the second is named first. */
const LINKS: { kind: Relation['kind']; swaps: boolean; pattern: RegExp }[] = [
  { kind: 'cause', swaps: true, pattern: new RegExp(`\\b${BE}\\s+(?:\\w+ly\\s+)?${CAUSED}\\s+by\\b`, 'i') },
  {
    kind: 'cause',
    swaps: true,
    pattern: new RegExp(
      `\\b(?:result(?:s|ed)?\\s+from|(?:come|comes|came|arises?|arose|stems?|stemmed)\\s+from|${BE}\\s+(?:due\\s+to|because\\s+of|a\\s+result\\s+of|the\\s+(?:result|effect|consequence)\\s+of)|because(?:\\s+of)?|due\\s+to)\\b`,
      'i',
    ),
  },
  {
    kind: 'cause',
    swaps: false,
    pattern: new RegExp(
      `(?<!\\b${BE}\\s)\\b(?:causes?|caused|causing|(?:leads?|led|leading)\\s+to|result(?:s|ed|ing)?\\s+in|(?:brings?|brought)\\s+about|(?:gives?|gave)\\s+rise\\s+to|triggers?|triggered|produces?|produced|creates?|created|${BE}\\s+(?:the|a)\\s+(?:cause|reason)\\s+(?:of|for)|so|therefore|hence|thus)(?!\\s+that\\b|.*\\b(?:can|could|may|might)\\b)\\b`,
      'i',
    ),
  },
  {
    kind: 'order',
    swaps: false,
    pattern: new RegExp(
      `\\b(?:${BE}\\s+followed\\s+by|precedes?|preceded|(?:and\\s+)?(?:then|afterwards|(?:after|before\\s+doing)\\s+(?:that|this)))\\b`,
      'i',
    ),
  },
  { kind: 'order', swaps: true, pattern: /\bfollow(?:s|ed)\b/i },
  { kind: 'order', swaps: false, pattern: /\bbefore\b/i },
  { kind: 'order', swaps: true, pattern: /\bafter\b/i },
]
/** “Before the war began, the treaty was signed”. */
const LEADING = /^\s*(before|after|because(?:\s+of)?|due\s+to)\b(.+?),(.+)$/i

/** A longer text says several things at once. */
const MOST_TERMS = 14
const OF_LINKS = new Set(
  'first firstly then cause result effect lead follow occur happen come exist begin yes no not never does did'
    .split(' ')
    .map(stemOf),
)

const thingsIn = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => !isStopWord(word))
      .map(stemOf)
      .filter((stem) => !OF_LINKS.has(stem)),
  )

function relationsIn(text: string): Relation[] {
  return text
    .slice(0, 3000)
    .split(/[.;!?\n]/)
    .flatMap((sentence) => {
      const [, word = '', subordinate = '', main = ''] = LEADING.exec(sentence) ?? []
      if (word !== '') {
        const link = LINKS.find(({ pattern }) => pattern.exec(word)?.[0] === word)
        return link ? relationOf(link, main, subordinate, sentence) : []
      }
      return LINKS.flatMap((link) => {
        const found = link.pattern.exec(sentence)
        if (!found) return []
        const rest = sentence.slice(found.index + found[0].length)
        return relationOf(link, sentence.slice(0, found.index), rest, sentence)
      }).slice(0, 1)
    })
}

function relationOf(
  { kind, swaps }: (typeof LINKS)[number],
  before: string,
  after: string,
  sentence: string,
): Relation | [] {
  const [one, other] = [thingsIn(before), thingsIn(after)]
  // What both sides name tells neither from the other.
  const own = (side: Set<string>, from: Set<string>) => new Set([...side].filter((stem) => !from.has(stem)))
  const [left, right] = [own(one, other), own(other, one)]
  if (left.size === 0 || right.size === 0 || one.size + other.size > MOST_TERMS) return []
  return { kind, first: swaps ? right : left, second: swaps ? left : right, negated: isNegated(sentence) }
}

function matches(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((stem) => b.has(stem)).length
  return shared > 0 && shared * 2 >= Math.min(a.size, b.size)
}

const shares = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].some((stem) => b.has(stem))

/** Swaps cause and effect, or the order: “heat causes friction” for “friction causes heat”. */
export function isReversedRelation(key: string, answer: string): boolean {
  const keys = relationsIn(key)
  const ours = keys.length === 1 ? relationsIn(answer) : []
  const [wanted] = keys
  return (
    wanted !== undefined &&
    ours.some(
      ({ kind, first, second, negated }) =>
        kind === wanted.kind &&
        negated === wanted.negated &&
        matches(first, wanted.second) &&
        matches(second, wanted.first) &&
        !shares(first, wanted.first) &&
        !shares(second, wanted.second),
    )
  )
}
