import { bestJudgement, exactJudgement, type Judgement, UNSURE } from '../judgement.ts'
import { scanQuantities, type WrittenQuantity } from '../numbers/scan-quantities.ts'
import { asKey, compareQuantities, scanOptionsOf } from '../quantity.ts'

interface Margin {
  from: WrittenQuantity
  to: WrittenQuantity
  words: string[]
}

const PLUS_MINUS = /±|\+\s?\/\s?-|\+-|\b(?:plus\s*(?:\/|or|and)\s*minus|give\s+or\s+take)\b|\+\s+or\s+-/gi
const DAY =
  /\b(?:\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(?:\d{1,2}(?:st|nd|rd|th)?,?\s+)?(?=\d{4}\b)/gi
const BETWEEN = /#(\d+)#\s*(?:-|\bto\b|\bup\s+to\b|\band\b)\s*#(\d+)#/i
const BOTH_ENDS = /\b(?:beg[aiu]n|start(?:ed)?)\s+and\s+(?:(?:it|did)\s+)*(?:end|finish|stop)/i
const FILLER =
  /^(?:between|from|about|around|approximately|roughly|range|of|the|a|an|it|is|are|to|and|items?|values?|answer|there|can|be|in|lasts?|takes?|at|once|any|anything|ph|by)$/

export function readMargin(text: string, key: string): Margin | null {
  if (text.length > 200 || !/\d|\b(?:to|and|or)\b/i.test(text)) return null
  const whole = /\d{4}\s*[-–]\s*\d{4}/.test(key)
    ? text.replace(/\b(\d\d)(\d\d)\s*\/\s*(\d\d)\b(?!\d)/, '$1$2–$1$3')
    : text
  const plain = whole
    .replace(PLUS_MINUS, ' ± ')
    .replace(DAY, '')
    .replace(/\b(?:un)?till?\b/gi, 'to')
    .replace(/(\d)\s*[–—]\s*(?=\d)/g, '$1 to ')
    .replace(/(\d)\s*-\s*(?=\d)/g, '$1 to ')
  const { skeleton, quantities } = scanQuantities(
    plain.replace(/(\p{L}|\d)\s*[-–—]\s*(?=\d)/gu, '$1 to '),
    scanOptionsOf(key),
  )
  const made = marginOf(skeleton.replace(/[()]/g, ''), quantities) ?? (text === key ? null : listedMargin(quantities))
  if (!made) return null
  const words = (skeleton.replace(/#\d+#/g, ' ').match(/\p{L}+/gu) ?? []).map((word) => word.toLowerCase())
  return { ...made, words: words.filter((word) => !FILLER.test(word)) }
}

function marginOf(skeleton: string, quantities: WrittenQuantity[]): Omit<Margin, 'words'> | null {
  const [, middleAt, byAt] = /#(\d+)#\s*(?:\p{L}+\s*)?,?\s*±\s*#(\d+)#/u.exec(skeleton) ?? []
  const [middle, by] = [quantities[Number(middleAt)], quantities[Number(byAt)]]
  if (middle && by) {
    if (quantities.length > 2) return null
    const unit = middle.unit ?? by.unit
    const end = (value: number): WrittenQuantity => ({ ...middle, unit, value: Number(value.toPrecision(12)) })
    return { from: end(middle.value - by.value), to: end(middle.value + by.value) }
  }
  const [, fromAt, toAt] = BETWEEN.exec(skeleton) ?? []
  const [from, to] = [quantities[Number(fromAt)], quantities[Number(toAt)]]
  if (from && to && quantities.length === 2 && (/\b(?:to|between|from)\b/i.test(skeleton) || /-/.test(skeleton)))
    return { from: { ...from, unit: from.unit ?? to.unit }, to: { ...to, unit: to.unit ?? from.unit } }
  return null
}

function listedMargin(quantities: WrittenQuantity[]): Omit<Margin, 'words'> | null {
  const last = quantities.at(-1)
  const [first] = quantities
  const listed = quantities.length > 2 && quantities.every(({ value }, i) => value === (first?.value ?? 0) + i)
  return listed && first && last ? { from: { ...first, unit: last.unit }, to: last } : null
}

/** Null where the key is no margin, or the answer is none and contradicts nothing. */
export function judgeMargin(prompt: string, accepted: string[], answer: string): Judgement | null {
  const keys = accepted.flatMap((text) => {
    const key = readMargin(text, text)
    return key && key.words.length <= 2 ? [{ key, text }] : []
  })
  if (keys.length === 0) return null
  return bestJudgement(keys.map(({ key, text }) => judgeAgainst(key, text, answer, BOTH_ENDS.test(prompt))))
}

function judgeAgainst(key: Margin, text: string, answer: string, both: boolean): Judgement {
  const given = readMargin(answer, text)
  if (!given) {
    const { quantities } = scanQuantities(answer, scanOptionsOf(text))
    const [only, ...more] = quantities
    const within = only !== undefined && only.value >= key.from.value && only.value <= key.to.value
    return only && more.length === 0 && !within
      ? exactJudgement(0, 0.85, 'exact_wrong')
      : exactJudgement(within ? 0.5 : 0, UNSURE, 'unclear')
  }
  if (/\bnot\b|n['’]t\b/i.test(answer)) return exactJudgement(0, UNSURE, 'unclear')
  const ends = [compareQuantities(asKey(key.from), given.from), compareQuantities(asKey(key.to), given.to)]
  const right = ends.every((end) => end === 'right' || end === 'unit_missing')
  const understood = given.words.every(
    (word) => key.words.includes(word) || text.toLowerCase().includes(word.replace(/s$/, '')),
  )
  if (right)
    return exactJudgement(
      1,
      ends.includes('unit_missing') && key.from.unit?.readings.length ? 0.85 : understood ? 0.93 : 0.8,
      'exact_right',
    )
  if (both && ends.includes('right')) return exactJudgement(0.5, UNSURE, 'unclear')
  const scale = ends.every((end) => end === 'unit_wrong' || end === 'scale_wrong')
  return scale ? exactJudgement(0.25, 0.7, 'unit_wrong') : exactJudgement(0, understood ? 0.89 : 0.75, 'exact_wrong')
}
