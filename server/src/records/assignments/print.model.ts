import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

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
  layout: 1 | 2
  format: 'a4' | 'letter'
  /** With the options' words, to notice changes. */
  questions: { id: string; number: string; options: string[]; truth?: 'TF' | 'YN' }[]
  /** Of the grid for a student number, on spare copies. */
  digits: number
  versions?: true
}

/** The PDF is not stored: it is drawn again from the same blank. */
const printSchema = schemaOf({
  _id: field.id(Number),
  assignment_id: field.required(Number),
  /** Of the blank as printed, since places differ on another blank. */
  blank_hash: field.required(String),
  /** Of each copy. */
  pages: field.required(Number),
  names: field.required(Boolean),
  double_sided: field.required(Boolean),
  copies: field.custom<PrintedCopyDoc[]>([
    {
      _id: false,
      id: { type: String, required: true },
      number: { type: Number, required: true },
      student_id: { type: Number, default: null },
    },
  ]),
  /** Absent: copies of the blank. */
  sheet: field.optional<PrintedSheetDoc>(Mixed),
  made_by: field.required(Number),
  at: field.required(Date),
})
export type PrintDoc = DocOf<typeof printSchema>
printSchema.index({ assignment_id: 1 })
printSchema.index({ 'copies.id': 1 })
export const PrintModel = defineModel('Print', printSchema, 'prints')
