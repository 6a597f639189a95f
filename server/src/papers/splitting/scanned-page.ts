import type { Line } from '@assay/shared/papers.ts'
import type { QuarterTurns } from '../geometry/quarter-turns.ts'
import type { WrittenInk } from './written-ink.ts'

/** One page of a class scan as a child process has seen it. */
export interface ScannedPage {
  /** In its file, from 1. */
  number: number
  /** Of the page as scanned, in points. */
  width: number
  height: number
  /** Clockwise quarter turns that make it upright, as far as its print tells. */
  turns: QuarterTurns
  /** Nothing is on it but dust. */
  empty: boolean
  /** A separator sheet, which belongs to no paper. */
  separator: boolean
  blankPage: number | null
  sure: boolean
  /** Share of the blank's print that was found in its place. */
  share: number
  /** A small picture of it as it lies (JPEG). */
  picture: Buffer
  /** What was written on it, to notice a page that was scanned twice. Null where too little was. */
  written: WrittenInk | null
  /** Why it cannot be seen, in words for the teacher. */
  problem: string | null
}

/** What OCR read at the top of a page; the page's size is that of the page upright. */
export interface PageTop {
  number: number
  width: number
  height: number
  lines: Line[]
}
