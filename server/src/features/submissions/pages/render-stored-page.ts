import type { Paper } from '@assay/shared/papers.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import { ReadingModel } from '../../../records/submissions/reading.model.ts'
import type { Services } from '../../../services.ts'

/** A page (from 1) as PNG, `width` pixels wide; upright once the paper has been read. */
export async function renderStoredPage(
  hash: string,
  page: number,
  width: number,
  { files, papers }: Pick<Services, 'files' | 'papers'>,
): Promise<Buffer> {
  try {
    const image = await papers.renderPage(await files.localPath(hash), page, { width })
    const turned = await findRotation(hash, page)
    if (turned === 0) return image
    const { default: sharp } = await import('sharp')
    return await sharp(image).rotate(turned).resize({ width }).png().toBuffer()
  } catch (cause) {
    if (!(cause instanceof PaperError)) throw cause
    throw new AppError(cause.code === 'no_such_page' ? 'resource_not_found' : 'bad_request', cause.message, {
      cause,
    })
  }
}

/** Degrees clockwise. */
async function findRotation(hash: string, page: number): Promise<number> {
  const fields = { 'paper.pages.number': 1, 'paper.pages.turned': 1 }
  const reading = await ReadingModel.findById(hash, fields).lean<{ paper: Pick<Paper, 'pages'> }>()
  return reading?.paper.pages.find(({ number }) => number === page)?.turned ?? 0
}
