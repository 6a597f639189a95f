import type { ClassScanState, PageTurn, Split } from '@assay/shared/class-scans.ts'
import type { MatchReason } from '@assay/shared/match-reasons.ts'
import type { OwnerHint } from '../../grader/grader.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

export interface ProposedPageDoc {
  key: string
  page: number
  turn: PageTurn
  blank_page: number | null
  doubts: string[]
  /** Keys of the papers that lack just this page, where no code tells. */
  offers?: string[]
}

export interface ProposedPaperDoc {
  key: string
  pages: ProposedPageDoc[]
  notes: string[]
  student_id: number | null
  student_by: 'match' | 'code' | 'teacher' | null
  student_doubt: string | null
  match_reason?: MatchReason | null
  name_read: string | null
  checked: boolean
  /** Kept, so that making the PDF again stores nothing twice. */
  file?: { hash: string; size: number }
  submission_id?: number
}

export interface ProposalDoc {
  papers: ProposedPaperDoc[]
  dropped: ProposedPageDoc[]
  split: Split
}

const scanSchema = schemaOf(
  {
    _id: field.id(Number),
    assignment_id: field.custom<number>({ type: Number, required: true, index: true }),
    created_by: field.required(Number),
    created_at: field.required(Date),
    state: field.required<ClassScanState>(String),
    failure: field.nullable(String),
    files: field.required<{ hash: string; name: string; size: number; pages: number }[]>(Mixed),
    progress: field.required<{ step: 'pages' | 'names' | 'papers'; done: number; total: number }>(Mixed),
    proposal: field.required<ProposalDoc>(Mixed),
    /** False: split as its sheets show. */
    split_chosen: field.optional(Boolean),
    revision: field.required(Number),
    confirmed_by: field.optional(Number),
  },
  { minimize: false },
)
export type ClassScanDoc = DocOf<typeof scanSchema>
scanSchema.index({ 'files.hash': 1 })
export const ClassScanModel = defineModel('ClassScan', scanSchema, 'class_scans')

const pageSchema = schemaOf({
  _id: field.id(String),
  scan_id: field.required(Number),
  /** In the stack, from 1. */
  page: field.required(Number),
  /** `file` is an index of `files`, `number` the page there, from 1. */
  file: field.required(Number),
  number: field.required(Number),
  turn: field.required<PageTurn>(Number),
  empty: field.required(Boolean),
  separator: field.optional(Boolean),
  blank_page: field.nullable(Number),
  sure: field.required(Boolean),
  code: field.optional<{ copy_id: string; page: number } | null>(Mixed, null),
  picture: field.required(Buffer),
  problem: field.optional(String),
  /** To notice sheets scanned twice. */
  written: field.nullable<{ width: number; height: number; bits: Buffer }>(Mixed),
  /** Absent: nobody has looked. */
  hints: field.optional<OwnerHint[]>(Mixed),
})
export type ClassScanPageDoc = DocOf<typeof pageSchema>
pageSchema.index({ scan_id: 1, page: 1 })
export const ClassScanPageModel = defineModel('ClassScanPage', pageSchema, 'class_scan_pages')

const stepSchema = schemaOf(
  {
    _id: field.id(String),
    scan_id: field.required(Number),
    revision: field.required(Number),
    proposal: field.required<ProposalDoc>(Mixed),
  },
  { minimize: false },
)
stepSchema.index({ scan_id: 1, revision: -1 })
export const ClassScanStepModel = defineModel('ClassScanStep', stepSchema, 'class_scan_steps')
