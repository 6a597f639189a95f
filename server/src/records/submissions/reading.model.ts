import type { Box, Paper } from '@assay/shared/papers.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** `page` is of the file, from 1; clockwise `turns` make it upright. Absent in readings from before answer sheets. */
export interface StoredCode {
  page: number
  copy_id: string
  blank_page: number
  turns?: 0 | 1 | 2 | 3
  /** Absent in earlier readings. */
  lies?: StoredPlace
}

/** `to_sheet` maps the file's page in points to the sheet, the rest the blank onto it. `exact`: by corner marks. */
export interface StoredPlace {
  to_sheet: readonly number[]
  format: { name: 'a4' | 'letter' | 'legal' | 'a3'; landscape: boolean }
  reduction: number
  exact: boolean
}

/** Boxes are in points of the page as it lies in the file. */
export interface StoredSheetPage {
  page: number
  copy_id: string
  sheet_page: number
  problem: 'code' | 'marks' | 'bars' | 'contrast' | null
  groups: {
    kind: 'question' | 'digit' | 'version'
    id: string
    chosen: number | null
    flag: 'none' | 'double' | 'faint' | 'erased' | 'crossed' | 'unplaced' | null
    separation: number
    box: Box
  }[]
}

/** Under its content's hash, so that the same file is read once. */
export interface ReadingDoc {
  _id: string
  reader_version: number
  paper: Paper
  read_at: Date
  /** Of the printed codes. Absent: nobody has looked. */
  codes?: StoredCode[]
  /** Answer sheets by a version of the reader. Absent: nobody has looked. */
  sheets?: { reader_version: number; pages: StoredSheetPage[] }
}

const readingSchema = defineSchema<ReadingDoc>({
  _id: String,
  reader_version: { type: Number, required: true },
  paper: { type: Mixed, required: true },
  read_at: { type: Date, required: true },
  codes: { type: Mixed },
  sheets: { type: Mixed },
})
export const ReadingModel = defineModel('Reading', readingSchema, 'readings')
