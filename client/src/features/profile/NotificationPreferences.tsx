import type { NotificationChoices, Profile } from '@assay/shared/profile.ts'
import { Switch } from '@mantine/core'
import { messageOf } from '../../lib/api-error.ts'
import { toast } from '../../lib/toast.ts'
import classes from './ProfilePage.module.css'
import { useUpdateProfile } from './useProfile.ts'

type Choice = keyof NotificationChoices
const rows: { choice: Choice; label: string; student: string; teacher: string }[] = [
  {
    choice: 'emailNotifications',
    label: 'Email notifications',
    student: 'Whether we mail you at all. Links you ask for always come.',
    teacher: 'Whether we mail you at all. Links you ask for always come.',
  },
  {
    choice: 'gradeNotifications',
    label: 'Grade notifications',
    student: 'When a grade of yours is released or changed.',
    teacher: 'When the grading of an assignment has finished.',
  },
  {
    choice: 'courseUpdates',
    label: 'Course updates',
    student: 'When you are added to a course, or an assignment is published.',
    teacher: 'When something changes in the courses you teach.',
  },
  {
    choice: 'assignmentReminders',
    label: 'Assignment reminders',
    student: 'Before an assignment is due.',
    teacher: 'Before an assignment of yours is due.',
  },
]

/** Each choice is stored as it is made. */
export function NotificationPreferences({
  profile,
  changed,
}: {
  profile: Profile
  changed: (profile: Profile) => void
}) {
  const { send, sending } = useUpdateProfile()
  const { notifications } = profile

  async function choose(choice: Choice, on: boolean) {
    const before = profile
    changed({ ...profile, notifications: { ...notifications, [choice]: on } })
    try {
      changed(await send({ body: { notifications: { [choice]: on } } }))
    } catch (error) {
      changed(before)
      toast.bad(messageOf(error, 'Failed to update profile. Please try again.'))
    }
  }

  return (
    <section className={classes.card} aria-labelledby="notifications">
      <div className={classes.head}>
        <h2 id="notifications">Notification Preferences</h2>
        <span className={classes.dim} role="status">
          {sending ? 'Saving…' : ''}
        </span>
      </div>
      <div className={classes.switches}>
        {rows.map(({ choice, label, ...about }) => (
          <Switch
            key={choice}
            label={label}
            description={profile.role === 'student' ? about.student : about.teacher}
            checked={notifications[choice]}
            disabled={choice !== 'emailNotifications' && !notifications.emailNotifications}
            onChange={(event) => void choose(choice, event.currentTarget.checked)}
          />
        ))}
      </div>
    </section>
  )
}
