import { AppError } from '../../lib/http/app-error.ts'
import { storeMadePdf } from '../../lib/storage/store-made-pdf.ts'
import type { AssignmentDoc, StoredPdf } from '../../records/assignments/assignment.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { addSubmissions, deleteSubmissionRows } from './submission.service.ts'

/** A graded paper keeps its file, which its grade rests on; one in a run is being read. */
const splittable: SubmissionDoc['status'][] = ['uploaded', 'failed']

/**
 * Makes two submissions of a file with the papers of two students. The first keeps its student; the second is nobody's until it is matched.
 * The whole file is not kept as an earlier attempt, since the first's student may see those.
 * @param secondBeginsOn the page of the file, from 1
 * @throws {AppError} `conflict` for a paper with a grade, in a run, or with another file by now; `bad_request` past its last page
 */
export async function splitPaperInTwo(
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  secondBeginsOn: number,
  actor: { id: number },
  services: Services,
): Promise<{ first: SubmissionDoc; second: SubmissionDoc }> {
  if (submission.grade)
    throw new AppError('conflict', 'This paper has a grade. Delete it, and upload each student’s pages as a file.')
  if (!splittable.includes(submission.status))
    throw new AppError('conflict', 'This paper is being graded. Wait for the end, or stop grading, and split it then.')
  const source = await services.files.localPath(submission.file.hash)
  const { pages } = await services.papers.check(source)
  if (secondBeginsOn > pages) throw new AppError('bad_request', pastTheEnd(pages))
  const partOf = async (from: number, to: number) => {
    const wanted = Array.from({ length: to - from + 1 }, (_, i) => ({
      file: source,
      number: from + i,
      turn: 0 as const,
    }))
    return storeMadePdf(await services.papers.compose(wanted), services)
  }
  const firstPart = await partOf(1, secondBeginsOn - 1)
  const secondPart = await partOf(secondBeginsOn, pages)
  const now = services.clock.now()
  const { handwritten, name } = submission.file
  const file = {
    ...secondPart,
    // It is in the store already. Named for no student: the first's name would match it to the wrong one.
    ...{ field: 'file', path: '', name: `From page ${secondBeginsOn} of paper ${submission._id}.pdf` },
  }
  const [second] = await addSubmissions(assignment, [{ file, handwritten, student: null }], actor, services.files, now)
  if (!second) throw new Error('one in, one out')
  const first = await replaceFile(submission, { ...firstPart, name, handwritten }, now)
  if (first) return { first, second }
  await deleteSubmissionRows([second])
  throw new AppError('conflict', 'This paper has changed meanwhile. Reload the page.')
}

const pastTheEnd = (pages: number) =>
  pages === 1
    ? 'This file has a single page, which cannot be split.'
    : `This file has ${pages} pages: the second paper begins on page 2${pages > 2 ? ` to ${pages}` : ''}.`

/** Null where the paper is no longer as it was read. */
function replaceFile(own: SubmissionDoc, file: StoredPdf, now: Date): Promise<SubmissionDoc | null> {
  return SubmissionModel.findOneAndUpdate(
    { _id: own._id, 'file.hash': own.file.hash, student_id: own.student_id, grade: null, status: { $in: splittable } },
    {
      $set: { file, page_count: null, status: 'uploaded', failure: null, run_id: null, updated_at: now },
      // The key of the teacher's upload: the file is another one now.
      $unset: {
        ...{ problems: '', held: '', turned_pages: '' },
        ...(own.handed_in_by === 'student' ? {} : { upload_key: '' }),
      },
    },
    { returnDocument: 'after' },
  ).lean()
}
