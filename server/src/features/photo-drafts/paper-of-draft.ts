import { readFile } from 'node:fs/promises'
import { MAX_PDF_BYTES } from '@assay/shared/rules/limits.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { storeMadeFile } from '../../lib/storage/store-made-file.ts'
import { picturesToPdf } from '../../papers/pdf/pictures-to-pdf.ts'
import type { StoredPhoto } from '../../records/assignments/assignment.model.ts'
import type { PhotoDraftDoc } from '../../records/submissions/photo-draft.model.ts'
import type { Services } from '../../services.ts'
import { TOO_MANY_MESSAGE } from './photo-draft.service.ts'

/** A PDF that is in the store, with the photos it was made of. */
export interface PaperOfPhotos {
  file: { field: string; name: string; path: string; size: number; hash: string }
  photos: StoredPhoto[]
  /** Which draft, and as it was when. */
  draft: string
}

/** By it a paper is known to be a draft that is handed in again. */
export const draftAsSeen = ({ draft_id, revision }: { draft_id: string; revision: number }) => `${draft_id}/${revision}`

/** One PDF of a draft, a page each. The same draft makes the same file. */
export async function paperOfDraft(
  { draft, revision, pages }: PhotoDraftDoc,
  services: Pick<Services, 'files' | 'uploadFolder' | 'config'>,
): Promise<PaperOfPhotos> {
  if (pages.length === 0) throw new AppError('bad_request', 'Add a photo first.')
  const jpegs: Buffer[] = []
  for (const { sheet } of pages) jpegs.push(await readFile(await services.files.localPath(sheet.hash)))
  const pdf = picturesToPdf(
    pages.map(({ pixels, points }, i) => ({ jpeg: jpegs[i] ?? Buffer.alloc(0), pixels, points })),
  )
  if (pdf.length > MAX_PDF_BYTES) throw new AppError('files_refused', TOO_MANY_MESSAGE)
  const stored = await storeMadeFile(pdf, services)
  await keepPhotos(pages, services)
  const name = `Photos (${pages.length} ${pages.length === 1 ? 'page' : 'pages'}).pdf`
  return {
    file: { field: 'photos', name, path: '', ...stored },
    photos: pages.map(({ photo }) => photo),
    draft: draftAsSeen({ draft_id: draft, revision }),
  }
}

/** They may be old: until the paper refers to them, the draft may be gone, and no sweep may delete them. */
async function keepPhotos(pages: PhotoDraftDoc['pages'], { files }: Pick<Services, 'files'>): Promise<void> {
  for (const { photo, file_name } of pages)
    for (const hash of [photo.hash, photo.view.hash])
      if (!(await files.keep(hash)))
        throw new AppError('conflict', `${file_name} is not stored any more. Remove it, and add it again.`)
}
