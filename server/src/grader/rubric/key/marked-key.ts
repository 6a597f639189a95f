import type { Cell, Paper } from '@assay/shared/papers.ts'
import { markedAmong } from '../../extraction/marked-options.ts'
import { matchBlankPages } from '../../layout/match-blank-pages.ts'
import { type OptionRegion, optionRegions } from '../../layout/option-regions.ts'
import { type PlacedLine, visibleLines } from '../../layout/paper-lines.ts'
import type { PrintedQuestion } from '../../layout/printed-question.ts'

interface Place {
  question: string
  place: OptionRegion
}

/**
 * The options a key marks in the blank's own print: ringed, ticked, or set off in bold, colour, highlight or underline. By question, as
 * the options are named.
 */
export function readMarkedKey(questions: readonly PrintedQuestion[], blank: Paper, key: Paper): Map<string, string> {
  const places = questions.flatMap((question): Place[] => {
    const truth = optionRegions(question, 'true_false', '', blank)
    const own = truth.length > 0 ? truth : optionRegions(question, 'choice', '', blank)
    return own.map((place) => ({ question: question.id, place }))
  })
  const found = new Map<string, string>()
  for (const [question, { values }] of markedAmong(places, blank, key)) found.set(question, values.join(', '))
  for (const [question, value] of setOff(places, blank, key)) if (!found.has(question)) found.set(question, value)
  return found
}

/** Where exactly some of a question's options are set in a style that the blank does not give them. */
function setOff(places: readonly Place[], blank: Paper, key: Paper): Map<string, string> {
  const pages = matchBlankPages(key, blank)
  const [blankLines, keyLines] = [visibleLines(blank), visibleLines(key)]
  const styled = places.filter(({ place }) => {
    const before = styleAt(blankLines, place.page, place, [place.box.y])
    for (const [page, { pages: of }] of pages) {
      const match = of.find(({ number }) => number === place.page)
      if (!match) continue
      const after = styleAt(keyLines, page, place, match.toPaperHeights(place.box.y))
      if (after !== '' && after !== before) return true
    }
    return false
  })
  const found = new Map<string, string>()
  for (const question of new Set(styled.map((one) => one.question))) {
    const own = styled.filter((one) => one.question === question)
    if (own.length < places.filter((one) => one.question === question).length)
      found.set(question, own.map(({ place }) => place.value).join(', '))
  }
  return found
}

/** How the words are set at an option's place; empty for plain text. */
function styleAt(
  lines: readonly PlacedLine[],
  page: number,
  { box }: OptionRegion,
  heights: readonly number[],
): string {
  const line = lines.find(
    (one) =>
      one.page === page &&
      heights.some((y) => Math.abs(one.box.y - y) < Math.max(4, box.height * 0.5)) &&
      covers(one.box, box),
  )
  const cell = line?.cells?.find((one) => covers(one, box))
  return cell ? styleOf(cell) : ''
}

const styleOf = ({ bold, colour, highlight, underlined }: Cell): string =>
  [bold ? 'bold' : '', colour ?? '', highlight ?? '', underlined ? 'underlined' : ''].join(' ').trim()

const covers = (a: { x: number; width: number }, b: { x: number; width: number }): boolean =>
  Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > Math.min(a.width, b.width) * 0.5
