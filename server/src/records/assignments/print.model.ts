import mongoose from 'mongoose'

/** A copy of the blank: the code on its pages has its id. */
export interface PrintedCopyDoc {
  /** 20 random hexadecimal digits, in no other copy. */
  id: string
  /** From 1, of its assignment; random within a print, so that it tells nothing of names. */
  number: number
  /** Null: a spare copy. */
  student_id: number | null
}

/** What the answer sheets of a print ask: as the rubric was then. Sheets are read by it, whatever the rubric says now. */
export interface PrintedSheetDoc {
  layout: 1
  format: 'a4' | 'letter'
  /** With the words of the options, to notice that they have changed. */
  questions: { id: string; number: string; options: string[]; truth?: 'TF' | 'YN' }[]
  /** Of the grid for a student number, on copies for nobody in particular. */
  digits: number
  /** With circles for the version of the paper. */
  versions?: true
}

/** A print of an assignment's blank for the class. The PDF is not stored: it is drawn again from the same blank. */
export interface PrintDoc {
  _id: number
  assignment_id: number
  /** Of the blank as printed: a page of another blank has its places elsewhere. */
  blank_hash: string
  /** Of each copy. */
  pages: number
  names: boolean
  double_sided: boolean
  copies: PrintedCopyDoc[]
  /** Absent: copies of the blank. */
  sheet?: PrintedSheetDoc
  made_by: number
  at: Date
}

const printSchema = new mongoose.Schema<PrintDoc>(
  {
    _id: Number,
    assignment_id: { type: Number, required: true },
    blank_hash: { type: String, required: true },
    pages: { type: Number, required: true },
    names: { type: Boolean, required: true },
    double_sided: { type: Boolean, required: true },
    copies: [
      {
        _id: false,
        id: { type: String, required: true },
        number: { type: Number, required: true },
        student_id: { type: Number, default: null },
      },
    ],
    sheet: mongoose.Schema.Types.Mixed,
    made_by: { type: Number, required: true },
    at: { type: Date, required: true },
  },
  { versionKey: false },
)
printSchema.index({ assignment_id: 1 })
printSchema.index({ 'copies.id': 1 })
export const PrintModel = mongoose.model('Print', printSchema, 'prints')
