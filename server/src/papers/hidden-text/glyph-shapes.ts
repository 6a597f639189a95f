import type { DrawnLetter, DrawnText } from '../pdf/pdfium-page.ts'

/** Fewer letters than this are not judged. */
const minLetters = 8
/** Honest fonts have almost no mismatched letters; misleading fonts have a third and more. */
const maxMismatchShare = 0.25

const xHeightLetters = new Set('acemnorsuvwxz')
const ascenderLetters = new Set('bdfhklABCDEFGHIKLMNOPRSTUVWXYZ')
const descenderLetters = new Set('gpqy')

/**
 * The drawn texts whose letters do not have the expected height: an “x” as high as an “h”, a “p” without a descender. Then the file's
 * text may differ from what the page shows, and OCR has to decide. Only upright Latin letters are judged, relative to the tallest letters
 * of their font, and row by row, since a single row may mislead.
 */
export function findMismatchedGlyphs(texts: readonly DrawnText[]): DrawnText[] {
  const fonts = Map.groupBy(texts, (text) => text.font)
  return [...fonts.values()].flatMap((own) => {
    const tallest = tallestAscent(own)
    const rows = Map.groupBy(own, (text) => Math.round((text.letters[0]?.origin[1] ?? 0) / 2))
    const odd = [...rows.values()].filter((row) => isMismatched(row, tallest))
    return isMismatched(own, tallest) ? own : odd.flat()
  })
}

const ascentOf = ({ rect, origin, size }: DrawnLetter): number => (rect[3] - origin[1]) / size
const descentOf = ({ rect, origin, size }: DrawnLetter): number => (origin[1] - rect[1]) / size

function tallestAscent(texts: readonly DrawnText[]): number {
  const rises = texts.flatMap(({ letters }) => letters.filter(hasInk).map(ascentOf)).sort((a, b) => a - b)
  return rises[Math.floor(rises.length * 0.95)] ?? 0
}

const hasInk = ({ rect, size }: DrawnLetter): boolean => rect[3] > rect[1] && rect[2] > rect[0] && size > 0

function isMismatched(texts: readonly DrawnText[], tallest: number): boolean {
  let [judged, odd] = [0, 0]
  for (const { letters } of texts)
    for (const one of letters) {
      const matches = hasInk(one) ? matchesExpectedHeight(one, tallest) : null
      if (matches === null) continue
      judged += 1
      if (!matches) odd += 1
    }
  return judged >= minLetters && odd > judged * maxMismatchShare
}

/** Null for letters without a typical height. */
function matchesExpectedHeight(one: DrawnLetter, tallest: number): boolean | null {
  const [up, down] = [ascentOf(one), descentOf(one)]
  if (xHeightLetters.has(one.letter)) return up < 0.86 * tallest && down < 0.15 * tallest
  if (ascenderLetters.has(one.letter)) return up > 0.8 * tallest
  if (descenderLetters.has(one.letter)) return down > 0.12 * tallest
  return null
}
