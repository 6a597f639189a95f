import { useMemo, useState } from 'react'
import { LinkButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { LoadError, Page, PageSkeleton, RowSkeletons } from '../../components/layout/Page.tsx'
import { prefetchPdfViewer } from '../../components/pdf/prefetch-pdf-viewer.ts'
import { appendNewFiles } from '../../lib/files/pdf-validation.ts'
import { useDrawn } from '../../lib/hooks/after-paint.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'
import { useIdlePrefetch } from '../../lib/loading/useIdlePrefetch.ts'
import { toast } from '../../lib/toast.ts'
import { GradedPapersBar } from '../graded-papers/GradedPapersBar.tsx'
import { useGradedPapersZip } from '../graded-papers/useGradedPapersZip.ts'
import { RetainedGrades } from '../grades/retained/RetainedGrades.tsx'
import { LmsScoresSummary } from '../lti/scores/LmsScoresSummary.tsx'
import { useLmsScores } from '../lti/scores/useLmsScores.ts'
import { ProcessDialog, useGradingProcess } from '../runs/ProcessDialog.tsx'
import { RunBar } from '../runs/RunBar.tsx'
import { GradeApprovalsNotice, useGradeApprovals } from './list/GradeApprovalsNotice.tsx'
import { SubmissionList } from './list/SubmissionList.tsx'
import { useListView } from './list/useListView.ts'
import { SubmissionsHeader } from './SubmissionsHeader.tsx'
import { SubmissionsNotices } from './SubmissionsNotices.tsx'
import classes from './SubmissionsPage.module.css'
import { DropArea, UploadPanel } from './upload/UploadPanel.tsx'
import { useSubmissions } from './useSubmissions.ts'

export function SubmissionsPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  // One assignment's selection and open upload must not appear in the next.
  return <SubmissionsManager key={assignmentId} assignmentId={assignmentId} />
}

function SubmissionsManager({ assignmentId }: { assignmentId: number }) {
  const view = useListView()
  const { assignment, rows, counts, run, knowsRun, runFailure, reload, patchRuns, lost, askEvery } = useSubmissions(
    assignmentId,
    view.order,
    view.page,
  )
  const papers = useMemo(() => rows.data?.map(({ id }) => id) ?? [], [rows.data])
  const [uploading, setUploading] = useState(false)
  const [files, setFiles] = useState<readonly File[]>([])
  const process = useGradingProcess(assignmentId, reload)
  const gradedPapers = useGradedPapersZip(assignmentId)
  const [isShown, setIsShown] = useState(false)
  const drawn = useDrawn(isShown)
  const lms = useLmsScores(assignment.data, papers, { every: askEvery, ready: drawn })
  const grading = run !== null || process.starting
  const approvals = useGradeApprovals(assignmentId, counts.data, { grading, drawn })
  // Drawn at once: late parts would push the list down under the hand.
  const isKnown = assignment.data && counts.data && rows.data && !approvals.isAwaited
  if (isKnown && !isShown) setIsShown(true)
  useIdlePrefetch(prefetchPdfViewer, { ready: isShown && rows.data !== undefined && rows.data.length > 0 })
  // Rows of another filter would be taken for those of this one.
  const unanswered =
    rows.isPrevious &&
    (rows.error ? (
      <LoadError error={rows.error} retry={reload} title="Error Loading Submissions" />
    ) : (
      !navigator.onLine && <RowSkeletons label="Loading submissions" />
    ))
  const missing = [assignment, rows, counts].find(({ data, error }) => data === undefined && error)
  const error = missing?.error

  async function refresh() {
    if (await reload()) toast.success('Submissions refreshed successfully!')
    else toast.error('Failed to refresh submissions.')
  }

  if (error) {
    return (
      <Page>
        <LoadError
          isWhole
          error={error}
          retry={reload}
          title="Error Loading Submissions"
          fallback="Failed to fetch submissions or assignment details."
        >
          <LinkButton to="/courses">Back to Courses</LinkButton>
        </LoadError>
      </Page>
    )
  }
  if (!isShown || !assignment.data || !counts.data) return <PageSkeleton label="Loading submissions" />
  return (
    <Page>
      <SubmissionsHeader
        assignmentId={assignmentId}
        assignment={assignment}
        counts={counts.data}
        lmsScores={lms.summary}
        running={run !== null || !knowsRun}
        process={process}
        uploading={uploading}
        gradedPapers={gradedPapers}
        toggleUpload={() => {
          setUploading(!uploading)
          setFiles([])
        }}
        reload={reload}
        refresh={() => void refresh()}
      />
      <ProcessDialog process={process} />
      <GradedPapersBar zip={gradedPapers} />
      {uploading && (
        <UploadPanel
          assignmentId={assignmentId}
          files={files}
          setFiles={setFiles}
          done={(whole) => {
            if (whole) setUploading(false)
            void reload()
          }}
        />
      )}
      <DropArea
        onFiles={(added) => {
          setUploading(true)
          setFiles((have) => appendNewFiles(have, added))
        }}
      >
        <RunBar
          run={run}
          failure={runFailure}
          starting={process.starting}
          changed={(changed) => {
            patchRuns((list) => list.map((one) => (one.id === changed.id ? changed : one)))
            void reload()
          }}
        />
        <div role="status" className={classes.lost}>
          {lost && <Notice tone="warn">Connection lost. Reconnecting…</Notice>}
        </div>
        {!grading && knowsRun && (
          <GradeApprovalsNotice
            assignmentId={assignmentId}
            approvals={approvals}
            published={assignment.data.status === 'published'}
            held={assignment.data.doubtful_results !== undefined}
            counts={counts.data}
            reloadList={reload}
          />
        )}
        <SubmissionsNotices
          assignment={assignment.data}
          counts={counts.data}
          process={process}
          grading={grading}
          view={view}
        />
        <LmsScoresSummary lms={lms} />
        {rows.data ? (
          <SubmissionList
            assignmentId={assignmentId}
            view={view}
            rows={unanswered ? [] : rows.data}
            total={rows.total ?? rows.data.length}
            unanswered={unanswered}
            counts={counts.data}
            lmsScores={lms}
            process={process}
            busy={run !== null}
            published={assignment.data.status === 'published'}
            approve={(grades) => approvals.approve({ grades })}
            approving={approvals.busy}
            openUpload={() => setUploading(true)}
            uploadIsNext={!uploading && assignment.data.rubric_checked === true}
            reload={reload}
            removeRows={(ids) => {
              rows.patch((shown) => shown.filter((row) => !ids.has(row.id)))
              counts.patch((now) => ({ ...now, all: Math.max(0, now.all - ids.size) }))
            }}
          />
        ) : (
          <RowSkeletons label="Loading submissions" />
        )}
        <RetainedGrades assignmentId={assignmentId} retained={counts.data.retained} />
      </DropArea>
    </Page>
  )
}
