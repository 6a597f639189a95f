import { exactJudgement, type Judgement, listJudgement } from '../judgement.ts'
import { sameMember } from '../list-members.ts'
import { ARROW } from './read-reaction.ts'

const MAKES =
  /\s*(?:[-=–]*[→⟶➔⇌]|[-=–]+>)\s*|\s+(?:\b(?:reacts?|to|and|which|then|combine[sd]?)\s+)*(?:makes?|gives?|forms?|produces?|yields?|becomes?|(?:turns?|converted|changed)\s+into)\s+/i
/** Written above an arrow, not a substance. */
const CONDITION = /^(?:light|sunlight|heat|energy|atp|enzymes?|chlorophyll|yeast|light energy|catalyst)$/i

const sidesOf = (text: string): string[][] =>
  text
    .replace(/\((?:\s*\+|[^()]*\p{Ll}{3})[^()]*\)/gu, ' ')
    .split(MAKES)
    .map((side) =>
      side
        .split(/\s*(?:\+|&|,|\band\b|\bwith\b|\bplus\b)\s*/)
        .map((one) => one.replace(/^\W*(?:the\s+)?|[\s.,;]+$/g, ''))
        .filter((one) => one !== ''),
    )

/** “Carbon dioxide + water → glucose + oxygen”, in any order within a side. Null where the key is none. */
export function judgeWordEquation(_: string, accepted: string[], answer: string): Judgement | null {
  const [key = ''] = accepted
  const wanted = sidesOf(key)
  const given = sidesOf(answer)
  if (accepted.length > 1 || !ARROW.test(key) || !/\+/.test(key) || wanted.length !== 2 || !/\p{L}{4}/u.test(key))
    return null
  if (given.length !== 2) return null
  const found = (from: number, to: number) =>
    (wanted[from] ?? []).filter((one) => given[to]?.some((other) => sameMember(one, other)))
  const matched = [...found(0, 0), ...found(1, 1)]
  const own = wanted.flat()
  const extra = given.flat().filter((one) => !CONDITION.test(one) && !own.some((other) => sameMember(other, one)))
  if ([...found(0, 1), ...found(1, 0)].some((one) => !matched.includes(one)))
    return exactJudgement(0, 0.8, 'exact_wrong')
  const share =
    Math.max(0, matched.length - extra.length) /
    own.filter((one) => !CONDITION.test(one) || matched.includes(one)).length
  return listJudgement(share, share === 1 ? 0.88 : 0.75, matched)
}
