import type { PageTurn } from '@assay/shared/class-scans.ts'
import sharp from 'sharp'
import { AppError } from '../../lib/http/app-error.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { ClassScanDoc, ClassScanPageDoc } from '../../records/submissions/class-scan.model.ts'
import type { Services } from '../../services.ts'

/** Of the large picture, in pixels: handwriting is read well at it. */
const LARGE_WIDTH = 1200

/** A page large enough to be read (JPEG). */
export async function drawScanPage(
  scan: ClassScanDoc,
  { file, number }: ClassScanPageDoc,
  turn: PageTurn,
  { files, papers }: Pick<Services, 'files' | 'papers'>,
): Promise<Buffer> {
  const path = await files.localPath(scan.files[file]?.hash ?? '')
  try {
    const png = await papers.renderPage(path, number, { width: LARGE_WIDTH })
    return await sharp(png).rotate(turn).jpeg({ quality: 75 }).toBuffer()
  } catch (cause) {
    if (!(cause instanceof PaperError)) throw cause
    throw new AppError('bad_request', cause.message, { cause })
  }
}
