import { commonStems, phraseAgreement } from '../text/phrase-match.ts'
import { type Judgement, listJudgement } from './judgement.ts'
import { expandAbbreviations, integerRun, membersOf, membersWithin, sameMember } from './list-members.ts'
import { readQuantity } from './quantity.ts'
import { thingNamed } from './worded/named-things.ts'

/** Never as sure as a letter: a word outside the key may be a synonym. */
const FULL_CONFIDENCE = 0.95
const NOT_TO_THE_LETTER = 0.89
const PARTIAL_CONFIDENCE = 0.8

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[−–]/g, '-')
    .replace(/[^\p{L}\p{N}.-]/gu, '')
    .toLowerCase()

const best = (all: Judgement[]): Judgement => all.reduce((one, other) => (other.share > one.share ? other : one))

/** Each member earns its share once; each answer beyond the key's number takes one away, against listing everything. */
export function judgeSet(accepted: string[], answer: string, prompt = ''): Judgement {
  const pool = accepted.map(readAnyOfList).find((one) => one !== null)
  if (pool) return judgeAnyOfList(pool, accepted, answer, prompt)
  return best(
    accepted.map((text) => {
      const key = unique(membersOf(text))
      const written = expandAbbreviations(answer, key)
      const members = membersOf(written, key)
      const given = unique(membersWithin(key, written, members) ?? members)
      const signs = /\b(?:symbols?|formulae?|formulas)\b/i.test(prompt)
      const matched = key.filter((member) => given.some((one) => sameMember(member, one, signs)))
      const extra = Math.max(0, given.length - key.length)
      const numeric = key.every((member) => readQuantity(member) !== null)
      const size = Math.max(1, key.length, numeric ? given.length : 0)
      const whole = Math.max(0, matched.length - extra) / size
      // A run of whole numbers is one answer with two ends; with both wrong, it is another.
      const isRun = (all: string[]) => all.length > 2 && integerRun(`${all[0]} to ${all.at(-1)}`, all) !== null
      const most = given.length === key.length && isRun(given) ? 0 : 0.5
      const share = whole < 1 && isRun(key) ? Math.min(most, whole) : whole
      const literal = matched.every((member) => given.some((one) => plain(one) === plain(member)))
      const confidence = share < 1 ? PARTIAL_CONFIDENCE : literal ? FULL_CONFIDENCE : NOT_TO_THE_LETTER
      return listJudgement(share, confidence, matched)
    }),
  )
}

function unique(members: string[]): string[] {
  return members.filter((member, i) => members.findIndex((other) => sameMember(other, member)) === i)
}

/** “any two of: higher speed; tiredness; alcohol or drugs” */
interface AnyOfList {
  count: number
  members: string[]
}

const ANY_OF = /^any (one|two|three|four|five|six|[1-9]\d?) of: (.+)$/is
const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six']

function readAnyOfList(text: string): AnyOfList | null {
  const [, count = '', members = ''] = ANY_OF.exec(text.trim()) ?? []
  if (members === '') return null
  const named = COUNTS.indexOf(count.toLowerCase()) + 1
  return { count: named || Number(count), members: members.split(/\s*;\s*/).filter((member) => member !== '') }
}

const SURE = 0.9
const SURE_OF_LESS = 0.85
/** What is not found is right in other words about half the time. */
const RIGHT_IN_OTHER_WORDS = 0.5
const FOUND = 0.5
const SIMILAR = 0.3

function judgeAnyOfList(list: AnyOfList, accepted: string[], answer: string, prompt: string): Judgement {
  const members = [...list.members, ...accepted.filter((text) => readAnyOfList(text) === null)]
  const common = commonStems(members, prompt)
  const given = answeredParts(answer).slice(0, list.count + 1)
  const matched = new Set<string>()
  let unknown = 0
  let similar = 0
  for (const part of given) {
    const thing = thingNamed(part)
    const agreements = members.map((member) =>
      thing !== null && thingNamed(member)?.id === thing.id ? 1 : phraseAgreement(member, part, common),
    )
    for (const [i, member] of members.entries()) if ((agreements[i] ?? 0) >= FOUND) matched.add(member)
    if (agreements.some((agreement) => agreement >= FOUND)) continue
    unknown++
    if (agreements.some((agreement) => agreement >= SIMILAR)) similar++
  }
  const certain = Math.min(list.count, matched.size)
  const share = Math.min(list.count, certain + similar * RIGHT_IN_OTHER_WORDS) / list.count
  const open = Math.min(list.count - certain, unknown) / list.count
  const confidence = share >= 1 ? SURE : Math.min(SURE_OF_LESS, 1 - RIGHT_IN_OTHER_WORDS * open)
  return listJudgement(share, confidence, [...matched])
}

function answeredParts(answer: string): string[] {
  const parts = answer
    .split(/\n+|;\s*|(?:^|[\s,])(?:\(?\d[.)]|\d(?=\s+\p{L})|[-–•*])\s+|(?<=[a-z])\.\s+(?=[A-Z])/u)
    .map((part) => part.trim())
    .filter((part) => /\p{L}{2}/u.test(part))
  return parts.length > 1 ? parts : answer.split(/\s*(?:[;,]|\band\b)\s*/).filter((part) => /\p{L}{2}/u.test(part))
}
