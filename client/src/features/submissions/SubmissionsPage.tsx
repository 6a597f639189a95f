import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Page } from '../../components/Page.tsx'
import { RowSkeletons } from '../../components/PageSkeleton.tsx'
import { useIds } from '../../lib/useIds.ts'
import { RunBar } from './RunBar.tsx'
import { countRows } from './row-status.ts'
import { SubmissionList } from './SubmissionList.tsx'
import { SubmissionsHeader } from './SubmissionsHeader.tsx'
import classes from './SubmissionsPage.module.css'
import { UploadPanel } from './UploadPanel.tsx'
import { useProcess } from './useProcess.ts'
import { useSubmissions } from './useSubmissions.ts'

export function SubmissionsPage() {
  const { assignmentId } = useIds('assignmentId')
  // The key keeps one assignment's selection and open upload from the next.
  return <SubmissionsManager key={assignmentId} assignmentId={assignmentId} />
}

function SubmissionsManager({ assignmentId }: { assignmentId: number }) {
  const { assignment, rows, run, runFailure, reload, patchRuns, connection, lost } =
    useSubmissions(assignmentId)
  const [uploading, setUploading] = useState(false)
  const process = useProcess(assignmentId, reload)
  const error = (assignment.data ? undefined : assignment.error) ?? (rows.data ? undefined : rows.error)

  if (error) {
    return (
      <Page>
        <LoadFailed error={error} retry={reload} title="Error Loading Submissions">
          <Button component={Link} to="/courses" variant="default">
            Back to Courses
          </Button>
        </LoadFailed>
      </Page>
    )
  }
  return (
    <Page>
      <SubmissionsHeader
        assignmentId={assignmentId}
        assignment={assignment}
        counts={countRows(rows.data ?? [])}
        running={run !== null}
        process={process}
        uploading={uploading}
        toggleUpload={() => setUploading(!uploading)}
        reload={reload}
      />
      {uploading && (
        <UploadPanel
          assignmentId={assignmentId}
          known={rows.data ?? []}
          done={() => {
            setUploading(false)
            void reload()
          }}
        />
      )}
      <RunBar
        run={run}
        failure={runFailure}
        starting={process.starting}
        stopped={(stopped) => {
          patchRuns((list) => list.map((one) => (one.id === stopped.id ? stopped : one)))
          void reload()
        }}
      />
      <div role="status" className={classes.lost}>
        {lost && <Notice tone="warn">Connection lost; trying again…</Notice>}
      </div>
      {rows.data ? (
        <SubmissionList
          assignmentId={assignmentId}
          rows={rows.data}
          live={connection === 'connected'}
          process={process}
          busy={run !== null}
          openUpload={() => setUploading(true)}
          reload={reload}
          patch={rows.patch}
        />
      ) : (
        <RowSkeletons label="Loading submissions" />
      )}
    </Page>
  )
}
