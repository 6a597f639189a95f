import type { MatchReason } from '@assay/shared/match-reasons.ts'
import type { ReceivedFile } from '../../lib/http/uploads.ts'
import type { StoredPhoto } from '../../records/assignments/assignment.model.ts'

export interface UploadedPaper {
  file: ReceivedFile
  handwritten: boolean
  /** Of a paper that came as photos. */
  photos?: StoredPhoto[]
  draft?: string
  /** As a teacher says; null: nobody's yet. Absent: by the file's name. */
  student?: { _id: number; username: string } | null
  /** A teacher said that it is nobody's. */
  isNobodys?: true
  splitFrom?: number
  /** By what was read on it. */
  matched?: { student: { _id: number; username: string }; reason?: MatchReason | null }
}
