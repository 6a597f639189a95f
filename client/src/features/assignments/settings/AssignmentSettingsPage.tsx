import { type Assignment, getAssignment } from '@assay/shared/assignments.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { UnsavedChangesModal } from '../../../components/feedback/UnsavedChangesModal.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { PageHeader } from '../../../components/layout/PageHeader.tsx'
import { PageSkeleton } from '../../../components/layout/PageSkeleton.tsx'
import { type QueryResult, useGet } from '../../../lib/api/api-hooks.ts'
import { useRouteIds } from '../../../lib/hooks/useRouteIds.ts'
import { useUnsavedChanges } from '../../../lib/hooks/useUnsavedChanges.ts'
import { ScoreRulesPanel } from '../../score-rules/ScoreRulesPanel.tsx'
import { AssignmentBadges } from '../AssignmentBadges.tsx'
import { AnonymousGradingPanel } from '../anonymous-grading/AnonymousGradingPanel.tsx'
import { AssignmentSettingsForm } from './AssignmentSettingsForm.tsx'
import { Extensions } from './Extensions.tsx'

export function AssignmentSettingsPage() {
  const ids = useRouteIds('assignmentId')
  const assignment = useGet(getAssignment, ids)
  // The key gives each assignment a fresh form.
  if (assignment.data) return <Settings key={assignment.data.id} assignment={assignment.data} loaded={assignment} />
  if (assignment.error) {
    return (
      <Page width="reading">
        <PageHeader title="Assignment settings" />
        <LoadError error={assignment.error} retry={assignment.reload} title="Error Loading Assignment">
          <Button component={Link} to="/dashboard" variant="default">
            Back to Dashboard
          </Button>
        </LoadError>
      </Page>
    )
  }
  return <PageSkeleton label="Loading settings" />
}

function Settings({ assignment, loaded }: { assignment: Assignment; loaded: QueryResult<Assignment> }) {
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
        badge={<AssignmentBadges assignment={assignment} />}
        actions={
          <Button component={Link} to={`/assignments/${assignment.id}/rubric`} variant="default">
            Rubric
          </Button>
        }
      />
      <AssignmentSettingsForm
        assignment={assignment}
        saved={(next) => loaded.patch(() => next)}
        setChanged={setSettingsChanged}
      />
      <AnonymousGradingPanel assignment={assignment} changed={(next) => loaded.patch(() => next)} />
      <ScoreRulesPanel assignment={assignment} />
      <Extensions assignment={assignment} setTyped={setExtensionTyped} />
      <UnsavedChangesModal opened={guard.isBlocked} stay={guard.stay} discard={guard.proceed}>
        The settings have changes that are not saved. They would be lost.
      </UnsavedChangesModal>
    </Page>
  )
}
