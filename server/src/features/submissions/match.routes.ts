import { listMatches, matchSubmissions, setSubmissionStudent } from '@assay/shared/matches.ts'
import { Router } from 'express'
import { allow } from '../../lib/allow.ts'
import { AppError } from '../../lib/app-error.ts'
import { handle } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import { recordAudit } from '../admin/audit.service.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { canManageAssignment } from '../assignments/assignment.policy.ts'
import { requireAssignment } from '../assignments/assignment.service.ts'
import { matchAgain } from './match-papers.ts'
import { giveTo, type Owner, papersOf } from './owner.ts'
import { rosterOf } from './roster.ts'
import { presentRows } from './submission.present.ts'
import { requireSubmission } from './submission.service.ts'
import { countKinds } from './submission-list.ts'
import { listUnmatched } from './suggestions.ts'

/** Whose paper is whose. Before the submissions' own routes, whose `/:submissionId` the words here would be taken for. */
export function matchRoutes(services: Services): Router {
  const { clock } = services
  const router = Router()

  handle(router, listMatches, async ({ params, query, actor, setTotal }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    const { papers, total } = await listUnmatched(assignment, query)
    setTotal(total)
    return papers
  })

  handle(router, matchSubmissions, async ({ params, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    const matched = await matchAgain(assignment, services)
    const subject = { assignment_id: assignment._id }
    if (matched > 0)
      await recordAudit(actor, 'submission.matched', subject, clock.now(), { after: { matched } })
    return { matched, left: (await countKinds(assignment)).unmatched }
  })

  handle(router, setSubmissionStudent, async ({ params, body, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    const submission = await requireSubmission(params)
    const owner = body.student_id === null ? null : await requireOwner(assignment, body.student_id)
    const given = await giveTo(submission, owner, 'teacher', services)
    if (!given) throw new AppError('conflict')
    const subject = { assignment_id: assignment._id, submission_id: given._id }
    await recordAudit(actor, 'submission.student_set', subject, clock.now(), {
      before: { student_id: submission.student_id },
      after: { student_id: given.student_id },
    })
    const [row] = await presentRows([given])
    if (!row) throw new Error('one in, one out')
    const papers = owner ? await papersOf(assignment._id, [owner._id]) : new Map<number, number[]>()
    const other_paper_ids = (papers.get(owner?._id ?? 0) ?? []).filter((id) => id !== given._id)
    return { submission: row, other_paper_ids }
  })

  return router
}

async function requireOwner({ course_id }: AssignmentDoc, studentId: number): Promise<Owner> {
  if (course_id === null) {
    throw noSuchOwner('This assignment belongs to no course, so there are no students to choose from.')
  }
  const student = (await rosterOf(course_id)).find(({ _id }) => _id === studentId)
  if (!student) throw noSuchOwner('This student is not enrolled in the course.')
  return student
}

const noSuchOwner = (msg: string) =>
  new AppError('validation_failed', undefined, {
    details: [{ loc: ['body', 'student_id'], msg, type: 'not_enrolled' }],
  })
