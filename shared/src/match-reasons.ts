import { z } from 'zod'

export const MatchReason = z.enum([
  'email',
  'username',
  'number',
  'name',
  'name_on_paper',
  'number_on_paper',
  'email_on_paper',
  'username_on_paper',
  'part_of_name',
  'page_code',
])
export type MatchReason = z.infer<typeof MatchReason>

export const MatchedBy = z.enum([...MatchReason.options, 'teacher', 'hand_in'])
export type MatchedBy = z.infer<typeof MatchedBy>
