import { describe, expect, it } from 'vitest'
import { buildSubmissionRow } from '../../../testing/build-submission.ts'
import { scoredBy, submissionStatusBadge } from './row-status.ts'

const base = buildSubmissionRow({ id: 31, student: { id: 2, username: 'ada', full_name: 'Ada Mutombo' } })
const flagged = { ...base, id: 32, needs_review: true }
const ungraded = { overall_score: null, final_score_after_review: null }
const failed = buildSubmissionRow({ ...ungraded, id: 33, status: 'failed' })
const waiting = buildSubmissionRow({ ...ungraded, id: 34, status: 'uploaded' })
const stranger = { ...base, id: 35, student: null }
const released = { ...base, id: 36, released: true }
const reviewed = { ...base, id: 37, reviewed: true }
const reviewedAndFlagged = { ...flagged, id: 38, reviewed: true }
const rows = [base, flagged, failed, waiting, stranger, released, reviewed, reviewedAndFlagged]

describe('the rows of an assignment', () => {
  it('say where they stand: suggested until a teacher has reviewed them', () => {
    const words = 'Suggested, Flagged, Failed, Pending, Suggested, Suggested, Reviewed, Flagged'
    expect(rows.map((row) => submissionStatusBadge(row).word).join(', ')).toBe(words)
  })

  it('say who gave the score, where the status does not', () => {
    const set = { ...reviewed, manual_score_override: 70 }
    const who = [base, reviewed, flagged, set].map((row) => scoredBy(row).who)
    expect(who).toEqual([undefined, undefined, 'ai', 'teacher'])
  })
})
