import {
  countSubmissions as countSubmissionsEndpoint,
  getSubmissionFile,
  getSubmissionPage,
  listSubmissionIds,
  listSubmissions as listSubmissionsEndpoint,
  uploadSubmission,
  uploadSubmissions,
} from '@assay/shared/submissions.ts'
import { Router } from 'express'
import { AppError } from '../../lib/http/app-error.ts'
import { handle, RawReply } from '../../lib/http/handle.ts'
import { sendPdf } from '../../lib/http/send-pdf.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { countByFilter, listSubmissionIdsInOrder, listSubmissions } from './list/submission-list.ts'
import { renderStoredPage } from './pages/render-stored-page.ts'
import { requirePaperFor } from './submission.policy.ts'
import { presentRows } from './submission.present.ts'
import { addSubmissions } from './submission.service.ts'

export function submissionRoutes(services: Services): Router {
  const { files, clock } = services
  const router = Router()

  handle(router, listSubmissionsEndpoint, async ({ params, query, actor, setTotal }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const { submissions, total } = await listSubmissions(assignment, query)
    setTotal(total)
    return presentRows(submissions)
  })

  // Before `/:submissionId`, which would match these paths.
  handle(router, listSubmissionIds, async ({ params, query, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return listSubmissionIdsInOrder(assignment, query)
  })

  handle(router, countSubmissionsEndpoint, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return countByFilter(assignment)
  })

  handle(router, uploadSubmission, async ({ params, actor, receive }) => {
    await requireAssignmentFor(actor, params.assignmentId)
    const { body, files: received } = await receive()
    // Receiving may take minutes: load and check again.
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    if (!received.file) throw new AppError('bad_request', 'Please select files to upload')
    const paper = { file: received.file, handwritten: body.is_handwritten }
    const [row] = await presentRows(await addSubmissions(assignment, [paper], actor, files, clock.now()))
    if (!row) throw new Error('one in, one out')
    return row
  })

  handle(router, uploadSubmissions, async ({ params, actor, receive }) => {
    await requireAssignmentFor(actor, params.assignmentId)
    const { body, files: received } = await receive()
    // Receiving may take minutes: load and check again.
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    if (received.files.length === 0) throw new AppError('bad_request', 'Please select files to upload')
    const papers = received.files.map((file, i) => ({ file, handwritten: body.are_handwritten[i] ?? false }))
    return presentRows(await addSubmissions(assignment, papers, actor, files, clock.now()))
  })

  handle(router, getSubmissionFile, async ({ params, actor }) => {
    const { file } = await requirePaperFor(actor, params)
    return new RawReply((response) => sendPdf(file, files, response.req, response))
  })

  handle(router, getSubmissionPage, async ({ params, query, actor }) => {
    const { file } = await requirePaperFor(actor, params)
    const picture = await renderStoredPage(file.hash, params.page, query.width, services)
    return new RawReply((response) => {
      response.type('image/png').set('Cache-Control', 'private, max-age=3600').send(picture)
    })
  })

  return router
}
