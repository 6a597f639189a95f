import type { MatchedBy, MatchReason } from '@assay/shared/match-reasons.ts'

export const matchReasonLabels: Record<MatchReason, string> = {
  email: 'email in the file name',
  username: 'username in the file name',
  number: 'student number in the file name',
  name: 'name in the file name',
  name_on_paper: 'name on the paper',
  number_on_paper: 'student number on the paper',
  email_on_paper: 'email on the paper',
  username_on_paper: 'username on the paper',
  part_of_name: 'partial name match',
  page_code: 'code printed on its pages',
}

export function matchedByText(by: MatchedBy): string {
  if (by === 'teacher') return 'Matched by a teacher'
  if (by === 'hand_in') return 'Handed in by the student'
  return `Matched by the ${matchReasonLabels[by]}`
}
