import type { Page } from '@assay/shared/papers.ts'
import { chain, fitTransform, type Transform } from '../../lib/plane-transform.ts'
import { cornersOf } from '../geometry/matrix.ts'
import { type QuarterTurns, unrotateBox } from '../geometry/quarter-turns.ts'
import type { FoundPageCode } from './find-page-code.ts'
import type { PageCode } from './page-code.ts'
import { type Size, sheetToBlank } from './sheet-layout.ts'

/** With fewer, a page seen at an angle is off by up to 30 points, as the codes alone give no perspective. */
const LEAST_MARKS = 4
/** In points; a mark that disagrees with the codes by more is something else that is round. */
const MOST_DISAGREEMENT = 4

export const isPlacedByMarks = ({ marks, codeError }: Pick<FoundPageCode, 'marks' | 'codeError'>): boolean =>
  marks >= LEAST_MARKS && codeError <= MOST_DISAGREEMENT

interface PlacedSheet extends Pick<PageCode, 'format' | 'reduction'> {
  toSheet: Transform
}

export function pageToBlank(
  { width, height, turned }: Pick<Page, 'width' | 'height' | 'turned'>,
  { toSheet, ...printed }: PlacedSheet,
  blankPage: Size,
): Transform {
  const turns = ((turned ?? 0) / 90) as QuarterTurns
  const size = turns % 2 ? { width: height, height: width } : { width, height }
  const pairs = cornersOf({ x: 0, y: 0, width, height }).map(([x, y]) => {
    const place = unrotateBox({ x, y, width: 0, height: 0 }, turns, size)
    return { from: [x, y] as const, to: [place.x, place.y] as const }
  })
  const toFile = fitTransform(pairs, 'similarity') ?? [1, 0, 0, 0, 1, 0, 0, 0, 1]
  return chain(chain(toFile, toSheet), sheetToBlank(printed, blankPage))
}
