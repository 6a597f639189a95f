import sharp from 'sharp'
import { PaperError } from '../../papers/paper-error.ts'

interface PagesRead<Page, Found> {
  found: Found[]
  failed: Map<Page, PaperError>
}

/** Else one by one, so that a bad page costs no other. @throws {PaperError} if none can be read; `cancelled` */
export async function readTogetherOrAlone<Page, Found>(
  pages: readonly Page[],
  read: (some: readonly Page[]) => Promise<Found[]>,
): Promise<PagesRead<Page, Found>> {
  const failed = new Map<Page, PaperError>()
  try {
    return { found: await read(pages), failed }
  } catch (error) {
    if (pages.length > 1) rethrowUnlessOfPage(error)
    else failed.set(pages[0] as Page, rethrowUnlessOfPage(error))
  }
  const found: Found[] = []
  for (const page of pages.length > 1 ? pages : [])
    try {
      found.push(...(await read([page])))
    } catch (error) {
      failed.set(page, rethrowUnlessOfPage(error))
    }
  const [first] = failed.values()
  if (first && pages.length > 1 && failed.size === pages.length) throw first
  return { found, failed }
}

function rethrowUnlessOfPage(error: unknown): PaperError {
  if (!(error instanceof PaperError) || error.code === 'cancelled') throw error
  return error
}

export const emptyPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 200, height: 283, channels: 3, background: '#ffffff' } })
    .jpeg()
    .toBuffer()
