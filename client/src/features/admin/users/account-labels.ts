import type { ManagedUser } from '@assay/shared/admin.ts'
import type { AccountStatus, Role } from '@assay/shared/users.ts'
import type { Status } from '../../../components/display/StatusBadge.tsx'

export const roleNames: Record<Role, string> = { student: 'Student', instructor: 'Instructor', admin: 'Administrator' }

export const accountStates: Record<AccountStatus, { status: Status; word: string }> = {
  active: { status: 'graded', word: 'Active' },
  pending: { status: 'flagged', word: 'Waiting for approval' },
  invited: { status: 'submitted', word: 'Invited' },
  deactivated: { status: 'draft', word: 'Deactivated' },
}

/** A deletion may take some minutes. */
export const isErased = ({ deleted, email }: Pick<ManagedUser, 'deleted' | 'email'>) => deleted && email === ''

export const roleDescriptions: Record<Role, string> = {
  student: 'They see the courses they are enrolled in, their own papers and released grades.',
  instructor: 'They can create courses and assignments, upload papers and grade them.',
  admin: 'They can open every course, manage every account and change the settings.',
}
