import { splitPaper } from '@assay/shared/submissions.ts'
import type { Router } from 'express'
import { recordAudit } from '../../../audit/audit.service.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import { handle } from '../../../lib/http/handle.ts'
import { only } from '../../../lib/only.ts'
import { storeMadeFile } from '../../../lib/storage/file-store.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { requireAssignmentFor } from '../../assignments/assignment.service.ts'
import { deleteLlmAnswers } from '../../llm/delete-llm-answers.ts'
import { canReplaceFile, replaceFileByPart } from '../../submissions/handed-in-paper.ts'
import { notifyListChanged } from '../../submissions/submission.events.ts'
import { presentRows } from '../../submissions/submission.present.ts'
import {
  addSubmissions,
  deleteSubmissionRows,
  findSubmission,
  requireSubmission,
} from '../../submissions/submission.service.ts'
import { deleteAnswers, deleteTranscriptions } from '../../transcriptions/transcription.service.ts'

export function splitPaperRoutes(router: Router, services: Services): void {
  const { clock } = services

  handle(router, splitPaper, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const { first, second } = await splitPaperInTwo(assignment, submission, body.second_begins_on, actor, services)
    const subject = { assignment_id: assignment._id, submission_id: first._id }
    const after = { second_submission_id: second._id, second_begins_on: body.second_begins_on }
    await recordAudit(actor, 'submission.split', subject, clock.now(), { after })
    notifyListChanged(assignment._id, services)
    const rows = await presentRows(assignment, [first, second], services)
    if (!rows[0] || !rows[1]) throw new Error('two in, two out')
    return { first: rows[0], second: rows[1] }
  })
}

/**
 * The whole file is not kept as an attempt, which the first's student might see. `secondBeginsOn` from 1.
 * @throws {AppError} `conflict` for a paper that is graded, in a run or replaced; `bad_request` past the end
 */
async function splitPaperInTwo(
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  secondBeginsOn: number,
  actor: { id: number },
  services: Services,
): Promise<{ first: SubmissionDoc; second: SubmissionDoc }> {
  if (submission.grade)
    throw new AppError('conflict', 'This paper has a grade. Delete it, and upload each student’s pages as a file.')
  if (!canReplaceFile(submission))
    throw new AppError('conflict', 'This paper is being graded. Wait for the end, or stop grading, and split it then.')
  const source = await services.files.localPath(submission.file.hash)
  const { pages } = await services.papers.check(source).catch(inWords)
  if (secondBeginsOn > pages) throw new AppError('bad_request', pastTheEnd(pages))
  const partOf = async (from: number, to: number) => {
    const wanted = Array.from({ length: to - from + 1 }, (_, i) => ({
      file: source,
      number: from + i,
      turn: 0 as const,
    }))
    return storeMadeFile(await services.papers.compose(wanted).catch(inWords), services)
  }
  const firstPart = await partOf(1, secondBeginsOn - 1)
  const secondPart = await partOf(secondBeginsOn, pages)
  const now = services.clock.now()
  const { handwritten, name, photos, photo_draft } = submission.file
  const photosOf = (from: number, to: number) => photos && { photos: photos.slice(from - 1, to) }
  const file = {
    ...secondPart,
    // Stored already. Not named for a student, whose name would match the wrong one.
    ...{ field: 'file', path: '', name: `From page ${secondBeginsOn} of paper ${submission._id}.pdf` },
  }
  const paper = { file, handwritten, student: null, splitFrom: submission._id, ...photosOf(secondBeginsOn, pages) }
  const second = only(await addSubmissions(assignment, [paper], actor, services.files, now))
  const firstFile = {
    ...firstPart,
    name,
    handwritten,
    ...photosOf(1, secondBeginsOn - 1),
    ...(photo_draft && { photo_draft }),
  }
  const first = await replaceFileByPart(submission, firstFile, now)
  if (first) {
    // Read from both students' pages, it would be in the first's export.
    await deleteTranscriptions([first._id])
    await deleteAnswers([first._id])
    await deleteLlmAnswers('submission_id', [first._id])
    return { first, second }
  }
  // If somebody else split it the same way meanwhile, the second paper is theirs.
  const current = await findSubmission(submission._id)
  if (current?.file.hash !== firstPart.hash) await deleteSubmissionRows([second])
  throw new AppError('conflict', 'This paper has changed meanwhile. Reload the page.')
}

function inWords(cause: unknown): never {
  if (cause instanceof PaperError) throw new AppError('bad_request', cause.message, { cause })
  throw cause
}

const pastTheEnd = (pages: number) =>
  pages === 1
    ? 'This file has a single page, which cannot be split.'
    : `This file has ${pages} pages: the second paper begins on page 2${pages > 2 ? ` to ${pages}` : ''}.`
