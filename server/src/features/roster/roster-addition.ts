import type { RosterResult } from '@assay/shared/roster.ts'
import type { RosterPerson } from '../../records/courses/roster-import.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'

export interface RosterAddition {
  entry: RosterPerson
  outcome: 'enrolled' | 'invited' | 'pending' | 'already_enrolled' | 'already_pending' | 'refused'
  message: string
  created_user: boolean
  user: UserDoc | null
  mailed: boolean
  renamed?: RosterResult['renamed']
}
