import { commonStems, phraseAgreement } from '../text/phrase-match.ts'
import { type Judgement, listJudgement } from './judgement.ts'

/** “any two of: higher speed; tiredness; alcohol or drugs”. */
interface AnyOfList {
  count: number
  members: string[]
}

const ANY_OF = /^any (one|two|three|four|five|six|[1-9]\d?) of: (.+)$/is
const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six']

export function readAnyOfList(text: string): AnyOfList | null {
  const [, count = '', members = ''] = ANY_OF.exec(text.trim()) ?? []
  if (members === '') return null
  const named = COUNTS.indexOf(count.toLowerCase()) + 1
  return { count: named || Number(count), members: members.split(/\s*;\s*/).filter((member) => member !== '') }
}

/** All that was asked for is found. */
const SURE = 0.9
/** Less was given than asked for, and what was given is found. */
const SURE_OF_LESS = 0.85
/** What is not found may be right in other words about as often as not. */
const RIGHT_IN_OTHER_WORDS = 0.5
/** So much of a member, which tells it from the others, is the member; less, but so much, may be. */
const FOUND = 0.5
const SIMILAR = 0.3

/**
 * As many of a list as are asked for. What is found is sure; what is not may be said in other words. Only as many as are asked for
 * and one more are looked at, in order, so that a list of everything earns nothing more.
 */
export function judgeAnyOfList(list: AnyOfList, accepted: string[], answer: string, prompt: string): Judgement {
  const members = [...list.members, ...accepted.filter((text) => readAnyOfList(text) === null)]
  const common = commonStems(members, prompt)
  const given = answeredParts(answer).slice(0, list.count + 1)
  const matched = new Set<string>()
  let unknown = 0
  let similar = 0
  for (const part of given) {
    const agreements = members.map((member) => phraseAgreement(member, part, common))
    for (const [i, member] of members.entries()) if ((agreements[i] ?? 0) >= FOUND) matched.add(member)
    if (agreements.some((agreement) => agreement >= FOUND)) continue
    unknown++
    if (agreements.some((agreement) => agreement >= SIMILAR)) similar++
  }
  const certain = Math.min(list.count, matched.size)
  const share = Math.min(list.count, certain + similar * RIGHT_IN_OTHER_WORDS) / list.count
  const missing = list.members.filter((member) => !matched.has(member))
  const open = Math.min(list.count - certain, unknown) / list.count
  const confidence = share >= 1 ? SURE : Math.min(SURE_OF_LESS, 1 - RIGHT_IN_OTHER_WORDS * open)
  return listJudgement(share, [...matched], missing, confidence)
}

/** What a student gives, one thing each: by lines, numbers, semicolons, sentences; else by commas. */
function answeredParts(answer: string): string[] {
  const parts = answer
    .split(/\n+|;\s*|(?:^|[\s,])(?:\(?\d[.)]|\d(?=\s+\p{L})|[-–•*])\s+|(?<=[a-z])\.\s+(?=[A-Z])/u)
    .map((part) => part.trim())
    .filter((part) => /\p{L}{2}/u.test(part))
  return parts.length > 1 ? parts : answer.split(/\s*(?:[;,]|\band\b)\s*/).filter((part) => /\p{L}{2}/u.test(part))
}
