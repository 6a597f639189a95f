import type { ClassScan, ClassScanPage, ClassScanRow } from '@assay/shared/class-scans.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { ClassScanDoc, ProposedPageDoc } from '../../records/submissions/class-scan.model.ts'
import type { ShowsNames } from '../anonymous-grading/present-student.ts'
import { loadMatchingRoster } from '../submissions/matching/matching-roster.ts'
import { submissionsByStudent } from '../submissions/submission-owners.ts'
import { canUndo } from './class-scan.service.ts'
import { countUnreadNames } from './read-owners.ts'

export function presentScanRow(scan: ClassScanDoc): ClassScanRow {
  return {
    id: scan._id,
    assignment_id: scan.assignment_id,
    state: scan.state,
    failure: scan.failure,
    files: scan.files.map(({ name, pages }) => ({ name, pages })),
    pages: scan.files.reduce((sum, { pages }) => sum + pages, 0),
    progress: scan.progress,
    split: scan.proposal.split,
    created_at: scan.created_at.toISOString(),
  }
}

/** Names students by its nature. */
export async function presentScan(assignment: ShowsNames<AssignmentDoc>, scan: ClassScanDoc): Promise<ClassScan> {
  const roster = assignment.course_id === null ? [] : await loadMatchingRoster(assignment.course_id)
  const owners = await submissionsByStudent(
    assignment._id,
    roster.map(({ _id }) => _id),
  )
  return {
    ...presentScanRow(scan),
    revision: scan.revision,
    papers: scan.proposal.papers.map(({ file: _, match_reason: __, submission_id = null, pages, ...paper }) => ({
      ...paper,
      pages: pages.map(presentPage),
      submission_id,
    })),
    dropped: scan.proposal.dropped.map(presentPage),
    can_undo: await canUndo(scan),
    names_unread: await countUnreadNames(scan),
    students: roster
      .map(({ _id, full_name, username }) => ({
        id: _id,
        name: full_name ?? username,
        username,
        has_paper: owners.has(_id),
      }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  }
}

const presentPage = ({ offers = [], ...page }: ProposedPageDoc): ClassScanPage => ({ ...page, offers })
