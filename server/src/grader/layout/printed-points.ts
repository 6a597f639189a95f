const UNIT = String.raw`(?:points?|pts?\b\.?|marks?|p\b\.?)`
const AMOUNT = String.raw`(\d{1,3}(?:[.,]\d{1,2})?|½)`

const PATTERNS = [
  // (10 points), [5 marks], (2 pts), (worth 4 points), (10 points total)
  new RegExp(
    String.raw`[([{]\s*(?:worth\s+|total(?:\s+of)?:?\s+)?${AMOUNT}\s*-?\s*${UNIT}\s*(?:total|in total|possible)?\s*[)\]}]`,
    'i',
  ),
  // worth 4 points; Points: 4
  new RegExp(String.raw`\bworth\s+${AMOUNT}\s*${UNIT}`, 'i'),
  new RegExp(String.raw`\b(?:points|marks)\s*[:=]\s*(?:_+\s*\/\s*)?${AMOUNT}\b`, 'i'),
  // 10 points, at the end of a line or after the label
  new RegExp(String.raw`(?:^|[\s–—:.-])${AMOUNT}\s*${UNIT}\s*\.?\s*$`, 'i'),
  // ___/10, (/10), [ /10 ]
  new RegExp(String.raw`(?:_+|[([]|\s|^)\s*\/\s*${AMOUNT}\s*[)\]]?\s*$`),
  // [10] or (10) closing the line
  new RegExp(String.raw`[([]\s*${AMOUNT}\s*[)\]]\s*$`),
]

interface PrintedPoints {
  points: number
  /** The text without them. */
  rest: string
}

/** The points printed in a line, or null: “(10 points)”, “[5 marks]”, “/10”, “(2 pts)”, “10 Points”, “[5]”. */
export function readPoints(text: string): PrintedPoints | null {
  // “(2 points each)” speaks of several questions; a year in brackets is no mark.
  if (readPointsEach(text) !== null) return null
  for (const pattern of PATTERNS) {
    const match = pattern.exec(text)
    if (!match) continue
    const points = toPoints(match[1])
    if (points <= 0 || points > 500) continue
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
    return {
      points,
      rest: rest
        .replace(/\s+/g, ' ')
        .replace(/\s+([.?!:])/g, '$1')
        .trim(),
    }
  }
  return null
}

const EACH_AMOUNT = String.raw`(\d{1,3}(?:[.,]\d{1,2})?|½|half|one|two|three|four|five|six|eight|ten)`
const ITEM = String.raw`(?:correct\s+)?(?:question|item|part|row|blank|gap|statement|answer|option|word|sentence)`
const EACH = [
  // (2 points each), one mark for each correct answer, 2 pts per question
  new RegExp(
    String.raw`\b${EACH_AMOUNT}\s*-?\s*${UNIT}\s+(?:for\s+)?(?:each\b|apiece\b|per\s+${ITEM}\b|(?:for\s+)?every\s+${ITEM}\b)`,
    'i',
  ),
  new RegExp(String.raw`[([]\s*${EACH_AMOUNT}\s+each\s*[)\]]`, 'i'),
  // each question is worth 5 marks; every correct answer scores 2
  new RegExp(
    String.raw`\b(?:each|every|all)\b.{0,40}?\b(?:worth|scores?|earns?|carr(?:y|ies)|gives?)\s+${EACH_AMOUNT}\s*${UNIT}?(?!\s*[-–]\s*\d)`,
    'i',
  ),
]
const NUMBER_WORDS: Record<string, number> = {
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

/** “(2 points each)”, “each question is worth 5 marks”: points for the questions that follow, or null. */
export function readPointsEach(text: string): number | null {
  for (const pattern of EACH) {
    const amount = pattern.exec(text)?.[1]?.toLowerCase()
    if (amount) return NUMBER_WORDS[amount] ?? toPoints(amount)
  }
  return null
}

/** “Total: 50 points”, “Maximum marks: 40”, “(50 points total)”: what the whole paper is worth, or null. */
export function readTotal(text: string): number | null {
  const total =
    new RegExp(
      String.raw`\b(?:total|max(?:imum)?|full)\b[^\d\n]{0,24}?(?:_+\s*\/\s*)?${AMOUNT}(?:\s*${UNIT})?`,
      'i',
    ).exec(text) ?? new RegExp(String.raw`${AMOUNT}\s*${UNIT}\s*(?:in\s+)?(?:total|altogether)`, 'i').exec(text)
  return total && /points?|pts|marks?|score/i.test(text) ? toPoints(total[1]) : null
}

const toPoints = (text: string | undefined) => (text === '½' ? 0.5 : Number((text ?? '').replace(',', '.')))
