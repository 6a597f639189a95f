import type { Box } from '@assay/shared/papers.ts'
import type { GroupVerdict } from './judge-bubbles.ts'
import type { BubbleGroup, SheetDesign } from './sheet-design.ts'

/**
 * Why nothing on a page is read: its code cannot be read or is of another print, corner marks are lost, marks and codes or the bars at its
 * sides are not where they were printed, or print and paper hardly differ.
 */
export type SheetProblem = 'code' | 'marks' | 'bars' | 'contrast'

export interface GroupReading extends GroupVerdict {
  kind: BubbleGroup['kind']
  id: string
  /** Around its circles and its label, in pixels of the picture as it lies. */
  box: Box
}

export interface SheetReading {
  problem: SheetProblem | null
  /** Of all circles printed there; empty with a problem. */
  groups: GroupReading[]
}

/** A page of a file whose code is an answer sheet's. */
export interface SheetPageToRead {
  /** In the file, from 1. */
  filePage: number
  copyId: string
  /** Of the sheet, from 1. */
  page: number
  design: SheetDesign
}

/** Boxes are in points of the file's page as it lies. */
export interface SheetPageReading extends SheetReading {
  filePage: number
}
