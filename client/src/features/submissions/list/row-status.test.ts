import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { branded } from '../../../testing/branded.ts'
import { scoredBy, submissionStatusBadge } from './row-status.ts'

const base = branded<SubmissionRow>({
  id: 31,
  assignment_id: 12,
  student_identifier: 'ada',
  student: { id: 2, username: 'ada', full_name: 'Ada Mutombo' },
  file_name: 'ada.pdf',
  page_count: 3,
  is_handwritten: false,
  status: 'graded',
  failure: null,
  overall_score: 82.5,
  final_score_after_review: 82.5,
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
  created_at: '2026-01-01T00:00:00Z',
})
const flagged = { ...base, id: 32, needs_review: true }
const ungraded = { overall_score: null, final_score_after_review: null }
const failed = branded<SubmissionRow>({ ...base, ...ungraded, id: 33, status: 'failed', student: null })
const waiting = branded<SubmissionRow>({
  ...base,
  ...ungraded,
  id: 34,
  status: 'uploaded',
  student_identifier: 'scan_7',
})
const stranger = { ...base, id: 35, student: null }
const released = { ...base, id: 36, released: true }
const reviewed = { ...base, id: 37, reviewed: true }
const reviewedAndFlagged = { ...flagged, id: 38, reviewed: true }
const rows = [base, flagged, failed, waiting, stranger, released, reviewed, reviewedAndFlagged]

describe('the rows of an assignment', () => {
  it('say where they stand: suggested until a teacher has reviewed them', () => {
    expect(rows.map((row) => submissionStatusBadge(row).word)).toEqual([
      'Suggested',
      'Flagged',
      'Failed',
      'Pending',
      'Suggested',
      'Suggested',
      'Reviewed',
      'Flagged',
    ])
  })

  it('say who gave the score, where the status does not', () => {
    const set = { ...reviewed, manual_score_override: 70 }
    expect([base, reviewed, flagged, set].map((row) => scoredBy(row).who)).toEqual([
      undefined,
      undefined,
      'ai',
      'teacher',
    ])
  })
})
