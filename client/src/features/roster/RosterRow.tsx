import type { CourseStudent } from '@assay/shared/courses.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { Button } from '@mantine/core'
import { InitialsAvatar } from '../../components/display/InitialsAvatar.tsx'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import classes from './RosterPage.module.css'

interface Props {
  student: CourseStudent
  inviting: boolean
  invite: () => void
  removing: boolean
  remove: () => void
}

/** A student of the roster: who they are, how far they have come in, and the school's numbers. */
export function RosterRow({ student, inviting, invite, removing, remove }: Props) {
  const { email, state, never_invited, external_user_id, sis_user_id, added_by, test_student } = student
  const name = nameOf(student)
  const invitation = never_invited ? 'Send invitation' : 'Resend invitation'
  const ids = [
    added_by === 'lms' && 'From the LMS',
    test_student && 'Test student',
    external_user_id && `External ID ${external_user_id}`,
    sis_user_id && `SIS ID ${sis_user_id}`,
  ]
  return (
    <li className={classes.row}>
      <InitialsAvatar name={name} />
      <div className={classes.words}>
        <span className={classes.name}>{name}</span>
        {email && email !== name && <span>{email}</span>}
      </div>
      <span className={classes.ids}>{ids.filter(Boolean).join(' · ')}</span>
      {state === 'invited' && !email && <StatusBadge status="pending">No email address</StatusBadge>}
      {state === 'invited' && email && (
        <StatusBadge status="pending">{never_invited ? 'Not invited yet' : 'Invited'}</StatusBadge>
      )}
      {state === 'waiting' && <StatusBadge status="upcoming">Waiting for confirmation</StatusBadge>}
      {state === 'enrolled' && <StatusBadge status="submitted">Enrolled</StatusBadge>}
      {state !== 'enrolled' && email && (
        <Button
          variant="subtle"
          color="gray"
          className={classes.again}
          aria-label={`${invitation} to ${name}`}
          loading={inviting}
          onClick={invite}
        >
          {invitation}
        </Button>
      )}
      <Button
        variant="subtle"
        color="gray"
        className={classes.remove}
        aria-label={removing ? undefined : `Remove ${name}`}
        disabled={removing}
        onClick={remove}
      >
        {removing ? 'Removing...' : 'Remove'}
      </Button>
    </li>
  )
}
