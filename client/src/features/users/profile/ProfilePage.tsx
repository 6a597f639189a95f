import { changePassword, forgotPassword } from '@assay/shared/auth.ts'
import { exportOwnData } from '@assay/shared/personal-data.ts'
import type { Profile } from '@assay/shared/profile.ts'
import type { Role } from '@assay/shared/users.ts'
import { Button, Skeleton } from '@mantine/core'
import { IconChevronRight, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { PasswordField } from '../../../components/display/PasswordField.tsx'
import { UnsavedChanges } from '../../../components/feedback/ConfirmModal.tsx'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { Loaded, Page, PageHeader } from '../../../components/layout/Page.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { formatDate, formatDateTime } from '../../../lib/format.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import { useLaunch } from '../../../lib/session/launch.ts'
import { launchId } from '../../../lib/session/launch-path.ts'
import { homePathOf } from '../../../lib/session/redirect-paths.ts'
import { toast } from '../../../lib/toast.ts'
import { emptyNewPassword, NewPasswordFields, newPasswordErrors } from '../../auth/passwords/NewPasswordFields.tsx'
import { DeleteOwnAccountModal } from '../../privacy/personal-data/DeleteOwnAccountModal.tsx'
import { DataDownloadStatus, useDataDownload } from '../../privacy/personal-data/DownloadDataModal.tsx'
import personalDataClasses from '../../privacy/personal-data/PersonalData.module.css'
import { BasicInformation, NotificationPreferences, ProfileCard, useProfile } from './ProfileForms.tsx'
import classes from './ProfilePage.module.css'

export function ProfilePage() {
  const profile = useProfile()
  return (
    <Page>
      <PageHeader title="Profile Settings" />
      <Loaded query={profile} title="Failed to load profile data." skeleton={<ProfileSkeleton />}>
        {(data) => <ProfileSections profile={data} changed={(next) => profile.patch(() => next)} />}
      </Loaded>
    </Page>
  )
}

function ProfileSkeleton() {
  return (
    <div className={classes.columns} role="status" aria-label="Loading your profile">
      <div className={classes.main}>
        <Skeleton height={320} radius="lg" />
        <Skeleton height={360} radius="lg" />
      </div>
      <div className={classes.side}>
        <Skeleton height={220} radius="lg" />
      </div>
    </div>
  )
}

function ProfileSections({ profile, changed }: { profile: Profile; changed: (profile: Profile) => void }) {
  const [basicUnsaved, setBasicUnsaved] = useState(false)
  const [passwordUnsaved, setPasswordUnsaved] = useState(false)
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        {profile.from_lms ? (
          <LmsAccount profile={profile} />
        ) : (
          <>
            <BasicInformation profile={profile} changed={changed} unsaved={setBasicUnsaved} />
            <ChangePassword profile={profile} unsaved={setPasswordUnsaved} />
            {/* Nobody is mailed at an address that only an LMS vouches for. */}
            <NotificationPreferences profile={profile} changed={changed} />
          </>
        )}
        <YourData profile={profile} />
      </div>
      <div className={classes.side}>
        <AccountCard profile={profile} />
        {/* The bar of a launch has these links. */}
        {launchId === null && <QuickActions role={profile.role} />}
      </div>
      <UnsavedChanges when={basicUnsaved || passwordUnsaved}>
        Your profile has unsaved changes that will be lost.
      </UnsavedChanges>
    </div>
  )
}

function AccountCard({ profile }: { profile: Profile }) {
  const { created_at, updated_at, email_verified, from_lms } = profile
  return (
    <ProfileCard title="Account Security">
      <dl className={classes.facts}>
        <Fact name="Status" className={classes.good}>
          <IconCircleCheck size={16} aria-hidden /> Active
        </Fact>
        {!from_lms && (
          <Fact name="Address" className={email_verified ? classes.good : classes.dim}>
            {email_verified ? <IconCircleCheck size={16} aria-hidden /> : <IconCircleDashed size={16} aria-hidden />}
            {email_verified ? 'Confirmed' : 'Not confirmed'}
          </Fact>
        )}
        <Fact name="Member Since">{formatDate(created_at)}</Fact>
        <Fact name="Last Updated">{updated_at === created_at ? 'Never' : formatDateTime(updated_at)}</Fact>
        <Fact name="User ID">{profile.id}</Fact>
      </dl>
    </ProfileCard>
  )
}

interface FactProps {
  name: string
  className?: string | undefined
  children: ReactNode
}

function Fact({ name, className, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  )
}

/** The LMS manages name and address. */
function LmsAccount({ profile: { full_name, username, email } }: { profile: Profile }) {
  const launch = useLaunch()
  const lms = launch?.platform.name ?? 'your LMS'
  return (
    <ProfileCard title="Basic Information">
      <dl className={classes.facts}>
        <Fact name="Name">{full_name ?? username}</Fact>
        {email && <Fact name="Email">{email}</Fact>}
      </dl>
      <p className={classes.text}>
        This account was created by {lms}. Your name and email come from there, and there is no password.
        {launch?.can_join_account && (
          <>
            {' '}
            If you sign in to Assay with a password elsewhere, you can <Link to="/lti/account">merge the accounts</Link>
            .
          </>
        )}
      </p>
    </ProfileCard>
  )
}

