import { type Assignment, getAssignment } from '@assay/shared/assignments.ts'
import { getRubric } from '@assay/shared/rubric-calls.ts'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { PageSkeleton } from '../../components/PageSkeleton.tsx'
import { useGet } from '../../lib/api.ts'
import { useIds } from '../../lib/useIds.ts'
import { RubricEditor } from './RubricEditor.tsx'

/** While a rubric is being made, or papers are graded by it, what stands is asked for this often, in ms. */
const ASK_EVERY_MS = 1500

export function RubricPage() {
  const { assignmentId } = useIds('assignmentId')
  // The key keeps what is written for one assignment from the next.
  return <Loading key={assignmentId} assignmentId={assignmentId} />
}

function Loading({ assignmentId }: { assignmentId: number }) {
  const [every, setEvery] = useState(0)
  const assignment = useGet(getAssignment, { assignmentId })
  const rubric = useGet(getRubric, { assignmentId }, undefined, { every })
  const busy = rubric.data?.held || rubric.data?.making?.state === 'running'
  useEffect(() => setEvery(busy ? ASK_EVERY_MS : 0), [busy])

  if (assignment.data && rubric.data)
    return (
      <RubricEditor
        assignment={assignment.data}
        current={rubric.data}
        put={(next) => rubric.patch(() => next)}
        reload={rubric.reload}
      />
    )
  const failed = [assignment, rubric].find(({ data, error }) => data === undefined && error)
  if (failed?.error) {
    return (
      <Page width="reading">
        <PageHeader title="Rubric" />
        <LoadFailed
          error={failed.error}
          retry={() => Promise.all([assignment.reload(), rubric.reload()])}
          title="Error Loading Rubric"
        >
          <Button component={Link} to="/dashboard" variant="default">
            Back to Dashboard
          </Button>
        </LoadFailed>
      </Page>
    )
  }
  return <PageSkeleton label="Loading the rubric" />
}

export const crumbsOf = (assignment: Assignment) => [
  { label: 'Dashboard', to: '/dashboard' },
  { label: assignment.title, to: `/assignments/${assignment.id}/submissions` },
  { label: 'Rubric' },
]
