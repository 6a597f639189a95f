import {
  countSubmissions as countSubmissionsEndpoint,
  downloadSubmissionPhoto,
  getSubmissionFile,
  getSubmissionPage,
  getSubmissionPhoto,
  gradeAnyway,
  listSubmissionIds,
  listSubmissions as listSubmissionsEndpoint,
  uploadSubmission,
  uploadSubmissions,
} from '@assay/shared/submissions.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import { type Actor, allow, handle, type Permission, RawReply } from '../../lib/http/handle.ts'
import { pictureToShow } from '../../lib/http/made-file.ts'
import { REVALIDATED, sendMadePdf, sendStoredPdf, sendStoredPicture } from '../../lib/http/send-pdf.ts'
import { only } from '../../lib/only.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { peopleOf } from '../../records/submissions/people-of-paper.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { hidesNames, requireNamesShown, shownFileName } from '../anonymity/hidden-names.ts'
import { canManageAssignment, requireAssignment, requireAssignmentFor } from '../assignments/assignment.service.ts'
import { isEnrolled } from '../courses/enrollment-queries.ts'
import { countByFilter, listSubmissionIdsInOrder, listSubmissions } from './list/submission-list.ts'
import { renderStoredPage } from './pages/paper-reading.service.ts'
import { notifySubmissionChanged } from './submission.events.ts'
import { presentRows } from './submission.present.ts'
import { addSubmissions, requireSubmission } from './submission.service.ts'
import { decideProblems } from './submission-queries.ts'

export function submissionRoutes(router: Router, services: Services): void {
  const { files, clock, names } = services

  handle(router, listSubmissionsEndpoint, async ({ params, query, actor, setTotal }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const { submissions, total } = await listSubmissions(assignment, query)
    setTotal(total)
    return presentRows(assignment, submissions, services)
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
    const added = await addSubmissions(assignment, [paper], actor, files, clock.now())
    return only(await presentRows(assignment, added, services))
  })

  handle(router, uploadSubmissions, async ({ params, actor, receive }) => {
    await requireAssignmentFor(actor, params.assignmentId)
    const { body, files: received } = await receive()
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    if (received.files.length === 0) throw new AppError('bad_request', 'Please select files to upload')
    const papers = received.files.map((file, i) => ({ file, handwritten: body.are_handwritten[i] ?? false }))
    return presentRows(assignment, await addSubmissions(assignment, papers, actor, files, clock.now()), services)
  })

  handle(router, gradeAnyway, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const decided = await decideProblems(submission, clock.now())
    if (!decided) throw new AppError('conflict', 'The student has handed in another paper meanwhile. Reload the page.')
    const codes = (submission.problems ?? []).map(({ code }) => code)
    const subject = { assignment_id: assignment._id, submission_id: submission._id }
    await recordAudit(actor, 'submission.problems_decided', subject, clock.now(), { after: { problems: codes } })
    await notifySubmissionChanged(decided, services)
    return only(await presentRows(assignment, [decided], services))
  })

  handle(router, getSubmissionFile, async ({ params, actor }) => {
    const { assignment, submission } = await requirePaperFor(actor, params)
    const label = shownFileName(assignment, submission)
    if (actor.role !== 'student' && hidesNames(assignment)) {
      const covered = await names.coveredPdf(assignment, submission)
      return new RawReply((response) => sendMadePdf({ ...covered, name: label }, response.req, response))
    }
    const { hash, name } = submission.file
    return new RawReply((response) => sendStoredPdf({ hash, name }, files, response.req, response, REVALIDATED))
  })

  handle(router, getSubmissionPage, async ({ params, query, actor }) => {
    const { assignment, submission } = await requirePaperFor(actor, params)
    const picture = hidesNames(assignment)
      ? await names.coveredPage(assignment, submission, params.page, query.width)
      : await renderStoredPage(submission.file.hash, params.page, query.width, services)
    return pictureToShow(picture, 'image/png', REVALIDATED)
  })

  /** A photo shows names, even where pages are covered. */
  const requirePhoto = async (actor: Actor, params: { assignmentId: number; submissionId: number; number: number }) => {
    const { assignment, submission } = await requirePaperFor(actor, params)
    if (actor.role !== 'student') requireNamesShown(assignment)
    const photo = submission.file.photos?.[params.number - 1]
    if (!photo) throw notFound('This page was not made of a photo.')
    return photo
  }

  handle(router, getSubmissionPhoto, async ({ params, actor }) => {
    const { hash } = (await requirePhoto(actor, params)).view
    return new RawReply((response) => sendStoredPicture({ hash, type: 'jpeg' }, files, response))
  })

  handle(router, downloadSubmissionPhoto, async ({ params, actor }) => {
    const { hash, type } = await requirePhoto(actor, params)
    const saveAs = `photo-${params.number}.${type}`
    return new RawReply((response) => sendStoredPicture({ hash, saveAs }, files, response))
  })
}

/** Those who manage the assignment, and the paper's student while enrolled and it is published. */
async function canReadPaper(actor: Actor, assignment: AssignmentDoc, submission: SubmissionDoc): Promise<Permission> {
  if (actor.role !== 'student') return canManageAssignment(actor, assignment)
  if (!peopleOf(submission).includes(actor.id) || assignment.status !== 'published') return 'hidden'
  const { course_id } = assignment
  return course_id !== null && (await isEnrolled(actor, course_id)) ? 'yes' : 'hidden'
}

async function requirePaperFor(actor: Actor, ids: { assignmentId: number; submissionId: number }) {
  const assignment = await requireAssignment(ids.assignmentId)
  const submission = await requireSubmission(ids)
  allow(await canReadPaper(actor, assignment, submission))
  return { assignment, submission }
}
