import type { SubmissionRow } from '@assay/shared/submissions.ts'
import type { SubmissionDoc } from './submission.model.ts'

type Timed = Pick<SubmissionDoc, 'handed_in_by' | 'uploaded_at' | 'on_time'>

/** Of a paper that a teacher uploaded only where they said it. Then `created_at` is that time. */
export const isHandInTimeKnown = ({ handed_in_by, uploaded_at }: Omit<Timed, 'on_time'>): boolean =>
  handed_in_by === 'student' || uploaded_at != null

export function presentHandInTime({ uploaded_at, on_time }: Timed): Pick<SubmissionRow, 'said_hand_in'> {
  if (on_time) return { said_hand_in: 'on_time' }
  return uploaded_at ? { said_hand_in: 'time' } : {}
}
