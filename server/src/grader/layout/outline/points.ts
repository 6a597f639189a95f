const UNIT = String.raw`(?:points?|marks?|credits?|(?:pts?|p)\b\.?)`
const AMOUNT = String.raw`(\d{1,3}(?:[.,]\d{1,2})?|½)`
const WORDS: Record<string, number> = {
  '½': 0.5,
  half: 0.5,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  eight: 8,
  ten: 10,
}
const COUNT = String.raw`(\d{1,3}(?:[.,]\d{1,2})?|½|half|one|two|three|four|five|six|eight|ten)`
const QUESTION = `(?:questions?|problems?|exercises?|tasks?)`
const PART = `(?:(?:sub-?)?parts?|sub-?questions?|items?|rows?|blanks?|gaps?|statements?|answers?|options?|words?|sentences?|responses?)`
const ITEM = String.raw`(?:correct(?:ly)?\s+)?(?:\w+\s+)?(?:${QUESTION}|${PART})`

/** By its word, as “/10”, as a number in brackets alone, or as a share of what is above. */
export type PointsForm = 'unit' | 'slash' | 'bare' | 'percent'

export interface NamedPoints {
  points: number
  form: PointsForm
  from: number
  to: number
  factors?: [number, number] // “(8 x 2)”
}

export interface EachRule {
  points: number
  /** Whether a question with parts is worth so much as a whole, or each of its parts. */
  of: 'question' | 'part' | null
  /** “Questions 3 to 6”. */
  numbers: [number, number] | null
  /** “All questions in Part B”. */
  section: string | null
  /** “19 questions, each worth 4 points”. */
  count: number | null
}

const BRACKETED = new RegExp(
  String.raw`[([{]\s*(?:worth\s+|total(?:\s+of)?:?\s+|max(?:imum)?\.?:?\s+|\d{1,3}\s*[–-]\s*\d{1,3}\s+)?${AMOUNT}\s*-?\s*${UNIT}[^()[\]{}]{0,48}[)\]}]`,
  'i',
)
const PRODUCT = new RegExp(
  String.raw`[([]\s*(\d{1,2})\s*(${UNIT})?\s*[x×*·]\s*(\d{1,3}(?:[.,]5)?)\s*(${UNIT})?\s*(?:=\s*(\d{1,3})\s*(?:${UNIT})?\s*)?[)\]]`,
  'i',
)
const SUM = new RegExp(
  String.raw`[([]\s*((?:\d{1,3}\s*\+\s*)+\d{1,3})\s*(?:=\s*(\d{1,3}))?\s*(?:${UNIT})?\s*[)\]]`,
  'i',
)
/** In the order in which they are believed. */
const FORMS: [RegExp, PointsForm][] = [
  [new RegExp(String.raw`\bworth\s+(?:a\s+total\s+of\s+)?${AMOUNT}\s*${UNIT}`, 'i'), 'unit'],
  [new RegExp(String.raw`\bmax(?:imum)?\.?:?\s+(?:of\s+)?${AMOUNT}\s*${UNIT}`, 'i'), 'unit'],
  [
    new RegExp(String.raw`^\W{0,3}${AMOUNT}\s*-?\s*${UNIT}(?=[\s.:–—)=-])(?!\s+(?:for|if|when|each|per)\b)`, 'i'),
    'unit',
  ],
  [new RegExp(String.raw`\b(?:points|marks)\s*[:=]\s*(?:_+\s*\/\s*)?${AMOUNT}\b`, 'i'), 'unit'],
  [new RegExp(String.raw`(?:^|[\s–—:.,-])${AMOUNT}\s*-?\s*${UNIT}\s*[.:)\]–—-]?\s*$`, 'i'), 'unit'],
  [new RegExp(String.raw`(?:_+|[([]|\s|^|\.{3,})\s*\/\s*${AMOUNT}\s*(?:${UNIT})?\s*[)\]]?\s*$`, 'i'), 'slash'],
  [new RegExp(String.raw`(?:^|\s)[([]\s*${AMOUNT}\s*[)\]]\s*\.?\s*$`), 'bare'],
  [new RegExp(String.raw`^\s*[([]\s*${AMOUNT}\s*[)\]](?=\s|$)`), 'bare'],
  [/[([]\s*(\d{1,2})\s*M\s*[)\]]/, 'bare'],
]

