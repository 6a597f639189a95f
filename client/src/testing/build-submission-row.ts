import type { SubmissionCounts, SubmissionRow } from '@assay/shared/submissions.ts'
import type { Unbranded } from '@assay/shared/users.ts'
import { branded } from './branded.ts'

export const buildSubmissionRow = (part: Partial<Unbranded<SubmissionRow>> & { id: number }): SubmissionRow =>
  branded<SubmissionRow>({
    assignment_id: 5,
    student_identifier: `paper-${part.id}`,
    student: null,
    file_name: `paper-${part.id}.pdf`,
    page_count: 1,
    is_handwritten: false,
    status: 'graded',
    failure: null,
    overall_score: 80,
    final_score_after_review: 80,
    manual_score_override: null,
    unscored_points: 0,
    points: null,
    needs_review: false,
    review_summary: null,
    reviewed: false,
    released: false,
    regrade: null,
    handed_in_by: 'teacher',
    earlier_attempts: 0,
    late: false,
    created_at: '2026-01-12T14:02:00Z',
    ...part,
  })

export const buildSubmissionCounts = (part: Partial<SubmissionCounts> = {}): SubmissionCounts => ({
  all: 1,
  graded: 0,
  flagged: 0,
  held: 0,
  suggested: 0,
  reviewed: 0,
  by_hand: 0,
  failed: 0,
  failed_files: 0,
  pending: 0,
  unmatched: 0,
  late: 0,
  regrade: 0,
  unreleased: 0,
  unreleased_matched: 0,
  unreleased_reviewed: 0,
  unapproved: 0,
  outdated: 0,
  graded_unmatched: 0,
  retained: 0,
  ...part,
})
