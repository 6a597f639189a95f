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

/** “(2 points each)”, “each question is worth 5 marks”: points for the questions that follow, or null. */
export function readPointsEach(text: string): number | null {
  const each =
    new RegExp(
      String.raw`${AMOUNT}\s*-?\s*${UNIT}\s+(?:for\s+)?(?:each|per\s+(?:question|item|part|row|blank|gap|statement))\b`,
      'i',
    ).exec(text) ??
    new RegExp(String.raw`[([]\s*${AMOUNT}\s+each\s*[)\]]`, 'i').exec(text) ??
    new RegExp(String.raw`\beach\b.{0,40}?\bworth\s+${AMOUNT}\s*${UNIT}?`, 'i').exec(text)
  return each ? toPoints(each[1]) : null
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
