import { readQuantity } from './quantity.ts'

/** “9π cm² (≈ 28.3 cm²)”: the same result twice. */
const ALSO =
  /^(.*\S)\s*(?:\(\s*(?:≈|\\approx|=|or|about|approx\.?)\s*([^()]+)\)|(?:≈|\\approx(?![a-z]))\s*([^()=≈]+))\s*\.?$/s
const ASKS_FOR_WORKING =
  /\b(?:write|express|show|sums?|products?|powers?|sentence|equations?|statements?|calculations?|inverse|fractions?)\b/i
const WORKED = /\d\s*(?:[-+−–*/×·÷!^]|\\(?:times|cdot|div))|[√²³]|\\(?:frac|sqrt)|\d\s*%\s*of\b/

/** The end of “a = Δv/t = 6/3 = 2 m/s²”; otherwise the key as it is. */
export function keyResults(prompt: string, key: string): string[] {
  const [, first, bracketed, again = bracketed] = ALSO.exec(key) ?? []
  if (first !== undefined && again !== undefined && readQuantity(again) && readQuantity(first))
    return /\bexact/i.test(prompt) ? [first] : [first, again]
  if (key.length > 160 || /[;\n<>≤≥≠]|,\s|\bor\b/.test(key)) return [key]
  const members = key.split(/(?<![<>=!:])=(?![=>])/)
  const last = members.at(-1)?.trim() ?? ''
  const [left = ''] = members
  const lettered = /[A-Za-zα-ω]/.test(left.replace(/\\[a-z]+|\b(?:of|from|to|sqrt|log|ln|lg)\b/g, ' '))
  const worked = members.length > 2 || (members.length === 2 && WORKED.test(left) && !lettered)
  // Where the prompt gives the result or asks for the calculation, the working is the answer.
  const given = new RegExp(
    String.raw`(?<![\d.])${last.replace(/[^\d.]/g, '').replace('.', String.raw`\.`)}(?![\d.])`,
  ).test(prompt)
  return worked && !given && !ASKS_FOR_WORKING.test(prompt) && readQuantity(last) ? [last] : [key]
}

const RETRACTED =
  /^.*[\p{L}\d)]\s*(?:[.…,;:—–-]+\s*sorry,?\s+(?=[-−]?\d|it['’]?s\b)|[.…,;:—–-]*\s*(?:oh\s+)?(?:no,?\s+wait|wait,?\s+no|no,?\s+sorry|scratch\s+that)\b|[.…,;—–]+\s*no(?=\s*[,:]))[,:.]?\s*(?=\S)/isu

const AFTERTHOUGHT =
  /^([^,;?=]+?),\s+(?!(?:so|then|no|not|nor|or|wait|maybe|actually|sorry|thus|and)\b)(?=[a-z])([^=?]+)$/su
const ASIDE = /^(.*\S)\s*\((?:=|[^()]*(?:\p{L}{3}|\d\s*[+*·×]\s*\d))[^()]*\)\s*\.?$/su
const LAST_STEP = /^.*[\d=<>].*(?:,\s+|[-–]>\s*|→\s*)((?!(?:which|that)\b|.*\b(?:or|not)\b)[^,?]*\d[^,?]*)$/su

/** “500 pieces, then revenue = cost”, “[2, 3] because the 4 isn't included” */
const REASONED =
  /^(.*?[^\s,;.])(?:[,;.]?\s+(?:because|since|which\s+(?:is|means))\s|[,;.]\s+(?:(?:it\s+is|it['’]?s|that\s+is|that['’]?s|this\s+is)\s+(?=.*\p{L}{3})|then\s+\p{L}{3,}\s*=))(?!.*\b(?:or|wrong|wait|sorry)\b)/isu

/** What “1789, the republic came later” and “2³ · 5 (= 8 · 5)” say first, and where “−2x < 6, −3 < x” ends. */
export function otherClaims(answer: string): string[] {
  const [, first, after = ''] = AFTERTHOUGHT.exec(answer) ?? []
  const added = /^(?:in|on|from)\s\S+$|\p{L}{2}\W+(?!and\b)\p{L}{2}/u.test(after) && !/\b(?:or|not)\b/.test(after)
  const [aside, last, reasoned] = [ASIDE, LAST_STEP, REASONED].map((pattern) => pattern.exec(answer)?.[1])
  const ended = answer.replace(/\bto\s[-−+\d\s^*·×()⁰¹²³⁴-⁹]+=\s*(?=\d+\W*$)/, 'to ')
  const [, from, to] = /^\W*?(-?\d+)\s*(?:\.{2,}|(?:≤|<=)\s*[a-z]\s*(?:≤|<=))\s*(-?\d+)\W*$/i.exec(answer) ?? []
  if (from) return [`${from} to ${to}`]
  return [added ? first : undefined, aside, last, reasoned, ended === answer ? undefined : ended].filter(
    (claim) => claim !== undefined,
  )
}

export const correctedAnswer = (answer: string): string => answer.replace(RETRACTED, '')
