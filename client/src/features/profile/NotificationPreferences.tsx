import type { NotificationChoices, Profile } from '@assay/shared/profile.ts'
import { Switch } from '@mantine/core'
import { messageOf } from '../../lib/api/api-error.ts'
import { toast } from '../../lib/toast.ts'
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
  description: 'Whether we mail you at all. Links you ask for always come.',
}

/** Only what somebody of that role is ever mailed. */
const studentPreferences: Row[] = [
  allNotifications,
  {
    choice: 'gradeNotifications',
    label: 'Grade notifications',
    description: 'When grades of yours are released, or a teacher has taken another look.',
  },
  {
    choice: 'courseUpdates',
    label: 'Course updates',
    description: 'When you are put on a course, or an assignment is published.',
  },
  {
    choice: 'assignmentReminders',
    label: 'Assignment reminders',
    description: 'Before an assignment is due that you have not handed in.',
  },
]
const teacherPreferences: Row[] = [
  allNotifications,
  {
    choice: 'gradeNotifications',
    label: 'Grade notifications',
    description: 'When a student asks for another look at a grade.',
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
