import { MAX_DRAFT_BYTES, MAX_PHOTO_BYTES_PER_HOUR } from '@assay/shared/rules/limits.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError, tooManyRequests } from '../../lib/http/app-error.ts'
import {
  bytesOfPage,
  type DraftPageDoc,
  type PhotoDraftDoc,
  PhotoDraftModel,
} from '../../records/submissions/photo-draft.model.ts'

const HOUR_MS = 60 * 60 * 1000

export type PhotoBudget = ReturnType<typeof createPhotoBudget>

/** What each person has had stored in this hour. A file that nothing refers to stays for an hour, so removing photos gives nothing back. */
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
