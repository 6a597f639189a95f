import { readFile } from 'node:fs/promises'
import { MAX_PDF_BYTES } from '@assay/shared/rules/limits.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { storeMadeFile } from '../../lib/storage/store-made-file.ts'
import { picturesToPdf } from '../../papers/pdf/pictures-to-pdf.ts'
import type { StoredPhoto } from '../../records/assignments/assignment.model.ts'
import type { PhotoDraftDoc } from '../../records/submissions/photo-draft.model.ts'
import type { Services } from '../../services.ts'

/** A PDF that is in the store, with the photos it was made of. */
export interface PaperOfPhotos {
  file: { field: string; name: string; path: string; size: number; hash: string }
  photos: StoredPhoto[]
  draft: string
}

/** One PDF of a draft, a page each. The same draft makes the same file. */
export async function paperOfDraft(
  { draft, pages }: PhotoDraftDoc,
  services: Pick<Services, 'files' | 'config'>,
): Promise<PaperOfPhotos> {
  if (pages.length === 0) throw new AppError('bad_request', 'Add a photo first.')
  const jpegs: Buffer[] = []
  for (const { sheet } of pages) jpegs.push(await readFile(await services.files.localPath(sheet.hash)))
  const pdf = picturesToPdf(
    pages.map(({ pixels, points }, i) => ({ jpeg: jpegs[i] ?? Buffer.alloc(0), pixels, points })),
  )
  if (pdf.length > MAX_PDF_BYTES) throw new AppError('files_refused', 'These photos are too many for one paper.')
  const stored = await storeMadeFile(pdf, services)
  const name = `Photos (${pages.length} ${pages.length === 1 ? 'page' : 'pages'}).pdf`
  return { file: { field: 'photos', name, path: '', ...stored }, photos: pages.map(({ photo }) => photo), draft }
}
