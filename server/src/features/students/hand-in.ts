import type { HandInWindow } from '@assay/shared/rules/dates.ts'
import { MAX_HAND_IN_BYTES, MAX_ORIGINALS_BYTES } from '@assay/shared/rules/limits.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import type { AssignmentOverview, StoredPhoto } from '../../records/assignments/assignment.model.ts'
import { peopleOf } from '../../records/submissions/people-of-paper.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { assignmentExists } from '../assignments/assignment.service.ts'
import { formatUtc, handInWindowOf } from '../assignments/assignment-dates.ts'
import { hasRelease } from '../grades/release.service.ts'
import { findGroupOf, memberIds } from '../submissions/group-members.ts'
import { type HandedInPaper, insertHandedInPaper, replaceWithHandedInPaper } from '../submissions/handed-in-paper.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { deleteSubmissionRows } from '../submissions/submission.service.ts'
import { findNewestSubmission, findPaperOfPhotoDraft } from '../submissions/submission-queries.ts'
import { deleteAnswers, deleteTranscriptions } from '../transcriptions/transcription.service.ts'

export const RELEASED_MESSAGE =
  'Your grade for this assignment has been released, so you can no longer hand in a paper. Ask your instructor if something is wrong.'

const NO_ROOM_MESSAGE = `Your papers for this assignment may take ${MAX_HAND_IN_BYTES / 2 ** 20} MB together, earlier ones included. Hand in a smaller file, or ask your instructor. Your last paper is still there.`

const NEWER_PAPER_MESSAGE =
  'You handed in another paper after this one was on its way, and that one counts. Hand this one in again if it is to count.'

const NO_ROOM_FOR_PHOTOS_MESSAGE = `The photos of your papers for this assignment may take ${MAX_ORIGINALS_BYTES / 2 ** 30} GB together, earlier ones included. Hand in a PDF instead. Your last paper is still there.`

const STOPPED_MESSAGE = 'Handing in was stopped, and nothing was stored. Hand in again.'

/** The assignment stays closed until a teacher changes it, for instance its dates. */
function workDeletedReason({
  work_deleted_at,
  updated_at,
}: Pick<AssignmentOverview, 'work_deleted_at' | 'updated_at'>): string | null {
  if (!work_deleted_at || updated_at > work_deleted_at) return null
  return `The papers and grades of this assignment were deleted on ${formatUtc(work_deleted_at)} under the retention rule. Ask your instructor if you need to hand in again.`
}

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

/** Ms, ms, bytes a ms. Below a minute, as who holds an upload open can still change the paper. */
const [LEAST_GRACE, MOST_GRACE, USUAL_LINE] = [20_000, 45_000, 64]

/** When its upload began, but not longer before its end than its size explains. */
export function countingTime(sent: Date, received: Date, bytes: number): Date {
  const grace = Math.min(MOST_GRACE, LEAST_GRACE + bytes / USUAL_LINE)
  return new Date(Math.max(sent.getTime(), received.getTime() - grace))
}

/** @throws {AppError} `hand_in_refused` before the assignment opens and after it closes for this student’s group */
export async function requireOpenWindow(
  assignment: AssignmentOverview,
  studentId: number,
  now: Date,
): Promise<HandInWindow> {
  const members = memberIds(await findGroupOf(assignment._id, studentId))
  const window = handInWindowOf(assignment, [studentId, ...members], now)
  const why = outsideWindowReason(assignment, window, now)
  if (why !== null) throw new AppError('hand_in_refused', why)
  return window
}

export async function assertNotReleased(assignment: AssignmentOverview, student: { id: number }): Promise<void> {
  if (await hasRelease(student.id, assignment._id)) throw new AppError('hand_in_refused', RELEASED_MESSAGE)
}

export async function wasHandedIn(student: { id: number }, assignmentId: number, draft: string): Promise<boolean> {
  const paper = await findPaperOfPhotoDraft(assignmentId, draft)
  return paper !== null && peopleOf(paper).includes(student.id)
}

