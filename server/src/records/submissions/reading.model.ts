import type { Box, Paper } from '@assay/shared/papers.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

/** `page` of the file, from 1; `turns` clockwise make it upright. */
export interface StoredCode {
  page: number
  copy_id: string
  blank_page: number
  turns?: 0 | 1 | 2 | 3
  lies?: StoredPlace
}

/** `to_sheet` maps the page in points to the sheet, the rest the blank onto it. `exact`: by corner marks. */
export interface StoredPlace {
  to_sheet: readonly number[]
  format: { name: 'a4' | 'letter' | 'legal' | 'a3'; landscape: boolean }
  reduction: number
  exact: boolean
}

/** Boxes are points of the page as in the file. */
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

/** Under its content's hash, so that a file is read once. */
const readingSchema = schemaOf({
  _id: field.id(String),
  reader_version: field.required(Number),
  paper: field.required<Paper>(Mixed),
  read_at: field.required(Date),
  codes: field.optional<StoredCode[]>(Mixed),
  /** Answer sheets. Absent: nobody has looked. */
  sheets: field.optional<{ reader_version: number; pages: StoredSheetPage[] }>(Mixed),
})
export type ReadingDoc = DocOf<typeof readingSchema>
export const ReadingModel = defineModel('Reading', readingSchema, 'readings')
