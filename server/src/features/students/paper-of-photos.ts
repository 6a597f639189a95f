import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { MAX_PDF_BYTES, MAX_PHOTOS } from '@assay/shared/rules/limits.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { ReceivedFile } from '../../lib/http/uploads.ts'
import { PaperError } from '../../papers/paper-error.ts'
import { picturesToPdf } from '../../papers/pdf/pictures-to-pdf.ts'
import type { PageOfPicture } from '../../papers/sheet/page-of-picture.ts'
import type { Services } from '../../services.ts'
import { assertNotStopped } from './hand-in.policy.ts'

/**
 * One PDF of photos, a page each, with the sheets found and straightened. `wholePages`, from 1, are those in which none was
 * found. `discard` deletes it; by then it is stored.
 * @throws {AppError} `files_refused`, with the reason for each photo that cannot become a page; `hand_in_refused` once `signal` aborts
 */
export async function paperOfPhotos(
  photos: readonly ReceivedFile[],
  { papers }: Pick<Services, 'papers'>,
  signal: AbortSignal,
): Promise<{ file: ReceivedFile; wholePages: number[]; discard: () => Promise<void> }> {
  const [first] = photos
  if (!first) throw new AppError('bad_request', 'Please select files to upload')
  if (photos.length > MAX_PHOTOS)
    throw new AppError('files_refused', `A paper may have ${MAX_PHOTOS} photos. Remove some, or hand in a PDF.`)
  const pages: PageOfPicture[] = []
  const problems: { loc: (string | number)[]; msg: string; type: string }[] = []
  // One after another: each may need most of a child's memory, and others' papers are read beside them.
  for (const [i, photo] of photos.entries())
    try {
      assertNotStopped(signal)
      pages.push(await papers.pageOfPicture({ file: photo.path, corners: 'find', turns: 0 }, { signal }))
    } catch (cause) {
      assertNotStopped(signal)
      if (!(cause instanceof PaperError)) throw cause
      problems.push({ loc: ['body', 'photos', i], msg: `${photo.name}: ${cause.message}`, type: cause.code })
    }
  if (problems.length > 0) {
    const list = problems.map(({ msg }) => msg).join('; ')
    throw new AppError('files_refused', `Some files were rejected: ${list}`, { details: problems })
  }
  const pdf = picturesToPdf(pages)
  if (pdf.length > MAX_PDF_BYTES) throw new AppError('files_refused', 'These photos are too many for one paper.')
  const path = `${first.path}.pdf`
  await writeFile(path, pdf, { mode: 0o600 })
  const name = `Photos (${pages.length} ${pages.length === 1 ? 'page' : 'pages'}).pdf`
  const hash = createHash('sha256').update(pdf).digest('hex')
  return {
    file: { field: 'photos', name, path, size: pdf.length, hash },
    wholePages: pages.flatMap(({ corners }, i) => (corners ? [] : [i + 1])),
    discard: () => rm(path, { force: true }),
  }
}
