import type { HandInWindow } from '@assay/shared/rules/dates.ts'
import { MAX_HAND_IN_BYTES, MAX_ORIGINALS_BYTES } from '@assay/shared/rules/limits.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import { formatUtc, handInWindowOf } from '../assignments/assignment-dates.ts'

export const RELEASED_MESSAGE =
  'Your grade for this assignment has been released, so you can no longer hand in a paper. Ask your instructor if something is wrong.'

export const NO_ROOM_MESSAGE = `Your papers for this assignment may take ${MAX_HAND_IN_BYTES / 2 ** 20} MB together, earlier ones included. Hand in a smaller file, or ask your instructor. Your last paper is still there.`

export const NEWER_PAPER_MESSAGE =
  'You handed in another paper after this one was on its way, and that one counts. Hand this one in again if it is to count.'

export const NO_ROOM_FOR_PHOTOS_MESSAGE = `The photos of your papers for this assignment may take ${MAX_ORIGINALS_BYTES / 2 ** 30} GB together, earlier ones included. Hand in a PDF instead. Your last paper is still there.`

const STOPPED_MESSAGE = 'Handing in was stopped, and nothing was stored. Hand in again.'

/** A student who stopped is told that nothing was handed in. @throws {AppError} `hand_in_refused` */
export function assertNotStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('hand_in_refused', STOPPED_MESSAGE)
}

/** After deletion of student work the assignment stays closed until a teacher changes it, for instance its dates. */
export function workDeletedReason({
  work_deleted_at,
  updated_at,
}: Pick<AssignmentOverview, 'work_deleted_at' | 'updated_at'>): string | null {
  if (!work_deleted_at || updated_at > work_deleted_at) return null
  return `The papers and grades of this assignment were deleted on ${formatUtc(work_deleted_at)} under the retention rule. Ask your instructor if you need to hand in again.`
}

/** As a sentence for the student; null while papers are accepted. */
export function outsideWindowReason(
  assignment: Pick<AssignmentOverview, 'available_at' | 'work_deleted_at' | 'updated_at'>,
  { state, closes_at, due_at }: HandInWindow,
  now: Date,
): string | null {
  const { available_at } = assignment
  const deleted = workDeletedReason(assignment)
  if (deleted !== null) return deleted
  if (state === 'upcoming' && available_at)
    return `This assignment opens on ${formatUtc(available_at)}. Hand in your paper then.`
  if (state !== 'closed') return null
  const since = [closes_at, due_at].find((date) => date && date < now)
  return `This assignment closed${since ? ` on ${formatUtc(since)}` : ''}. Ask your instructor if you need more time.`
}

/** Ms, ms and bytes a ms. Who holds an upload open can still change the paper, so this must stay below a minute. */
const [LEAST_GRACE, MOST_GRACE, USUAL_LINE] = [20_000, 45_000, 64]

/** When a paper counts as handed in: when its upload began, but not longer before its end than its size explains. */
export function countingTime(sent: Date, received: Date, bytes: number): Date {
  const grace = Math.min(MOST_GRACE, LEAST_GRACE + bytes / USUAL_LINE)
  return new Date(Math.max(sent.getTime(), received.getTime() - grace))
}

/** @throws {AppError} `hand_in_refused` before the assignment opens and after it closes for this student */
export function requireOpenWindow(assignment: AssignmentOverview, studentId: number, now: Date): HandInWindow {
  const window = handInWindowOf(assignment, studentId, now)
  const why = outsideWindowReason(assignment, window, now)
  if (why !== null) throw new AppError('hand_in_refused', why)
  return window
}
