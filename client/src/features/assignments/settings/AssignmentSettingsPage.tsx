import { type Assignment, getAssignment } from '@assay/shared/assignments.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LoadFailed } from '../../../components/LoadFailed.tsx'
import { Page } from '../../../components/Page.tsx'
import { PageHeader } from '../../../components/PageHeader.tsx'
import { PageSkeleton } from '../../../components/PageSkeleton.tsx'
import { UnsavedChangesModal } from '../../../components/UnsavedChangesModal.tsx'
import { type Loaded, useGet } from '../../../lib/api.ts'
import { useIds } from '../../../lib/useIds.ts'
import { useUnsavedChanges } from '../../../lib/useUnsavedChanges.ts'
import { AssignmentMarks } from '../AssignmentMarks.tsx'
import { Extensions } from './Extensions.tsx'
import { SettingsForm } from './SettingsForm.tsx'

export function AssignmentSettingsPage() {
  const ids = useIds('assignmentId')
  const assignment = useGet(getAssignment, ids)
  // The key gives each assignment a fresh form.
  if (assignment.data)
    return <Settings key={assignment.data.id} assignment={assignment.data} loaded={assignment} />
  if (assignment.error) {
    return (
      <Page width="reading">
        <PageHeader title="Assignment settings" />
        <LoadFailed error={assignment.error} retry={assignment.reload} title="Error Loading Assignment">
          <Button component={Link} to="/dashboard" variant="default">
            Back to Dashboard
          </Button>
        </LoadFailed>
      </Page>
    )
  }
  return <PageSkeleton label="Loading settings" />
}

function Settings({ assignment, loaded }: { assignment: Assignment; loaded: Loaded<Assignment> }) {
  const [settingsChanged, setSettingsChanged] = useState(false)
  const [extensionTyped, setExtensionTyped] = useState(false)
  // One for the page: a router holds one question at a time.
  const guard = useUnsavedChanges(settingsChanged || extensionTyped)
  const submissions = `/assignments/${assignment.id}/submissions`
  return (
    <Page width="reading">
      <PageHeader
        title="Settings"
        tabTitle={`Settings, ${assignment.title}`}
        crumbs={[
          { label: 'Dashboard', to: '/dashboard' },
          { label: assignment.title, to: submissions },
          { label: 'Settings' },
        ]}
        beside={<AssignmentMarks assignment={assignment} />}
        actions={
          <Button component={Link} to={`/assignments/${assignment.id}/rubric`} variant="default">
            Rubric
          </Button>
        }
      />
      <SettingsForm
        assignment={assignment}
        saved={(next) => loaded.patch(() => next)}
        setChanged={setSettingsChanged}
      />
      <Extensions assignment={assignment} setTyped={setExtensionTyped} />
      <UnsavedChangesModal opened={guard.asking} stay={guard.stay} discard={guard.leave}>
        The settings have changes that are not saved. They would be lost.
      </UnsavedChangesModal>
    </Page>
  )
}
