import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

export interface PrintedCopyDoc {
  id: string
  /** From 1, in random order, so that it reveals no names. */
  number: number
  /** Null: a spare copy. */
  student_id: number | null
}

/** The rubric as printed, by which the sheets are read. */
export interface PrintedSheetDoc {
  layout: 1 | 2
  format: 'a4' | 'letter'
  questions: { id: string; number: string; options: string[]; truth?: 'TF' | 'YN' }[]
  digits: number
  versions?: true
}

/** The PDF is not stored but drawn again from the same blank. */
const printSchema = schemaOf({
  _id: field.id(Number),
  assignment_id: field.required(Number),
  /** Places differ on another blank. */
  blank_hash: field.required(String),
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
