import { AppError } from '../../lib/app-error.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { Services } from '../../services.ts'

/** A page (from 1) as PNG, `width` pixels wide. */
export async function renderStoredPage(
  hash: string,
  page: number,
  width: number,
  { files, papers }: Services,
): Promise<Buffer> {
  try {
    return await papers.renderPage(await files.localPath(hash), page, { width })
  } catch (cause) {
    if (!(cause instanceof PaperError)) throw cause
    throw new AppError(cause.code === 'no_such_page' ? 'resource_not_found' : 'bad_request', cause.message, {
      cause,
    })
  }
}
