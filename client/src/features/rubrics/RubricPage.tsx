import { getAssignment } from '@assay/shared/assignments.ts'
import { getRubric } from '@assay/shared/rubric-endpoints.ts'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { PageHeader } from '../../components/layout/PageHeader.tsx'
import { PageSkeleton } from '../../components/layout/PageSkeleton.tsx'
import { useGet } from '../../lib/api/api-hooks.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'
import { RubricEditor } from './editor/RubricEditor.tsx'

/** While a rubric is being made, or papers are graded by it, its state is requested this often, in ms. */
const POLL_INTERVAL_MS = 1500

export function RubricPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  // With the key, what is written for one assignment does not appear in the next.
  return <RubricLoader key={assignmentId} assignmentId={assignmentId} />
}

function RubricLoader({ assignmentId }: { assignmentId: number }) {
  const [every, setEvery] = useState(0)
  const assignment = useGet(getAssignment, { assignmentId })
  const rubric = useGet(getRubric, { assignmentId }, undefined, { refreshIntervalMs: every })
  const busy = rubric.data?.held || rubric.data?.generation?.state === 'running'
  useEffect(() => setEvery(busy ? POLL_INTERVAL_MS : 0), [busy])

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
        <LoadError
          error={failed.error}
          retry={() => Promise.all([assignment.reload(), rubric.reload()])}
          title="Error Loading Rubric"
        >
          <Button component={Link} to="/dashboard" variant="default">
            Back to Dashboard
          </Button>
        </LoadError>
      </Page>
    )
  }
  return <PageSkeleton label="Loading the rubric" />
}