const more: Record<Role, { label: string; to: string }[]> = {
  student: [
    { label: 'All Courses', to: '/student/courses' },
    { label: 'All Grades', to: '/student/grades' },
  ],
  instructor: [
    { label: 'Courses', to: '/courses' },
    { label: 'Create Assignment', to: '/create-assignment' },
  ],
  admin: [
    { label: 'User Management', to: '/admin/users' },
    { label: 'Admin Settings', to: '/admin/settings' },
  ],
}

function QuickActions({ role }: { role: Role }) {
  const actions = [{ label: 'Dashboard', to: homePathOf(role) }, ...more[role]]
  return (
    <nav className={classes.card} aria-labelledby="quick">
      <div className={classes.head}>
        <h2 id="quick">Quick Actions</h2>
      </div>
      <ul className={classes.actions}>
        {actions.map(({ label, to }) => (
          <li key={to}>
            <Link to={to}>
              {label} <IconChevronRight size={16} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function YourData({ profile }: { profile: Profile }) {
  const download = useDataDownload(exportOwnData, {}, profile.id)
  return (
    <ProfileCard title="Your data">
      <div className={personalDataClasses.part}>
        <p className="plain">
          A ZIP file with what Assay stores about you and may show you: your account, courses, papers and released
          grades.
        </p>
        <SecondaryButton size="sm" disabled={download.bytes !== null} onClick={() => void download.start()}>
          Download my data
        </SecondaryButton>
        <DataDownloadStatus download={download} />
      </div>
      <div className={personalDataClasses.part}>
        <Deletion profile={profile} />
      </div>
    </ProfileCard>
  )
}

function Deletion({ profile }: { profile: Profile }) {
  const [asking, setAsking] = useState(false)
  const launch = useLaunch()
  const lms = launch?.platform.name ?? 'your LMS'
  if (profile.from_lms) {
    return (
      <p className="plain">
        You cannot delete this account yourself, because {lms} created it and would create it again. Ask your school, or
        an administrator of Assay, to delete it.
      </p>
    )
  }
  if (launch) {
    return (
      <p className="plain">
        You cannot delete your account from {lms}. Sign in to Assay with your password in a tab of its own, and delete
        it in your profile there, or ask an administrator of Assay.
      </p>
    )
  }
  return (
    <>
      <p className="plain">
        Deletes your account, your papers and everything that names you. Scores that were released to you stay with your
        school, without your name.
      </p>
      <SecondaryButton size="sm" className={personalDataClasses.delete} onClick={() => setAsking(true)}>
        Delete my account…
      </SecondaryButton>
      {asking && <DeleteOwnAccountModal profile={profile} close={() => setAsking(false)} />}
    </>
  )
}

function ChangePassword({ profile, unsaved }: { profile: Profile; unsaved: (unsaved: boolean) => void }) {
  return (
    <ProfileCard title="Password &amp; Security">
      {profile.has_password ? (
        <ChangeForm username={profile.username} unsaved={unsaved} />
      ) : (
        <SetFirstPassword email={profile.email} />
      )}
    </ProfileCard>
  )
}

function ChangeForm({ username, unsaved }: { username: string; unsaved: (unsaved: boolean) => void }) {
  const { send } = useSend(changePassword)
  const form = useContractForm(changePassword, {
    initialValues: { current: '', ...emptyNewPassword },
    toBody: ({ current, password }) => ({ current_password: current, new_password: password }),
    check: (values) => newPasswordErrors(values, 'New password'),
    names: { current_password: 'current', new_password: 'password' },
  })
  const { current, password, confirm } = form.getValues()
  const dirty = current + password + confirm !== ''
  useEffect(() => unsaved(dirty), [dirty, unsaved])
  const submit = form.submit(async (body) => {
    toast.success((await send({ body })).message)
    form.reset()
  })
  return (
    <form className={classes.fields} onSubmit={submit} noValidate>
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        required
        {...form.getInputProps('current')}
      />
      <NewPasswordFields form={form} />
      <ErrorNotice error={form.failure} fallback="Your password could not be changed. Please try again." />
      <div className="centered-row">
        <Button type="submit" size="sm" loading={form.submitting}>
          Change Password
        </Button>
        <span className={classes.dim}>You will be signed out on all other devices.</span>
      </div>
    </form>
  )
}

function SetFirstPassword({ email }: { email: string }) {
  const { attempt, sending, error } = useSend(forgotPassword)
  const [mailed, setMailed] = useState(false)
  const ask = async () => setMailed((await attempt({ body: { email } })) !== undefined)
  return (
    <div className={classes.fields}>
      <p className={classes.text}>This account has no password yet. We can email a link to {email} to set one.</p>
      <ErrorNotice error={error} fallback="Failed to send reset email. Please try again." />
      <div role="status">{mailed && <Notice>Check your email. The link works for an hour.</Notice>}</div>
      <div className="centered-row">
        <SecondaryButton size="sm" loading={sending} onClick={() => void ask()}>
          Email me a link
        </SecondaryButton>
      </div>
    </div>
  )
}
