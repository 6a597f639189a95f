import type { SubmissionRow } from '@assay/shared/submissions.ts'
import type { SubmissionDoc } from './submission.model.ts'

type HandIn = Pick<SubmissionDoc, 'handed_in_by' | 'uploaded_at' | 'on_time'>

/** Of a paper that a teacher uploaded only where they said it. */
export const isHandInTimeKnown = ({ handed_in_by, uploaded_at }: Omit<HandIn, 'on_time'>): boolean =>
  handed_in_by === 'student' || uploaded_at != null

export const saidHandIn = ({ uploaded_at, on_time }: HandIn): Pick<SubmissionRow, 'said_hand_in'> =>
  on_time ? { said_hand_in: 'on_time' } : uploaded_at ? { said_hand_in: 'time' } : {}
