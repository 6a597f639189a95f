import type { Box, Paper } from '@assay/shared/papers.ts'
import mongoose from 'mongoose'

/** Of a page of the file, from 1; `turns`: clockwise quarter turns that make it upright. Absent in what was read before there were answer sheets. */
export interface StoredCode {
  page: number
  copy_id: string
  blank_page: number
  turns?: 0 | 1 | 2 | 3
  /** Where the sheet lies on the page, absent in what was read earlier. */
  lies?: StoredPlace
}

/** `to_sheet` leads from the points of the page as it lies in the file to those of the sheet; the rest says how the blank is printed on it. `exact`: by its corner marks. */
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
    flag: 'none' | 'double' | 'faint' | 'erased' | 'unplaced' | null
    separation: number
    box: Box
  }[]
}

/** A paper as read, under its content's hash: the same file is read once. */
export interface ReadingDoc {
  _id: string
  reader_version: number
  paper: Paper
  read_at: Date
  /** What the codes printed on its pages say. Absent: nobody has looked. */
  codes?: StoredCode[]
  /** The circles filled on its pages that are answer sheets, by a version of the reader. Absent: nobody has looked. */
  sheets?: { reader_version: number; pages: StoredSheetPage[] }
}

const readingSchema = new mongoose.Schema<ReadingDoc>(
  {
    _id: String,
    reader_version: { type: Number, required: true },
    paper: { type: mongoose.Schema.Types.Mixed, required: true },
    read_at: { type: Date, required: true },
    codes: { type: mongoose.Schema.Types.Mixed },
    sheets: { type: mongoose.Schema.Types.Mixed },
  },
  { versionKey: false },
)
export const ReadingModel = mongoose.model('Reading', readingSchema, 'readings')