/** “Evaluate f (2)” names an argument. */
const EVALUATED = /\b(?:evaluate|calculate|compute)\s+[fgh]['′]?\s\(\d{1,2}\)\W*$/i

/** “25 %” at the end of a part, of what the question is worth. */
const PERCENT = /(?:^|[\s([])(\d{1,3})\s*%\s*[)\]]?\.?\s*$/

const WORTH = String.raw`\b(?:worth|scores?|earns?|carr(?:y|ies)|gives?|gets?|counts?)\s+(?:for\s+)?${COUNT}\s*(?:${UNIT})?(?!\s*[-–]\s*\d)|\b(?:are|is|be)\s+(?:worth\s+)?${COUNT}\s*${UNIT}`
const EACH = [
  new RegExp(
    String.raw`\b${COUNT}\s*-?\s*${UNIT}\s+(?:for\s+)?(?:each\b|ea\b|apiece\b|(?:per|every)\s+${ITEM}\b|for\s+every\s+${ITEM}\b)`,
    'gi',
  ),
  new RegExp(String.raw`(?:^|[([;,–—-])\s*${COUNT}\s*(?:${UNIT})?\s+each\b`, 'gi'),
  new RegExp(String.raw`\b(?:each|every|all)\b[^.?!]{0,60}?(?:${WORTH})`, 'gi'),
]
/** “Questions 3 to 6 carry 2 marks”, “#46 and #47 are 5 pts”. */
const NUMBERED = new RegExp(
  String.raw`(?:${QUESTION}|items?|nos?\.|#)\s*#?(\d{1,3})(?:\s*(?:to|through|and|&|[-–—])\s*#?(\d{1,3}))?[^\d.;]{0,40}?(?:${WORTH}|${COUNT}\s*${UNIT}\s+each)`,
  'gi',
)
/** “Answer all questions” speaks of no answers. */
const PARTS = new RegExp(String.raw`\b(?!answer\s+(?:all|any|every|each|the|both)\b)${PART}\b`, 'i')
const QUESTIONS = new RegExp(String.raw`\b${QUESTION}\b`, 'i')

/** On a cover: “Problem #1 ____/13”, “Question 4 (20 points)”. */
const NUMBERED_ONE = new RegExp(
  String.raw`(?:${QUESTION}|#)\s*#?(\d{1,3})\s*[^\w\s]{0,2}\s*(?:_*\s*\/\s*${AMOUNT}|[([]\s*${AMOUNT}\s*${UNIT})`,
  'gi',
)

/** Quick look: most texts have none of these, and the patterns are slow. */
const SAYS_EACH = /\b(?:each|ea|apiece|per|every|all)\b/i
const NAMES_NUMBER = new RegExp(String.raw`(?:${QUESTION}|items?|nos?\.|#)\s*#?\d`, 'i')

export const amountOf = (text: string | undefined): number =>
  WORDS[(text ?? '').toLowerCase()] ?? Number((text ?? '').replace(',', '.'))

/** “(2 points each)”, “questions 3 to 6 carry 2 marks each”. */
export function readEachRules(text: string): EachRule[] {
  const [saysEach, numbered] = [SAYS_EACH.test(text), NAMES_NUMBER.test(text)]
  if (!saysEach && !numbered) return []
  const found: (EachRule & { from: number; to: number })[] = []
  const add = (match: RegExpMatchArray, amounts: (string | undefined)[], numbers: EachRule['numbers']) => {
    const points = amountOf(amounts.find((amount) => amount !== undefined))
    const [from, to] = [match.index ?? 0, (match.index ?? 0) + match[0].length]
    if (!(points > 0 && points <= 100) || found.some((one) => from < one.to && one.from < to)) return
    const before = text.slice(0, from)
    const said = `${before
      .split(/[.?!]\s/)
      .at(-1)
      ?.slice(-40)}${match[0]}`
    const section =
      /\b(?:[Pp]art|[Ss]ection|PART|SECTION)\s+([A-Z]|\d{1,2}|[IVX]+)\b/.exec(match[0])?.[1]?.toLowerCase() ?? null
    const nouns = section === null ? said : said.replace(/\b(?:part|section)\s+\S+/i, '')
    const whole = QUESTIONS.test(nouns) || (numbers !== null && !/\beach\b/i.test(match[0]))
    const of = PARTS.test(nouns) ? 'part' : whole ? 'question' : null
    const counted = /(\d{1,3})\s+(?:[\w-]+\s+){0,2}(?:questions?|problems?|items?)\W+$/i.exec(before)?.[1]
    found.push({ points, of, numbers, section, count: Number(counted) || null, from, to })
  }
  for (const match of numbered ? text.matchAll(NUMBERED) : []) {
    const [, from, to, ...amounts] = match
    add(match, amounts, [Number(from), Number(to ?? from)])
  }
  for (const match of numbered ? text.matchAll(NUMBERED_ONE) : []) {
    const [, number, ...amounts] = match
    add(match, amounts, [Number(number), Number(number)])
  }
  for (const pattern of saysEach ? EACH : [])
    for (const match of text.matchAll(pattern)) add(match, match.slice(1), null)
  return found.toSorted((a, b) => a.from - b.from).map(({ from: _, to: __, ...rule }) => rule)
}

const HEADING_PRODUCT = new RegExp(
  String.raw`(\d{1,3})\s*(?:${QUESTION}\s*)?[x×*]\s*(\d{1,3}(?:[.,]5)?)\s*(${UNIT})?(?:\s*=\s*(\d{1,3}))?`,
  'i',
)

/** A heading's “10 × 2 = 20 marks”. */
export function readProductRule(text: string): EachRule | null {
  const [, count, points, unit, equals] = HEADING_PRODUCT.exec(text) ?? []
  const said = unit !== undefined || (equals !== undefined && Number(equals) === Number(count) * amountOf(points))
  return said ? { points: amountOf(points), of: 'question', numbers: null, section: null, count: Number(count) } : null
}

/** Null where the text says no such thing of all questions. */
export const readEach = (text: string): number | null =>
  readEachRules(text).find(({ numbers, section }) => numbers === null && section === null)?.points ?? null

export function readSum(text: string): number[] | null {
  const parts = SUM.exec(text)?.[1]?.split('+').map(Number)
  return parts && parts.length > 1 ? parts : null
}

/** “(24 points; 2 each)” names 24. */
export function readNamedPoints(text: string): NamedPoints | null {
  if (!/[\d½]/.test(text)) return null
  const of = (match: RegExpExecArray | null, form: PointsForm, points?: number): NamedPoints | null => {
    const amount = points ?? amountOf(match?.[1])
    return match && amount > 0 && amount <= 500
      ? { points: amount, form, from: match.index, to: match.index + match[0].length }
      : null
  }
  const product = readProduct(text)
  if (product) return product
  const sum = SUM.exec(text)
  const parts = (readSum(text) ?? []).reduce((a, b) => a + b, 0)
  // “(2 + 3)” alone may be a sum to work out.
  if (sum && (Number(sum[2]) === parts || /[[\p{L}]/u.test(sum[0]))) return of(sum, 'unit', parts)
  const bracketed = of(BRACKETED.exec(text), 'unit')
  if (bracketed)
    return /^\D*\d+(?:[.,]\d+)?\s*-?\s*\w+\.?\s+(?:each|apiece|per)\b/i.test(text.slice(bracketed.from))
      ? null
      : bracketed
  if (readEach(text) !== null) return null
  for (const [pattern, form] of FORMS) {
    if (form === 'bare' && EVALUATED.test(text)) continue
    const found = of(pattern.exec(text), form)
    if (found) return found
  }
  return null
}

/** “(8 x 2)”, “[9 × 5 = 45 points]”; without words only with its result beside it: “(8 x 2) (16)”. */
function readProduct(text: string): NamedPoints | null {
  const match = PRODUCT.exec(text)
  if (!match) return null
  const [all, first, unit, second, otherUnit, equals] = match
  const factors: [number, number] = [amountOf(first), amountOf(second)]
  const points = factors[0] * factors[1]
  const beside = /^\s*[([]?\s*(\d{1,3})\s*[)\]]?\s*(?:[([]|$)/.exec(text.slice(match.index + all.length))?.[1]
  const said = unit || otherUnit || Number(equals) === points || Number(beside) === points
  return said && points > 0 && points <= 500
    ? { points, form: 'unit', from: match.index, to: match.index + all.length, factors }
    : null
}

export function readPercent(text: string): NamedPoints | null {
  const match = PERCENT.exec(text)
  return match ? { points: Number(match[1]), form: 'percent', from: match.index, to: text.length } : null
}

/** “(10 points)”, “[5 marks]”, “/10” or “[5]”, and the text without them. */
export function readPoints(text: string): { points: number; rest: string } | null {
  const found = readNamedPoints(text)
  // “(2) pencils” is an option.
  if (!found || (found.form === 'bare' && text.slice(found.to).trim() !== '')) return null
  const rest = `${text.slice(0, found.from)} ${text.slice(found.to)}`.replace(/\s+/g, ' ')
  return { points: found.points, rest: rest.replace(/\s+([.?!:])/g, '$1').trim() }
}

const TOTALS = [
  new RegExp(String.raw`\b(?:total|max(?:imum)?|full)\b[^\d\n]{0,24}?(?:_+\s*\/\s*)?${AMOUNT}(?:\s*${UNIT})?`, 'i'),
  new RegExp(String.raw`${AMOUNT}\s*${UNIT}\s*(?:in\s+)?(?:total|altogether|possible|available)`, 'i'),
  new RegExp(String.raw`\b(?:has|have|there\s+are|with|out\s+of|and)\s+${AMOUNT}\s*${UNIT}`, 'i'),
]

/** What a whole paper is worth: “Total: 50 points”, “Maximum marks: 40”, “(50 points total)”. */
export function readTotal(text: string): number | null {
  if (!/points?|pts|marks?|score/i.test(text)) return null
  for (const pattern of TOTALS) {
    const total = pattern.exec(text)
    if (total) return amountOf(total[1])
  }
  return null
}
