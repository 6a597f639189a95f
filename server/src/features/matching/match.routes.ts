import {
  acceptMatches,
  listMatches,
  matchSubmissions,
  setSubmissionStudent,
  type UnmatchedPaper,
} from '@assay/shared/matches.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { handle } from '../../lib/http/handle.ts'
import { only } from '../../lib/only.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { nameAsRead, namedStudent, requireNamesShown, type ShowsNames } from '../anonymity/hidden-names.ts'
import { requireAssignmentFor } from '../assignments/assignment.service.ts'
import { countByFilter } from '../submissions/list/submission-list.ts'
import { type CourseStudents, loadCourseStudents } from '../submissions/matching/course-students.ts'
import type { Candidate } from '../submissions/matching/match-student.ts'
import { requireRosterStudent } from '../submissions/matching/name-index.ts'
import { presentRows } from '../submissions/submission.present.ts'
import { findSubmission, requireSubmission } from '../submissions/submission.service.ts'
import { listUnmatchedSubmissions, submissionsByStudent } from '../submissions/submission-owners.ts'
import { type OwnerOnPaper, ownersOnPapers } from '../transcriptions/answers.service.ts'
import { assignToStudent, matchSubmissions as matchUnmatched, paperEvidence, tryAssign } from './match-submissions.ts'

const MAX_SHOWN = 50

/** Mounted before the submissions' routes, whose `/:submissionId` would match these paths. */
export function matchRoutes(router: Router, services: Services): void {
  const { clock } = services

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
    return presentMatched(assignment, papers)
  })

  handle(router, acceptMatches, async ({ params, body, actor }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    const papers = []
    for (const { submission_id: submissionId, student_id } of body.accepted) {
      const submission = await findSubmission(submissionId)
      // What a colleague has matched or deleted since stays as it is.
      if (submission?.assignment_id !== assignment._id || submission.student_id !== null) continue
      const owner = await requireRosterStudent(assignment.course_id, student_id)
      papers.push(await tryAssign(submission, owner, { teacher: actor }, services))
    }
    return presentMatched(
      assignment,
      papers.filter((paper) => paper !== null),
    )
  })

  async function presentMatched(assignment: AssignmentDoc, papers: SubmissionDoc[]) {
    const { unmatched: left } = await countByFilter(assignment)
    const shown = await presentRows(assignment, papers.slice(0, MAX_SHOWN), services)
    return { matched: papers.length, left, papers: shown }
  }

  handle(router, setSubmissionStudent, async ({ params, body, actor }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    const submission = await requireSubmission(params)
    const owner = body.student_id === null ? null : await requireRosterStudent(assignment.course_id, body.student_id)
    const assigned = await assignToStudent(submission, owner, { teacher: actor }, services)
    if (!assigned) throw new AppError('conflict')
    const papers = owner ? await submissionsByStudent(assignment._id, [owner._id]) : new Map<number, number[]>()
    const other_paper_ids = (papers.get(owner?._id ?? 0) ?? []).filter((id) => id !== assigned._id)
    return { submission: only(await presentRows(assignment, [assigned], services)), other_paper_ids }
  })
}

const MAX_SUGGESTIONS = 4

async function listUnmatched(
  assignment: ShowsNames<AssignmentDoc>,
  page: { skip: number; limit: number },
  services: Pick<Services, 'names'>,
): Promise<{ papers: UnmatchedPaper[]; total: number }> {
  const [{ submissions, total }, students] = await Promise.all([
    listUnmatchedSubmissions(assignment._id, page),
    assignment.course_id === null ? null : loadCourseStudents(assignment.course_id, 0),
  ])
  const [rows, owners] = await Promise.all([
    presentRows(assignment, submissions, services),
    ownersOnPapers(submissions.map(({ _id }) => _id)),
  ])
  const found = rows.map((submission) => {
    const owner = owners.get(submission.id)
    const candidates = students ? candidatesFor(students, submission.file_name, owner) : []
    return { submission, name_on_paper: owner?.name ? nameAsRead(assignment, owner.name) : null, candidates }
  })
  const ids = found.flatMap(({ candidates }) => candidates.map(({ student }) => student._id))
  const papers = await submissionsByStudent(assignment._id, ids)
  return {
    total,
    papers: found.map(({ candidates, ...paper }) => ({
      ...paper,
      suggestions: candidates.map((one) => presentSuggestion(assignment, one, papers)),
    })),
  }
}

type Suggested = Pick<Candidate, 'student' | 'reason'>

const LEAST_SUGGESTED = 2

function candidatesFor(students: CourseStudents, fileName: string, owner: OwnerOnPaper | undefined): Suggested[] {
  const strong = paperEvidence(students, fileName, owner).students.filter(({ score }) => score >= LEAST_SUGGESTED)
  const weak = students.matcher.byPart(`${fileName.replace(/\.pdf$/i, '')} ${owner?.name ?? ''}`)
  const byStudent = new Map<number, Suggested>()
  for (const one of [...strong, ...weak]) {
    if (!byStudent.has(one.student._id)) byStudent.set(one.student._id, one)
  }
  return [...byStudent.values()].slice(0, MAX_SUGGESTIONS)
}

function presentSuggestion(assignment: ShowsNames, { student, reason }: Suggested, papers: Map<number, number[]>) {
  return { student: namedStudent(assignment, student), reason, other_paper_id: papers.get(student._id)?.[0] ?? null }
}
