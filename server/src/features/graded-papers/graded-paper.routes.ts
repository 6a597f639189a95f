import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportGradedPapers, getGradedPaper, getOwnGradedPaper } from '@assay/shared/graded-papers.ts'
import type { Response, Router } from 'express'
import { notFound } from '../../lib/http/app-error.ts'
import { allow, handle, RawReply } from '../../lib/http/handle.ts'
import { zipStream } from '../../lib/storage/zip-stream.ts'
import { peopleOf } from '../../records/submissions/people-of-paper.ts'
import type { Services } from '../../services.ts'
import { requireNamesShown } from '../anonymity/hidden-names.ts'
import { requireAssignmentFor } from '../assignments/assignment.service.ts'
import { findOwnWork, requireOwnAssignment } from '../students/student-assignment.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { countGradedPapers } from '../submissions/submission-queries.ts'
import {
  drawGradedPaper,
  gradedPapers,
  loadCurrentGrade,
  loadReleasedGrade,
  paperName,
  safeFileName,
} from './graded-paper.service.ts'

/** Graded papers show names on covers, pages and files, so graders get none while names are hidden. */
export function gradedPaperRoutes(router: Router, services: Services): void {
  const { clock } = services

  handle(router, getGradedPaper, async ({ params, actor, signal }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    const submission = await requireSubmission(params)
    const source = await loadCurrentGrade(assignment, submission, clock.now())
    if (!source) throw notFound('This paper has not been graded yet.')
    const bytes = await drawGradedPaper(source, submission.file.hash, services, { signal, urgent: true })
    return new RawReply((response) => sendPaper(response, bytes, paperName(source)))
  })

  handle(router, getOwnGradedPaper, async ({ params, actor, signal }) => {
    const { assignment } = await requireOwnAssignment(actor, params.assignmentId)
    allow('yes') // Loaded as the caller's own.
    const { release } = await findOwnWork(actor.id, assignment)
    if (!release) throw notFound('Your grade has not been released yet.')
    const submission = await requireSubmission({ assignmentId: assignment._id, submissionId: release._id })
    // Assigned to another student a moment ago: the release follows.
    if (!peopleOf(submission).includes(actor.id)) throw notFound('Your grade has not been released yet.')
    const source = await loadReleasedGrade(assignment, submission, release)
    const bytes = await drawGradedPaper(source, submission.file.hash, services, { signal, urgent: true })
    return new RawReply((response) => sendPaper(response, bytes, assignment.title))
  })

  handle(router, exportGradedPapers, async ({ params, actor, signal, setTotal }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    const papers = await countGradedPapers(assignment._id)
    if (papers === 0) throw notFound('There are no graded papers yet.')
    setTotal(papers)
    return new RawReply(async (response) => {
      response.type('application/zip')
      response.attachment(`assignment_${assignment._id}_graded_papers.zip`)
      const zip = zipStream(gradedPapers(assignment, services, signal), clock.now())
      await pipeline(Readable.from(zip), response).catch((error: unknown) => {
        if (!signal.aborted && !response.destroyed) throw error
      })
    })
  })
}

function sendPaper(response: Response, bytes: Buffer, name: string): void {
  response.type('application/pdf')
  response.set('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(`${safeFileName(name)}.pdf`)}`)
  response.send(bytes)
}
