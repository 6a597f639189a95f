import type { NotificationChoices, Profile } from '@assay/shared/profile.ts'
import { Switch } from '@mantine/core'
import { tryWithToast } from '../../lib/toast.ts'
import classes from './ProfilePage.module.css'
import { useUpdateProfile } from './useProfile.ts'

type Choice = keyof NotificationChoices
interface Row {
  choice: Choice
  label: string
  description: string
}

const allNotifications: Row = {
  choice: 'emailNotifications',
  label: 'Email notifications',
  description: 'Turns all emails on or off. Links you request are always sent.',
}

const studentPreferences: Row[] = [
  allNotifications,
  {
    choice: 'gradeNotifications',
    label: 'Grade notifications',
    description: 'When your grades are released or a regrade request is answered.',
  },
  {
    choice: 'courseUpdates',
    label: 'Course updates',
    description: 'When you are added to a course or an assignment is published.',
  },
  {
    choice: 'assignmentReminders',
    label: 'Assignment reminders',
    description: 'Before the due date of an assignment you have not handed in.',
  },
]
const teacherPreferences: Row[] = [
  allNotifications,
  {
    choice: 'gradeNotifications',
    label: 'Grade notifications',
    description: 'When a student requests a regrade.',
  },
]

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
    const isSaved = await tryWithToast('Failed to update profile. Please try again.', async () =>
      changed(await send({ body: { notifications: { [choice]: on } } })),
    )
    if (!isSaved) changed(before)
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
        {(profile.role === 'student' ? studentPreferences : teacherPreferences).map(({ choice, ...words }) => (
          <Switch
            key={choice}
            {...words}
            checked={notifications[choice]}
            disabled={choice !== 'emailNotifications' && !notifications.emailNotifications}
            onChange={(event) => void choose(choice, event.currentTarget.checked)}
          />
        ))}
      </div>
    </section>
  )
}
