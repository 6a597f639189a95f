import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** Its id is in the code on its pages. */
export interface PrintedCopyDoc {
  /** 20 random hexadecimal digits, unique among all copies. */
  id: string
  /** From 1; random within a print, so that it reveals no names. */
  number: number
  /** Null: a spare copy. */
  student_id: number | null
}

/** As the rubric was when printed: sheets are read by it, whatever the rubric says now. */
export interface PrintedSheetDoc {
  layout: 1
  format: 'a4' | 'letter'
  /** With the options' words, to notice changes. */
  questions: { id: string; number: string; options: string[]; truth?: 'TF' | 'YN' }[]
  /** Of the grid for a student number, on spare copies. */
  digits: number
  versions?: true
}

/** The PDF is not stored: it is drawn again from the same blank. */
export interface PrintDoc {
  _id: number
  assignment_id: number
  /** Of the blank as printed, since places differ on another blank. */
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

const printSchema = defineSchema<PrintDoc>({
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
  sheet: Mixed,
  made_by: { type: Number, required: true },
  at: { type: Date, required: true },
})
printSchema.index({ assignment_id: 1 })
printSchema.index({ 'copies.id': 1 })
export const PrintModel = defineModel('Print', printSchema, 'prints')
