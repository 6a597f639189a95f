import type { Line } from '@assay/shared/papers.ts'
import type { QuarterTurns } from '../geometry/quarter-turns.ts'
import type { WrittenInk } from './written-ink.ts'

export interface ScannedPage {
  number: number
  /** As scanned, in points. */
  width: number
  height: number
  /** Clockwise, to make it upright, as far as its print tells. */
  turns: QuarterTurns
  /** Nothing but dust. */
  empty: boolean
  separator: boolean
  blankPage: number | null
  sure: boolean
  share: number
  picture: Buffer
  /** To notice a page scanned twice; null for too little writing. */
  written: WrittenInk | null
  /** In words for the teacher. */
  problem: string | null
}

/** The page's size is that of the page upright. */
export interface PageTop {
  number: number
  width: number
  height: number
  lines: Line[]
}