/**
 * Replaces an earlier file, even a teacher's, which stays as an attempt, and deletes its unreleased grade.
 * @throws {AppError} `hand_in_refused` when the grade is released, student work is being deleted, the attempts take
 * too much room, the student has stopped, or has handed in a paper that was sent later
 */
export async function handIn(
  assignment: AssignmentOverview,
  paper: HandedInPaper,
  services: Services,
  signal: AbortSignal,
): Promise<SubmissionDoc> {
  // Deletion may have begun during the upload, and leave this paper alone in an emptied class.
  const deleted = workDeletedReason(assignment)
  if (deleted !== null) throw new AppError('hand_in_refused', deleted)
  // Before it takes any room itself.
  assertRoomForAttempt(await findNewestSubmission(paper.student._id, assignment._id), paper)
  await services.files.store(paper.file.path, paper.file.hash)
  for (;;) {
    const own = await findNewestSubmission(paper.student._id, assignment._id)
    if (own?.file.hash === paper.file.hash) return own
    if (own?.grade?.released) throw new AppError('hand_in_refused', RELEASED_MESSAGE)
    await assertNotReleased(assignment, { id: paper.student._id })
    const now = services.clock.now()
    if (own && isNewer(own, paper, now)) throw new AppError('hand_in_refused', NEWER_PAPER_MESSAGE)
    assertRoomForAttempt(own, paper)
    if (signal.aborted) throw new AppError('hand_in_refused', STOPPED_MESSAGE)
    const stored = own ? await replaceFile(own, paper, now) : await insertHandedInPaper(assignment, paper, now)
    // From two devices at once, or released or deleted in between: try again.
    if (!stored) continue
    if (!(await assignmentExists(assignment._id))) {
      // The deletion had looked for submissions before this one was stored.
      await deleteSubmissionRows([stored])
      throw notFound('This assignment has been deleted.')
    }
    await notifySubmissionChanged(stored, services)
    return stored
  }
}

/** Handed in after this upload began. A future time is a clock set back. */
const isNewer = ({ handed_in_by, created_at }: SubmissionDoc, { at }: HandedInPaper, now: Date): boolean =>
  handed_in_by === 'student' && created_at > at && created_at <= now

/** Photos count separately, so that a student with large ones can still hand in a PDF. Each file counts once. */
function assertRoomForAttempt(own: SubmissionDoc | null, paper: Pick<HandedInPaper, 'file' | 'photos'>): void {
  if (own?.file.hash === paper.file.hash) return
  const earlier = own ? [own.file, ...(own.attempts ?? []).map(({ file }) => file)] : []
  if (bytesOf([paper.file, ...earlier]) > MAX_HAND_IN_BYTES) throw new AppError('hand_in_refused', NO_ROOM_MESSAGE)
  if (paper.photos) assertRoomForPhotos(own, paper.photos)
}

/** @throws {AppError} `hand_in_refused` where all the student's photos take too much room */
export function assertRoomForPhotos(own: SubmissionDoc | null, photos: readonly StoredPhoto[]): void {
  const earlier = own ? [own.file, ...(own.attempts ?? []).map(({ file }) => file)] : []
  const all = [...photos, ...earlier.flatMap((file) => file.photos ?? [])]
  if (bytesOf(all.flatMap((photo) => [photo, photo.view])) > MAX_ORIGINALS_BYTES)
    throw new AppError('hand_in_refused', NO_ROOM_FOR_PHOTOS_MESSAGE)
}

const bytesOf = (files: readonly { hash: string; size: number }[]): number =>
  [...new Map(files.map(({ hash, size }) => [hash, size])).values()].reduce((sum, size) => sum + size, 0)

const IN_PROGRESS: SubmissionDoc['status'][] = ['queued', 'reading', 'grading']

async function replaceFile(own: SubmissionDoc, paper: HandedInPaper, now: Date): Promise<SubmissionDoc | null> {
  const replaced = await replaceWithHandedInPaper(own, paper, now)
  if (!replaced) return null
  await deleteTranscriptions([own._id])
  // While it is being graded, the run does this when it ends.
  if (!IN_PROGRESS.includes(own.status)) await deleteAnswers([own._id])
  return replaced
}
