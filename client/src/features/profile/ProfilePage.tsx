import type { Profile } from '@assay/shared/profile.ts'
import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { UnsavedChangesModal } from '../../components/feedback/UnsavedChangesModal.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { PageHeader } from '../../components/layout/PageHeader.tsx'
import type { QueryResult } from '../../lib/api/api-hooks.ts'
import { useUnsavedChanges } from '../../lib/hooks/useUnsavedChanges.ts'
import { launchId } from '../../lib/session/launch-path.ts'
import { AccountCard } from './AccountCard.tsx'
import { BasicInformation } from './BasicInformation.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { LmsAccount } from './LmsAccount.tsx'
import { NotificationPreferences } from './NotificationPreferences.tsx'
import classes from './ProfilePage.module.css'
import { QuickActions } from './QuickActions.tsx'
import { useProfile } from './useProfile.ts'
import { YourData } from './YourData.tsx'

export function ProfilePage() {
  const profile = useProfile()
  return (
    <Page>
      <PageHeader title="Profile Settings" />
      <Content profile={profile} />
    </Page>
  )
}

function Content({ profile: { data, error, reload, patch } }: { profile: QueryResult<Profile> }) {
  if (data) return <ProfileSections profile={data} changed={(next) => patch(() => next)} />
  if (error) return <LoadError error={error} retry={reload} title="Failed to load profile data." />
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
  const guard = useUnsavedChanges(basicUnsaved || passwordUnsaved)
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
        {/* The bar of a launch has its places. */}
        {launchId === null && <QuickActions role={profile.role} />}
      </div>
      <UnsavedChangesModal opened={guard.isBlocked} stay={guard.stay} discard={guard.proceed}>
        Your profile has unsaved changes that will be lost.
      </UnsavedChangesModal>
    </div>
  )
}
