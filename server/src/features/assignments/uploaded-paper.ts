import type { MatchReason } from '@assay/shared/match-reasons.ts'
import type { ReceivedFile } from '../../lib/http/uploads.ts'
import type { StoredPhoto } from '../../records/assignments/assignment.model.ts'

export interface UploadedPaper {
  file: ReceivedFile
  handwritten: boolean
  photos?: StoredPhoto[]
  draft?: string
  /** As a teacher says; null: nobody's yet. Absent: by the file's name. */
  student?: { _id: number; username: string } | null
  isNobodys?: true
  splitFrom?: number
  matched?: { student: { _id: number; username: string }; reason?: MatchReason | null }
}
