import { randomUUID } from 'node:crypto'
import type { PhotoCorners, PhotoDoubt, PhotoDraft, PhotoTurns } from '@assay/shared/photo-drafts.ts'
import {
  MAX_DRAFT_BYTES,
  MAX_HAND_IN_BYTES,
  MAX_PDF_BYTES,
  MAX_PHOTO_BYTES_PER_HOUR,
  MAX_PHOTOS,
  PHOTO_DRAFT_DAYS,
} from '@assay/shared/rules/limits.ts'
import type { Clock } from '../../../lib/clock.ts'
import { unlessDuplicate } from '../../../lib/database/database.ts'
import { AppError, notFound, tooManyRequests } from '../../../lib/http/app-error.ts'
import { storeMadeFile } from '../../../lib/storage/file-store.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import type { PageOfPicture, PictureCorners } from '../../../papers/sheet/page-of-picture.ts'
import {
  bytesOfPage,
  type DraftPageDoc,
  type PhotoDraftDoc,
  PhotoDraftModel,
} from '../../../records/submissions/photo-draft.model.ts'
import type { Services } from '../../../services.ts'

export interface DraftOwner {
  assignmentId: number
  userId: number
}

const idOf = ({ assignmentId, userId }: DraftOwner) => `${assignmentId}/${userId}`

export const findDraft = (owner: DraftOwner): Promise<PhotoDraftDoc | null> =>
  PhotoDraftModel.findById(idOf(owner)).lean<PhotoDraftDoc>()

export async function requirePage(owner: DraftOwner, key: string): Promise<DraftPageDoc> {
  const page = (await findDraft(owner))?.pages.find((one) => one.key === key)
  if (!page) throw notFound('This photo does not exist any more.')
  return page
}

export async function changeDraft(
  owner: DraftOwner,
  now: Date,
  change: (pages: DraftPageDoc[]) => DraftPageDoc[],
): Promise<PhotoDraftDoc> {
  for (;;) {
    const draft = (await findDraft(owner)) ?? (await createDraft(owner, now))
    if (!draft) continue
    const pages = change(draft.pages)
    if (pages === draft.pages) return draft
    const changed = await PhotoDraftModel.findOneAndUpdate(
      { _id: draft._id, draft: draft.draft, revision: draft.revision },
      { $set: { pages, revision: draft.revision + 1, expires_at: expiry(now) } },
    ).lean<PhotoDraftDoc>()
    if (changed) return changed
  }
}

const expiry = (now: Date) => new Date(now.getTime() + PHOTO_DRAFT_DAYS * 24 * 60 * 60 * 1000)

async function createDraft(owner: DraftOwner, now: Date): Promise<PhotoDraftDoc | null> {
  const draft: PhotoDraftDoc = {
    _id: idOf(owner),
    draft: randomUUID(),
    assignment_id: owner.assignmentId,
    user_id: owner.userId,
    pages: [],
    revision: 0,
    expires_at: expiry(now),
  }
  return (await unlessDuplicate(PhotoDraftModel.create(draft))) && draft
}

const PDF_PAGE_BYTES = 2048

export const TOO_MANY_MESSAGE =
  'These photos are too many for one paper. Remove some, or crop them closer to the sheet.'

/** @throws {AppError} `files_refused` where a page, or a photo of so many bytes, is too much */
export function requireRoomFor(added: Pick<DraftPageDoc, 'photo' | 'sheet'> | number, pages: readonly DraftPageDoc[]) {
  if (pages.length >= MAX_PHOTOS)
    throw new AppError('files_refused', `A paper may have ${MAX_PHOTOS} photos. Remove some, or use a PDF.`)
  const all = typeof added === 'number' ? pages : [...pages, added]
  const pdf = all.reduce((sum, { sheet }) => sum + sheet.size + PDF_PAGE_BYTES, 0)
  if (pdf > MAX_PDF_BYTES) throw new AppError('files_refused', TOO_MANY_MESSAGE)
  const photos = all.reduce((sum, { photo }) => sum + photo.size + photo.view.size, 0)
  if (photos + pdf + (typeof added === 'number' ? added : 0) > MAX_HAND_IN_BYTES)
    throw new AppError(
      'files_refused',
      `The photos of a paper may take ${MAX_HAND_IN_BYTES / 2 ** 20} MB together. Remove some, or take them with fewer pixels.`,
    )
}

export function inOrder(pages: readonly DraftPageDoc[], keys: readonly string[]): DraftPageDoc[] {
  const named = [...new Set(keys)].flatMap((key) => pages.find((page) => page.key === key) ?? [])
  return [...named, ...pages.filter((page) => !named.includes(page))]
}

export async function deleteDraft(owner: DraftOwner): Promise<void> {
  await PhotoDraftModel.deleteOne({ _id: idOf(owner) })
}

/** Later changes stay as another draft, so that nobody takes them for handed in. */
export async function closeDraft(owner: DraftOwner, seen: { draft_id: string; revision: number }): Promise<void> {
  const draft = { _id: idOf(owner), draft: seen.draft_id }
  const { deletedCount } = await PhotoDraftModel.deleteOne({ ...draft, revision: seen.revision })
  if (deletedCount === 0) await PhotoDraftModel.updateOne(draft, { $set: { draft: randomUUID() } })
}

/** Behind the other account's pages. Idempotent. */
export async function reassignDrafts(from: number, to: number, now: Date): Promise<void> {
  for (const { _id, assignment_id: assignmentId, pages } of await PhotoDraftModel.find({ user_id: from }).lean<
    PhotoDraftDoc[]
  >()) {
    await changeDraft({ assignmentId, userId: to }, now, (own) => [
      ...own,
      ...pages.filter(({ key }) => !own.some((page) => page.key === key)),
    ])
    await PhotoDraftModel.deleteOne({ _id })
  }
}

export function presentDraft(draft: PhotoDraftDoc | null): PhotoDraft {
  if (!draft) return { id: null, revision: 0, expires_at: null, pages: [] }
  const { draft: id, revision, expires_at, pages } = draft
  return {
    id,
    revision,
    expires_at: pages.length > 0 ? expires_at.toISOString() : null,
    pages: pages.map(({ key, file_name, corners, turns, doubts, sheet }) => ({
      ...{ key, file_name, corners, turns, doubts },
      version: sheet.hash.slice(0, 16),
    })),
  }
}

type PaperServices = Pick<Services, 'papers' | 'files' | 'uploadFolder' | 'config'>

/** Below it, small writing is lost. */
const MIN_DPI = 110

/** A page for each sheet in the photo. @throws {AppError} `files_refused` */
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
    photo: { ...(await storeMadeFile(original, services)), type, view: await storeMadeFile(whole, services) },
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

/** Bytes a person this hour. Unreferenced files stay for an hour, so removing photos gives nothing back. */
export function createPhotoBudget(clock: Clock) {
  const spent = new Map<number, number>()
  let hour = 0
  return {
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

/** @throws {AppError} `files_refused` */
export async function requireRoomInDrafts(userId: number, bytes: number): Promise<void> {
  const drafts = await PhotoDraftModel.find({ user_id: userId }).lean<PhotoDraftDoc[]>()
  const pages: DraftPageDoc[] = drafts.flatMap((draft) => draft.pages)
  if (pages.reduce((sum, page) => sum + bytesOfPage(page), bytes) > MAX_DRAFT_BYTES)
    throw new AppError(
      'files_refused',
      'Your photos that are not handed in yet take too much room. Hand in or delete those of another assignment first.',
    )
}
