import { wordsOf } from '../text/terms.ts'
import { judgeAnyOfList, readAnyOfList } from './any-of-list.ts'
import { type Judgement, listJudgement } from './judgement.ts'
import { expandAbbreviations, membersOf, sameMember } from './list-members.ts'

/** A word outside the key may be a synonym of one in it, so a list is never as sure as a letter. */
const FULL_CONFIDENCE = 0.95
const PARTIAL_CONFIDENCE = 0.8

const best = (all: Judgement[]): Judgement => all.reduce((one, other) => (other.share > one.share ? other : one))

/**
 * A list in any order: each member of the key found once is worth its share; said twice is said once; every member
 * beyond as many as the key has takes one away, so that listing everything earns nothing more.
 */
export function judgeSet(accepted: string[], answer: string, prompt = ''): Judgement {
  const pool = accepted.map(readAnyOfList).find((one) => one !== null)
  if (pool) return judgeAnyOfList(pool, accepted, answer, prompt)
  return best(
    accepted.map((text) => {
      const key = unique(membersOf(text))
      const written = expandAbbreviations(answer, key)
      const given = unique(answeredMembers(key, written, membersOf(written, key)))
      const matched = key.filter((member) => given.some((one) => sameMember(member, one)))
      const missing = key.filter((member) => !matched.includes(member))
      const extra = Math.max(0, given.length - key.length)
      const share = Math.max(0, matched.length - extra) / Math.max(1, key.length)
      return listJudgement(share, matched, missing, share >= 1 ? FULL_CONFIDENCE : PARTIAL_CONFIDENCE)
    }),
  )
}

/**
 * A list in the key's order: the longest run of members that keep it (longest common subsequence), out of as many as
 * the key (or a longer answer) has.
 */
export function judgeOrder(accepted: string[], answer: string, prompt = ''): Judgement {
  return best(
    accepted.map((text) => {
      const compared = /[<>]/.test(answer.replace(/->|=>/g, ''))
      // A key's “>” says which comes first where the answer has no sign.
      const key = orderedMembersOf(text, [], !compared)
      const given = answeredMembers(
        key,
        answer,
        orderedMembersOf(answer, key, !/[<>]/.test(text) && !COMPARES.test(prompt)),
      )
      const kept = longestInOrder(key, given)
      // One member is in order in any list.
      const inOrder = kept.length > 1 || given.length < 2 ? kept.length : 0
      const share = inOrder / Math.max(1, key.length, given.length)
      const missing = key.filter((member) => !kept.includes(member))
      return listJudgement(share, kept, missing, share >= 1 ? FULL_CONFIDENCE : PARTIAL_CONFIDENCE)
    }),
  )
}

/** Where something is compared, “>” is a sign; elsewhere an arrow. */
const COMPARES =
  /\b(?:smallest|largest|lowest|highest|least|greatest|most|biggest|lightest|heaviest|slowest|fastest|weakest|strongest|shortest|longest|ascending|descending|increasing|decreasing|rank)/i

/** “a > b > c” is “c < b < a” turned round. */
function orderedMembersOf(text: string, key: string[] = [], isArrow = false): string[] {
  const members = membersOf(text, key)
  return !isArrow && />/.test(text) && !/[-=]>|</.test(text) ? members.reverse() : members
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
