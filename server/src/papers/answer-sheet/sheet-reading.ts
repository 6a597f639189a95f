import type { Box } from '@assay/shared/papers.ts'
import type { GroupVerdict } from './judge-bubbles.ts'
import type { BubbleGroup, SheetDesign } from './sheet-design.ts'

/** Why nothing on a page is read: wrong or missing code, lost marks, misplaced bars, or too little contrast. */
export type SheetProblem = 'code' | 'marks' | 'bars' | 'contrast'

export interface GroupReading extends GroupVerdict {
  kind: BubbleGroup['kind']
  id: string
  /** Around its circles and label, in the picture's pixels. */
  box: Box
}

export interface SheetReading {
  problem: SheetProblem | null
  /** Empty with a problem. */
  groups: GroupReading[]
}

export interface SheetPageToRead {
  /** From 1. */
  filePage: number
  copyId: string
  /** From 1. */
  page: number
  design: SheetDesign
}

/** Boxes are in points of the file's page as it lies. */
export interface SheetPageReading extends SheetReading {
  filePage: number
}
