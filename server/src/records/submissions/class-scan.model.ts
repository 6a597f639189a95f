import type { ClassScanState, PageTurn, Split } from '@assay/shared/class-scans.ts'
import type { MatchReason } from '@assay/shared/match-reasons.ts'
import type { OwnerHint } from '../../grader/grader.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** Where it lies in which file is in `ClassScanPageDoc`. */
export interface ProposedPageDoc {
  key: string
  page: number
  turn: PageTurn
  blank_page: number | null
  doubts: string[]
  /** Keys of the papers that lack just this page, where no code says whose it is. */
  offers?: string[]
}

export interface ProposedPaperDoc {
  key: string
  pages: ProposedPageDoc[]
  notes: string[]
  student_id: number | null
  student_by: 'match' | 'code' | 'teacher' | null
  student_doubt: string | null
  /** The text of the student's that was matched. */
  match_reason?: MatchReason | null
  name_read: string | null
  checked: boolean
  /** Its PDF once made, so that making it again stores nothing twice. */
  file?: { hash: string; size: number }
  submission_id?: number
}

export interface ProposalDoc {
  papers: ProposedPaperDoc[]
  dropped: ProposedPageDoc[]
  split: Split
}

export interface ClassScanDoc {
  _id: number
  assignment_id: number
  created_by: number
  created_at: Date
  state: ClassScanState
  failure: string | null
  /** In the order of the stack. */
  files: { hash: string; name: string; size: number; pages: number }[]
  progress: { step: 'pages' | 'names' | 'papers'; done: number; total: number }
  proposal: ProposalDoc
  /** Absent or false: it is split as its sheets show. */
  split_chosen?: boolean
  /** Incremented by every change of the proposal. */
  revision: number
  confirmed_by?: number
}

const scanSchema = defineSchema<ClassScanDoc>(
  {
    _id: Number,
    assignment_id: { type: Number, required: true, index: true },
    created_by: { type: Number, required: true },
    created_at: { type: Date, required: true },
    state: { type: String, required: true },
    failure: { type: String, default: null },
    files: { type: Mixed, required: true },
    progress: { type: Mixed, required: true },
    proposal: { type: Mixed, required: true },
    split_chosen: Boolean,
    revision: { type: Number, required: true },
    confirmed_by: Number,
  },
  { minimize: false },
)
scanSchema.index({ 'files.hash': 1 })
export const ClassScanModel = defineModel('ClassScan', scanSchema, 'class_scans')

export interface ClassScanPageDoc {
  _id: string
  scan_id: number
  /** In the stack, from 1. */
  page: number
  /** `file` is an index of `files`, `number` the page there, from 1. */
  file: number
  number: number
  turn: PageTurn
  empty: boolean
  separator?: boolean
  blank_page: number | null
  sure: boolean
  /** By its printed code. Absent or null: none was read. */
  code?: { copy_id: string; page: number } | null
  picture: Buffer
  /** Why it could not be looked at. Absent: it was. */
  problem?: string
  /** To notice that a sheet was scanned twice. */
  written: { width: number; height: number; bits: Buffer } | null
  /** Read where a name or number may stand. Absent: nobody has looked. */
  hints?: OwnerHint[]
}

const pageSchema = defineSchema<ClassScanPageDoc>({
  _id: String,
  scan_id: { type: Number, required: true },
  page: { type: Number, required: true },
  file: { type: Number, required: true },
  number: { type: Number, required: true },
  turn: { type: Number, required: true },
  empty: { type: Boolean, required: true },
  separator: Boolean,
  blank_page: { type: Number, default: null },
  sure: { type: Boolean, required: true },
  code: { type: Mixed, default: null },
  picture: { type: Buffer, required: true },
  problem: String,
  written: { type: Mixed, default: null },
  hints: { type: Mixed },
})
pageSchema.index({ scan_id: 1, page: 1 })
export const ClassScanPageModel = defineModel('ClassScanPage', pageSchema, 'class_scan_pages')

/** The papers before a change, to undo it. */
export interface ClassScanStepDoc {
  _id: string
  scan_id: number
  revision: number
  proposal: ProposalDoc
}

const stepSchema = defineSchema<ClassScanStepDoc>(
  {
    _id: String,
    scan_id: { type: Number, required: true },
    revision: { type: Number, required: true },
    proposal: { type: Mixed, required: true },
  },
  { minimize: false },
)
stepSchema.index({ scan_id: 1, revision: -1 })
export const ClassScanStepModel = defineModel('ClassScanStep', stepSchema, 'class_scan_steps')
