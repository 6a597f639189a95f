import type { Paper } from '@assay/shared/papers.ts'
import mongoose from 'mongoose'

/** A paper as read, under its content's hash: the same file is read once. */
export interface ReadingDoc {
  _id: string
  reader_version: number
  paper: Paper
  read_at: Date
  /** What the codes printed on its pages say. Absent: nobody has looked. */
  codes?: { page: number; copy_id: string; blank_page: number }[]
}

const readingSchema = new mongoose.Schema<ReadingDoc>(
  {
    _id: String,
    reader_version: { type: Number, required: true },
    paper: { type: mongoose.Schema.Types.Mixed, required: true },
    read_at: { type: Date, required: true },
    codes: { type: mongoose.Schema.Types.Mixed },
  },
  { versionKey: false },
)
export const ReadingModel = mongoose.model('Reading', readingSchema, 'readings')
