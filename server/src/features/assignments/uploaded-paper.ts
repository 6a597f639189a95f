import type { ReceivedFile } from '../../lib/http/uploads.ts'

export interface UploadedPaper {
  file: ReceivedFile
  handwritten: boolean
  /** Whose it is, as a teacher says; null: nobody's yet. Absent: by the file's name. */
  student?: { _id: number; username: string } | null
}
