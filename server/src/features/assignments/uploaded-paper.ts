import type { MatchReason } from '@assay/shared/match-reasons.ts'
import type { ReceivedFile } from '../../lib/http/uploads.ts'
import type { StoredPhoto } from '../../records/assignments/assignment.model.ts'

export interface UploadedPaper {
  file: ReceivedFile
  handwritten: boolean
  /** What it was made of, where it came as photos, and the draft they were. */
  photos?: StoredPhoto[]
  draft?: string
  /** Whose it is, as a teacher says; null: nobody's yet. Absent: by the file's name. */
  student?: { _id: number; username: string } | null
  /** It is nobody's because a teacher said so, not because nobody has. */
  isNobodys?: true
  /** The submission whose file it was part of. */
  splitFrom?: number
  /** Whose it is by what was read on it. */
  matched?: { student: { _id: number; username: string }; reason?: MatchReason | null }
}
