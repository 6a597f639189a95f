import { MAX_PEN_MARKS, type PenMark, type PenMarkContent } from '@assay/shared/pen-marks.ts'
import { isDuplicateKeyError } from '../../../lib/database/database.ts'
import { AppError, notFound } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { only } from '../../../lib/only.ts'
import { type PenMarkDoc, PenMarkModel } from '../../../records/submissions/pen-mark.model.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import { namesById } from '../../users/user.service.ts'

type SubmissionFile = Pick<SubmissionDoc, '_id' | 'file'>

/** Of the current file, the oldest first. Authors are named to graders only. */
export async function findPenMarks({ _id, file }: SubmissionFile, reader: 'grader' | 'student'): Promise<PenMark[]> {
  const marks = await PenMarkModel.find({ submission_id: _id, file_hash: file.hash }).sort({ created_at: 1 }).lean()
  return reader === 'student' ? marks.map((mark) => presentPenMark(mark, null)) : namedMarks(marks)
}

export async function storePenMark(
  { _id, file, page_count }: Pick<SubmissionDoc, '_id' | 'file' | 'page_count'>,
  markId: string,
  content: PenMarkContent,
  actor: Actor,
  now: Date,
): Promise<PenMark> {
  // Until it was read nobody knows which way up its pages are.
  if (page_count === null) throw new AppError('conflict', 'This paper has not been read yet. Grade it first.')
  if (content.page > page_count) throw notFound('This paper does not have that page.')
  const own = { submission_id: _id, file_hash: file.hash }
  if ((await PenMarkModel.countDocuments(own)) >= MAX_PEN_MARKS)
    throw new AppError(
      'conflict',
      `A paper can have ${MAX_PEN_MARKS.toLocaleString('en')} pen marks. Erase some first.`,
    )
  const mark: PenMarkDoc = { _id: markId, ...own, content, author_id: actor.id, created_at: now }
  await PenMarkModel.create(mark).catch((error: unknown) => {
    if (!isDuplicateKeyError(error)) throw error
  })
  const stored = await PenMarkModel.findOne({ _id: markId, ...own }).lean()
  if (!stored) throw new AppError('conflict', 'This mark is on another paper. Reload the page.')
  return only(await namedMarks([stored]))
}

async function namedMarks(marks: PenMarkDoc[]): Promise<PenMark[]> {
  const names = await namesById(marks.map(({ author_id }) => author_id))
  return marks.map((mark) => presentPenMark(mark, names.get(mark.author_id) ?? null))
}

const presentPenMark = ({ _id, content, created_at }: PenMarkDoc, author: string | null): PenMark => ({
  ...content,
  id: _id,
  author,
  created_at: created_at.toISOString(),
})
