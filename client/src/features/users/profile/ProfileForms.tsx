import {
  getInstructorProfile,
  getStudentProfile,
  type NotificationChoices,
  type Profile,
  type ProfileChanges,
  updateInstructorProfile,
  updateStudentProfile,
} from '@assay/shared/profile.ts'
import { Button, Switch, TextInput } from '@mantine/core'
import { type ChangeEvent, type ReactNode, useEffect, useId } from 'react'
import { CancelButton } from '../../../components/display/buttons.tsx'
import { UsernameInput } from '../../../components/display/PasswordField.tsx'
import { ErrorNotice } from '../../../components/feedback/Notice.tsx'
import { useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { useContractDraft } from '../../../lib/forms/useContractDraft.ts'
import { useSession, useUser } from '../../../lib/session/session.tsx'
import { toast, tryWithToast } from '../../../lib/toast.ts'
import { accountFieldErrors } from '../../auth/register-rules.ts'
import { ConfirmAddressNotice } from './ConfirmAddressNotice.tsx'
import classes from './ProfilePage.module.css'

interface CardProps {
  title: string
  status?: ReactNode
  children: ReactNode
}

export function ProfileCard({ title, status, children }: CardProps) {
  const id = useId()
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {status !== undefined && <span role="status">{status}</span>}
      </div>
      {children}
    </section>
  )
}

interface Props {
  profile: Profile
  changed: (profile: Profile) => void
  unsaved: (unsaved: boolean) => void
}

export function BasicInformation({ profile, changed, unsaved }: Props) {
  const session = useSession()
  const { send } = useUpdateProfile()
  const form = useContractDraft(updateStudentProfile, {
    stored: basicValuesOf(profile),
    toBody: (values) => profileChanges(profile, values),
    fieldErrors: accountFieldErrors,
  })
  const changes = profileChanges(profile, form.values)
  const dirty = Object.keys(changes).length > 0

  useEffect(() => unsaved(dirty), [dirty, unsaved])

  const submit = form.submit(
    async (body) => {
      changed(await send({ body }))
      toast.success('Profile updated successfully!')
      await session.refresh()
    },
    { refused: () => toast.error('Please fix the errors below') },
  )
  const field = (name: keyof typeof form.values) => ({
    value: form.values[name],
    error: form.errors[name],
    'data-path': name,
    onChange: (event: ChangeEvent<HTMLInputElement>) => form.change({ [name]: event.currentTarget.value }),
  })

  return (
    <ProfileCard
      title="Basic Information"
      status={dirty && <span className={classes.badge}>You have unsaved changes</span>}
    >
      <form
        className={classes.fields}
        onSubmit={(event) => {
          if (dirty) return submit(event)
          event.preventDefault()
          toast.info('No changes to save')
        }}
        noValidate
      >
        <UsernameInput {...field('username')} />
        <TextInput label="Email" type="email" autoComplete="email" required {...field('email')} />
        {!profile.email_verified && <ConfirmAddressNotice email={profile.email} />}
        <TextInput label="Full Name" autoComplete="name" {...field('full_name')} />
        {profile.role !== 'student' && (
          <TextInput label="Institution" autoComplete="organization" {...field('institution')} />
        )}
        <ErrorNotice error={form.failure} fallback="Failed to update profile. Please try again." />
        <div className="centered-row">
          <Button type="submit" size="sm" loading={form.submitting}>
            Save Changes
          </Button>
          <CancelButton size="sm" disabled={!dirty || form.submitting} onClick={form.reset} />
        </div>
      </form>
    </ProfileCard>
  )
}

const basicFields = ['username', 'email', 'full_name', 'institution'] as const

function basicValuesOf({ username, email, full_name, institution }: Profile) {
  return { username, email, full_name: full_name ?? '', institution: institution ?? '' }
}

/** Changed fields only: an untouched address from an LMS may be one the contract refuses. */
function profileChanges(profile: Profile, values: ReturnType<typeof basicValuesOf>): ProfileChanges {
  const stored = basicValuesOf(profile)
  return Object.fromEntries(
    basicFields.flatMap((field) => {
      const value = values[field].trim()
      return value === stored[field] ? [] : [[field, value]]
    }),
  )
}

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
  { choice: 'gradeNotifications', label: 'Grade notifications', description: 'When a student requests a regrade.' },
]

export function NotificationPreferences({ profile, changed }: Omit<Props, 'unsaved'>) {
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
    <ProfileCard title="Notification Preferences" status={sending && <span className={classes.dim}>Saving…</span>}>
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
    </ProfileCard>
  )
}

export function useProfile() {
  const student = useUser().role === 'student'
  return useGet(student ? getStudentProfile : getInstructorProfile)
}

export function useUpdateProfile() {
  const student = useUser().role === 'student'
  return useSend(student ? updateStudentProfile : updateInstructorProfile)
}
