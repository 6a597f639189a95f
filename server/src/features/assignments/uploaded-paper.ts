import type { ReceivedFile } from '../../lib/http/uploads.ts'

export interface UploadedPaper {
  file: ReceivedFile
  handwritten: boolean
}
