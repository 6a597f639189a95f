import { listMatches, matchSubmissions, setSubmissionStudent } from '@assay/shared/matches.ts'
import { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requireNamesShown } from '../anonymous-grading/present-student.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { countByFilter } from '../submissions/list/submission-list.ts'
import { requireRosterStudent } from '../submissions/matching/matching-roster.ts'
import { presentRows } from '../submissions/submission.present.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { submissionsByStudent } from '../submissions/submission-owners.ts'
import { assignToStudent } from './assign-submission.ts'
import { matchSubmissions as matchUnmatched } from './match-submissions.ts'
import { listUnmatched } from './match-suggestions.ts'

/** Of the papers just matched: to look over at a glance. */
const MAX_SHOWN = 50

/** Mounted before the submissions' routes, whose `/:submissionId` would match these paths. */
export function matchRoutes(services: Services): Router {
  const { clock } = services
  const router = Router()

  handle(router, listMatches, async ({ params, query, actor, setTotal }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    const { papers, total } = await listUnmatched(assignment, query, services)
    setTotal(total)
    return papers
  })

  handle(router, matchSubmissions, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const papers = await matchUnmatched(assignment, services)
    const matched = papers.length
    const subject = { assignment_id: assignment._id }
    if (matched > 0) await recordAudit(actor, 'submission.matched', subject, clock.now(), { after: { matched } })
    const { unmatched: left } = await countByFilter(assignment)
    return { matched, left, papers: await presentRows(assignment, papers.slice(0, MAX_SHOWN), services) }
  })

  handle(router, setSubmissionStudent, async ({ params, body, actor }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    const submission = await requireSubmission(params)
    const owner = body.student_id === null ? null : await requireRosterStudent(assignment.course_id, body.student_id)
    const assigned = await assignToStudent(submission, owner, { teacher: actor }, services)
    if (!assigned) throw new AppError('conflict')
    const [row] = await presentRows(assignment, [assigned], services)
    if (!row) throw new Error('one in, one out')
    const papers = owner ? await submissionsByStudent(assignment._id, [owner._id]) : new Map<number, number[]>()
    const other_paper_ids = (papers.get(owner?._id ?? 0) ?? []).filter((id) => id !== assigned._id)
    return { submission: row, other_paper_ids }
  })

  return router
}
