import { AssignmentModel } from '../records/assignments/assignment.model.ts'
import { AnswerReadingModel } from '../records/submissions/answer-reading.model.ts'
import { ClassScanModel } from '../records/submissions/class-scan.model.ts'
import { PageTranscriptModel } from '../records/submissions/page-transcript.model.ts'
import { draftHas, PhotoDraftModel } from '../records/submissions/photo-draft.model.ts'
import { ReadingModel } from '../records/submissions/reading.model.ts'
import { SubmissionModel } from '../records/submissions/submission.model.ts'
import type { Services } from '../services.ts'

/** Longer than any upload, which may be about to refer to a newer file. */
const MIN_AGE_MS = 60 * 60 * 1000
const PAPER_FILES = ['file', 'attempts.file'].flatMap((file) =>
  ['hash', 'photos.hash', 'photos.view.hash'].map((hash) => `${file}.${hash}`),
)

async function isReferenced(hash: string): Promise<boolean> {
  // First, as a draft's content is in a paper before the draft is deleted.
  if (await PhotoDraftModel.exists(draftHas(hash))) return true
  const found = await Promise.all([
    SubmissionModel.exists({ $or: PAPER_FILES.map((path) => ({ [path]: hash })) }),
    AssignmentModel.exists({ $or: [{ 'blank.hash': hash }, { 'key.hash': hash }] }),
    // A confirmed scan's papers are submissions.
    ClassScanModel.exists({
      $or: [{ 'files.hash': hash }, { 'proposal.papers.file.hash': hash }],
      state: { $ne: 'confirmed' },
    }),
  ])
  return found.some((document) => document !== null)
}

async function deleteReadings(hash: string): Promise<void> {
  await ReadingModel.deleteOne({ _id: hash })
  await PageTranscriptModel.deleteMany({ file_hash: hash })
  await AnswerReadingModel.deleteMany({ file_hash: hash })
}

/** `too-new`: an upload may be about to refer to it, so only what was read from it goes. */
export async function removeUnreferencedFile(
  hash: string,
  { files, clock }: Pick<Services, 'files' | 'clock'>,
): Promise<'removed' | 'referenced' | 'too-new'> {
  if (await isReferenced(hash)) return 'referenced'
  await deleteReadings(hash)
  const moment = new Date(clock.now().getTime() - MIN_AGE_MS)
  return (await files.removeIfOlderThan(hash, moment)) ? 'removed' : 'too-new'
}

/** With what was read from them, until `signal` aborts. @returns how many */
export async function sweepFiles(services: Services, signal?: AbortSignal): Promise<number> {
  const { files, clock } = services
  let swept = 0
  const moment = new Date(clock.now().getTime() - MIN_AGE_MS)
  await files.removePartialFiles(moment)
  for await (const hash of files.listOlderThan(moment)) {
    if (signal?.aborted) break
    if ((await removeUnreferencedFile(hash, services)) === 'removed') swept++
  }
  return swept
}
