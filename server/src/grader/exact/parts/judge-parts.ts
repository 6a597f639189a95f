import { isFormulaKey, judgeFormula } from '../judge-formula.ts'
import { bestJudgement, exactJudgement, type Judgement, listJudgement, UNSURE, verdict } from '../judgement.ts'
import { sameMember } from '../list-members.ts'
import { judgeNotation } from '../notation/judge-notation.ts'
import { judgeNumber } from '../numbers/judge-number.ts'
import { itemNamed, itemsIn } from '../prompt-items.ts'
import { readQuantity } from '../quantity.ts'
import { readUnit, sameUnit } from '../units/read-unit.ts'
import { judgeName } from '../worded/judge-name.ts'
import { alignAnswer } from './align-answer.ts'
import { divided, isCode, type Part, readParts, wayIn } from './read-parts.ts'

const SURE = 0.93
const NOT_THE_SAME_WORDS = 0.85
const LONGEST = 400

/** A key of several parts: each earns its share, by what the answer says of it. Null for other keys and answers. */
export function judgeParts(prompt: string, accepted: string[], answer: string): Judgement | null {
  const judged = accepted.flatMap((key) => {
    const parts = readParts(prompt, key)
    const said = parts && answer.length <= LONGEST ? alignAnswer(divided(answer), parts) : null
    return parts && said?.some((text) => text !== undefined) ? [judgeEach(prompt, parts, said)] : []
  })
  return bestJudgement(judged)
}

function judgeEach(prompt: string, parts: readonly Part[], said: readonly (string | undefined)[]): Judgement {
  const coded =
    parts.every(({ value }) => isCode(value) && /^[a-z]$/i.test(value)) || parts.every((part) => isListed(prompt, part))
  const judged = parts.map(({ value }, i) => {
    const text = said[i]
    if (text === undefined || text === '') return exactJudgement(0, UNSURE, 'exact_wrong')
    // “T” for thymine, where no other value begins so.
    const initial = parts.filter((part) => part.value.length > 3 && part.value.charAt(0).toUpperCase() === text)
    if (initial.length === 1 && value.length > 3) return verdict(initial[0]?.value === value, 0.8)
    return coded ? judgeCode(prompt, parts, value, text) : judgeValue(prompt, value, text)
  })
  const share = judged.reduce((sum, one) => sum + one.share, 0) / parts.length
  const least = Math.min(...judged.map(({ confidence }) => confidence))
  if (share === 1) return exactJudgement(1, least >= 0.9 ? SURE : NOT_THE_SAME_WORDS, 'exact_right')
  return listJudgement(share, [], [], Math.min(least, share > 0 ? 0.8 : 0.85))
}

const isListed = (prompt: string, { value, labels }: Part): boolean =>
  isCode(value) && isCode(labels[0] ?? '') && itemsIn(prompt).some(({ label }) => label === value)

/** By letter or number, or by what the question prints beside it. */
function judgeCode(prompt: string, parts: readonly Part[], value: string, text: string): Judgement {
  const values = new Set(parts.map((part) => part.value.toLowerCase()))
  const items = itemsIn(prompt).filter(({ label }) => values.has(label.toLowerCase()))
  const bare = text.replace(/[^\p{L}\d]/gu, '')
  const meant = isCode(bare) ? bare : itemNamed(text, items)?.label
  if (meant === undefined) return exactJudgement(0, UNSURE, 'unclear')
  const right = meant.toLowerCase() === value.toLowerCase()
  return exactJudgement(right ? 1 : 0, isCode(bare) ? SURE : NOT_THE_SAME_WORDS, right ? 'exact_right' : 'exact_wrong')
}

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[−–]/g, '-')
    .replace(/[\s.]+$/g, '')
    .toLowerCase()

/** One value by the judge of its kind. */
function judgeValue(prompt: string, value: string, text: string): Judgement {
  if (plain(value) === plain(text)) return exactJudgement(1, 0.95, 'exact_right')
  const nested = judgeParts(prompt, [value], text)
  if (nested) return nested
  const way = wayIn(value)
  if (way !== undefined && !/\d/.test(value)) return verdict(way === wayIn(text), NOT_THE_SAME_WORDS)
  const [unit, other] = [readUnit(value), readUnit(text)]
  if (unit && other && sameUnit(unit, other)) return exactJudgement(1, 0.9, 'exact_right')
  const noted = judgeNotation(prompt, [value], text)
  if (noted && (noted.share > 0 || noted.confidence > UNSURE)) return noted
  // “6 5” may be either.
  if (/^\W*\d[\d.]*\s+-?\d[\d.]*\W*$/.test(text)) return exactJudgement(0, UNSURE, 'unclear')
  if (readQuantity(value)) return judgeNumber(prompt, [value], text)
  if (isFormulaKey(prompt, value)) return judgeFormula(prompt, [value], text)
  const named = judgeName(`What is it called? ${prompt}`, [value], text)
  if (named && (named.share > 0 || named.confidence > NOT_THE_SAME_WORDS)) return named
  return sameMember(value, text)
    ? exactJudgement(1, NOT_THE_SAME_WORDS, 'exact_right')
    : (named ?? exactJudgement(0, 0.8, 'exact_wrong'))
}
