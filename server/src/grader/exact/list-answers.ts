import { spellingSimilarity } from '../text/fuzzy-match.ts'
import { termsOf, wordsOf } from '../text/terms.ts'
import type { Judgement } from './judgement.ts'
import { membersOf, sameMember } from './list-members.ts'

/** A word outside the key may be a synonym of one in it, so a list is never as sure as a letter. */
const FULL_CONFIDENCE = 0.95
const PARTIAL_CONFIDENCE = 0.8
const UNSURE_POOL = 0.5

const listJudgement = (share: number, matched: string[], missing: string[], confidence: number): Judgement => ({
  raw: share,
  share,
  confidence,
  remarks: [share >= 1 ? 'exact_right' : share > 0 ? 'list_part' : 'exact_wrong'],
  matched,
  missing,
})

const best = (all: Judgement[]): Judgement => all.reduce((one, other) => (other.share > one.share ? other : one))

/**
 * A list in any order: each member of the key found once is worth its share; said twice is said once; every member
 * beyond as many as the key has takes one away, so that listing everything earns nothing more.
 */
export function judgeSet(accepted: string[], answer: string): Judgement {
  const pool = accepted.map(readPool).find((one) => one !== null)
  if (pool) return judgePool(pool, accepted, answer)
  return best(
    accepted.map((text) => {
      const key = unique(membersOf(text))
      const given = unique(answeredMembers(key, answer, membersOf(answer, key)))
      const matched = key.filter((member) => given.some((one) => sameMember(member, one)))
      const missing = key.filter((member) => !matched.includes(member))
      const extra = Math.max(0, given.length - key.length)
      const share = Math.max(0, matched.length - extra) / Math.max(1, key.length)
      return listJudgement(share, matched, missing, share >= 1 ? FULL_CONFIDENCE : PARTIAL_CONFIDENCE)
    }),
  )
}

/** “any two of: higher speed; tiredness; alcohol or drugs”. */
interface Pool {
  count: number
  members: string[]
}

const POOL = /^any (one|two|three|four|five|six|\d{1,2}) of: (.+)$/is
const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six']

export function readPool(text: string): Pool | null {
  const [, count = '', members = ''] = POOL.exec(text.trim()) ?? []
  if (members === '') return null
  const named = COUNTS.indexOf(count.toLowerCase()) + 1
  return { count: named || Number(count), members: members.split(/\s*;\s*/).filter((member) => member !== '') }
}

/**
 * As many of a pool as are asked for: what is found is sure, what is not may be said in other words. More given than asked for
 * are looked at in order, so that a list of everything earns nothing more.
 */
function judgePool(pool: Pool, accepted: string[], answer: string): Judgement {
  const others = accepted.filter((text) => readPool(text) === null)
  const key = [...pool.members, ...others].flatMap((member) =>
    member.split(/\s+(?:or|\/)\s+/i).map((one) => ({ member, one })),
  )
  const given = unique(answeredParts(answer)).slice(0, pool.count + 1)
  const matched = new Set<string>()
  for (const part of given) {
    const found = key.find(({ member, one }) => !matched.has(member) && resembles(one, part))
    if (found) matched.add(found.member)
  }
  const extra = Math.max(0, given.length - pool.count)
  const share = Math.max(0, Math.min(pool.count, matched.size) - (matched.size < given.length ? extra : 0)) / pool.count
  const missing = pool.members.filter((member) => !matched.has(member)).slice(0, pool.count)
  // Other words for the same thing are not known here: only what is found is sure.
  const confidence = share >= 1 ? 0.9 : UNSURE_POOL
  return listJudgement(share, [...matched], missing, confidence)
}

/** What a student gives, one thing each: by lines, numbers, semicolons; a sentence is one. */
function answeredParts(answer: string): string[] {
  const parts = answer
    .split(/\n+|;\s*|(?:^|\s)(?:\(?\d[.)]|[-–•*])\s+|(?<=[a-z])\.\s+(?=[A-Z])/)
    .map((part) => part.replace(/^\d\s+/, '').trim())
    .filter((part) => /\p{L}{2}/u.test(part))
  return parts.length > 1 ? parts : answer.split(/\s*(?:[;,]|\band\b)\s*/).filter((part) => /\p{L}{2}/u.test(part))
}

/** Half the key's own terms, by their stems and forgiving slips, or all of a part of two words. */
function resembles(key: string, given: string): boolean {
  const plain = key.replace(/\([^)]*\)/g, ' ').replace(/,?\s*(?:such as|e\.g\.|for example)\b.*$/i, '')
  const wanted = termsOf(plain)
  const has = termsOf(given)
  const found = wanted.filter((term) => has.some((other) => spellingSimilarity(term, other) >= 0.8))
  return wanted.length > 0 && found.length >= (wanted.length <= 2 ? wanted.length : Math.ceil(wanted.length * 0.6))
}

/**
 * A list in the key's order: the longest run of members that keep it (longest common subsequence), out of as many as
 * the key (or a longer answer) has.
 */
export function judgeOrder(accepted: string[], answer: string): Judgement {
  return best(
    accepted.map((text) => {
      const key = orderedMembersOf(text)
      const given = answeredMembers(key, answer, orderedMembersOf(answer, key))
      const kept = longestInOrder(key, given)
      // One member is in order in any list.
      const inOrder = kept.length > 1 || given.length < 2 ? kept.length : 0
      const share = inOrder / Math.max(1, key.length, given.length)
      const missing = key.filter((member) => !kept.includes(member))
      return listJudgement(share, kept, missing, share >= 1 ? FULL_CONFIDENCE : PARTIAL_CONFIDENCE)
    }),
  )
}

/** “a > b > c” is “c < b < a” turned round. */
function orderedMembersOf(text: string, key: string[] = []): string[] {
  const members = membersOf(text, key)
  return />/.test(text) && !/[-=]>|</.test(text) ? members.reverse() : members
}

/** The answer's members; of a sentence, those of the key's that are in it, with their positions. */
function answeredMembers(key: string[], answer: string, members: string[]): string[] {
  const prose = members.some((member) => wordsOf(member).length > 6)
  if (!prose) return members
  const words = ` ${wordsOf(answer).join(' ')} `
  return key
    .map((member) => ({ member, at: words.indexOf(` ${wordsOf(member).join(' ')} `) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ member }) => member)
}

function unique(members: string[]): string[] {
  return members.filter((member, i) => members.findIndex((other) => sameMember(other, member)) === i)
}

function longestInOrder(key: string[], given: string[]): string[] {
  let above: string[][] = given.map(() => []).concat([[]])
  for (const member of key) {
    const row: string[][] = [[]]
    for (const [j, one] of given.entries()) {
      const without = (above[j + 1]?.length ?? 0) >= (row[j]?.length ?? 0) ? above[j + 1] : row[j]
      row.push(sameMember(member, one) ? [...(above[j] ?? []), member] : (without ?? []))
    }
    above = row
  }
  return above[given.length] ?? []
}
