import { randomUUID } from 'node:crypto'
import type { PhotoCorners, PhotoDoubt, PhotoTurns } from '@assay/shared/photo-drafts.ts'
import { MAX_DRAFT_BYTES, MAX_PHOTO_BYTES_PER_HOUR } from '@assay/shared/rules/limits.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError, tooManyRequests } from '../../lib/http/app-error.ts'
import { storeMadeFile } from '../../lib/storage/file-store.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { PageOfPicture, PictureCorners } from '../../papers/sheet/page-of-picture.ts'
import type { DraftPageDoc, PhotoDraftDoc } from '../../records/submissions/photo-draft.model.ts'
import { bytesOfPage, PhotoDraftModel } from '../../records/submissions/photo-draft.model.ts'
import type { Services } from '../../services.ts'

type PaperServices = Pick<Services, 'papers' | 'files' | 'uploadFolder' | 'config'>

/** Below it, small writing is lost. */
const MIN_DPI = 110

/** A page for each sheet in the photo, with their files stored. @throws {AppError} `files_refused` with the reason */
export async function addedPages(
  key: string,
  photo: { path: string; name: string },
  services: PaperServices,
  signal: AbortSignal,
): Promise<DraftPageDoc[]> {
  const page = await convert(photo.name, { file: photo.path, corners: 'find', turns: 0 }, services, signal)
  const { original, whole, type, corners, others } = page
  const first: DraftPageDoc = {
    key,
    file_name: photo.name,
    photo: {
      ...(await storeMadeFile(original, services)),
      type,
      view: await storeMadeFile(whole, services),
    },
    corners: corners && toPhotoCorners(corners),
    turns: 0,
    doubts: [...(corners ? [] : ['no_edges' as const]), ...farDoubt(page)],
    ...(await storedSheet(page, services)),
  }
  const pages = [first]
  for (const other of others) {
    const next = await changedPage(first, { corners: toPhotoCorners(other), turns: 0 }, services, signal)
    pages.push({ ...next, key: randomUUID() })
  }
  return pages
}

const toPhotoCorners = (corners: PictureCorners) => corners.map(([x, y]) => [x, y]) as PhotoCorners

/** Cropped or turned by a person, so the edges are no longer in doubt. */
export async function changedPage(
  page: DraftPageDoc,
  { corners, turns }: { corners: PhotoCorners | null; turns: PhotoTurns },
  services: PaperServices,
  signal: AbortSignal,
): Promise<DraftPageDoc> {
  const file = await services.files.localPath(page.photo.hash)
  const made = await convert(page.file_name, { file, corners, turns }, services, signal)
  return { ...page, corners, turns, doubts: farDoubt(made), ...(await storedSheet(made, services)) }
}

const farDoubt = ({ corners, pixels, points }: PageOfPicture): PhotoDoubt[] =>
  corners && (72 * pixels.width) / points.width < MIN_DPI ? ['far'] : []

async function storedSheet({ jpeg, preview, pixels, points }: PageOfPicture, services: PaperServices) {
  return { sheet: await storeMadeFile(jpeg, services), preview: await storeMadeFile(preview, services), pixels, points }
}

async function convert(
  name: string,
  task: { file: string; corners: PhotoCorners | 'find' | null; turns: PhotoTurns },
  { papers }: PaperServices,
  signal: AbortSignal,
): Promise<PageOfPicture> {
  try {
    return await papers.pageOfPicture(task, { signal })
  } catch (cause) {
    if (!(cause instanceof PaperError)) throw cause
    if (signal.aborted) throw new AppError('bad_request', 'The upload was interrupted. Please try again.', { cause })
    const details = [{ loc: ['body', 'photo'], msg: cause.message, type: cause.code }]
    throw new AppError('files_refused', `${name}: ${cause.message}`, { details, cause })
  }
}

const HOUR_MS = 60 * 60 * 1000

/** Bytes stored per person this hour. Unreferenced files stay for an hour, so removing photos gives nothing back. */
export function createPhotoBudget(clock: Clock) {
  const spent = new Map<number, number>()
  let hour = 0
  return {
    /** @throws {AppError} `rate_limit_exceeded` where so many bytes more are too many */
    spend(userId: number, bytes: number): void {
      const now = clock.now().getTime()
      if (Math.floor(now / HOUR_MS) !== hour) {
        hour = Math.floor(now / HOUR_MS)
        spent.clear()
      }
      const total = (spent.get(userId) ?? 0) + bytes
      if (total > MAX_PHOTO_BYTES_PER_HOUR) throw tooManyRequests(Math.ceil(((hour + 1) * HOUR_MS - now) / 1000))
      spent.set(userId, total)
    },
  }
}

/** @throws {AppError} `files_refused` where all photos of a person that wait take too much room */
export async function requireRoomInDrafts(userId: number, bytes: number): Promise<void> {
  const drafts = await PhotoDraftModel.find({ user_id: userId }).lean<PhotoDraftDoc[]>()
  const pages: DraftPageDoc[] = drafts.flatMap((draft) => draft.pages)
  if (pages.reduce((sum, page) => sum + bytesOfPage(page), bytes) > MAX_DRAFT_BYTES)
    throw new AppError(
      'files_refused',
      'Your photos that are not handed in yet take too much room. Hand in or delete those of another assignment first.',
    )
}
