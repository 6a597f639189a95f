import type { Assignment } from '@assay/shared/assignments.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import { LinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { LoadError, PageSkeleton, RowSkeletons } from '../../components/feedback/Loaded.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { useFileExport } from '../../components/files/useFileExport.ts'
import { Page } from '../../components/layout/Page.tsx'
import { prefetchPdfViewer } from '../../components/pdf/prefetch-pdf-viewer.ts'
import { downloadFile } from '../../lib/api/api-hooks.ts'
import { appendNewFiles } from '../../lib/files/append-new-files.ts'
import { formatDate, plural } from '../../lib/format.ts'
import { useDrawn } from '../../lib/hooks/after-paint.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'
import { useIdlePrefetch } from '../../lib/loading/useIdlePrefetch.ts'
import { NamesHiddenNotice } from '../assignments/anonymous-grading/NamesHiddenNotice.tsx'
import { GradedPapersBar } from '../graded-papers/GradedPapersBar.tsx'
import { useGradedPapersZip } from '../graded-papers/useGradedPapersZip.ts'
import { RetainedGrades } from '../grades/retained/RetainedGrades.tsx'
import { LmsScoresSummary } from '../lti/scores/LmsScoresSummary.tsx'
import { useLmsScores } from '../lti/scores/useLmsScores.ts'
import { DoubtfulResultsNotice } from '../questions/DoubtfulResultsNotice.tsx'
import { regradesPath } from '../regrades/regrades-path.ts'
import { OutdatedNotice } from '../rubrics/OutdatedNotice.tsx'
import { UncheckedRubricNotice } from '../rubrics/UncheckedRubricNotice.tsx'
import { ProcessDialog } from './grading-run/ProcessDialog.tsx'
import { RunBar } from './grading-run/RunBar.tsx'
import { type GradingProcess, useGradingProcess } from './grading-run/useGradingProcess.ts'
import { ApproveSureNotice } from './list/ApproveSureNotice.tsx'
import { SubmissionList } from './list/SubmissionList.tsx'
import { useListView } from './list/useListView.ts'
import { SubmissionsHeader } from './SubmissionsHeader.tsx'
import classes from './SubmissionsPage.module.css'
import { DropArea } from './upload/DropArea.tsx'
import { UploadPanel } from './upload/UploadPanel.tsx'
import { useGradeByHand } from './useGradeByHand.ts'
import { useSubmissions } from './useSubmissions.ts'

/** A smaller class tells nothing of how its answers are put (`docs/grading.md`). */
const FEW_PAPERS = 5

export function SubmissionsPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  // The key keeps one assignment's selection and open upload from the next.
  return <SubmissionsManager key={assignmentId} assignmentId={assignmentId} />
}

function SubmissionsManager({ assignmentId }: { assignmentId: number }) {
  const view = useListView()
  const { assignment, rows, counts, run, knowsRun, runFailure, reload, patchRuns, connection, lost, askEvery } =
    useSubmissions(assignmentId, view.order, view.page)
  const papers = useMemo(() => rows.data?.map(({ id }) => id) ?? [], [rows.data])
  const [uploading, setUploading] = useState(false)
  const [files, setFiles] = useState<readonly File[]>([])
  const process = useGradingProcess(assignmentId, reload)
  const gradedPapers = useGradedPapersZip(assignmentId)
  const [isShown, setIsShown] = useState(false)
  const drawn = useDrawn(isShown)
  const lms = useLmsScores(assignment.data, papers, { every: askEvery, ready: drawn })
  // Drawn at once: what came one after another would push the list down under the hand.
  const isKnown = assignment.data && counts.data && rows.data
  if (isKnown && !isShown) setIsShown(true)
  useIdlePrefetch(prefetchPdfViewer, { ready: isShown && rows.data !== undefined && rows.data.length > 0 })
  const missing = [assignment, rows, counts].find(({ data, error }) => data === undefined && error)
  const error = missing?.error

  if (error) {
    return (
      <Page>
        <LoadError
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
        <div className={classes.notices}>
          <RetentionNotice assignment={assignment.data} />
          <NamesHiddenNotice assignment={assignment.data}>
            Names are hidden while this assignment is graded. Papers have numbers instead.
          </NamesHiddenNotice>
          <UnmatchedNotice assignment={assignment.data} unmatched={counts.data.unmatched} />
          <HeldNotice
            papers={counts.data.held}
            shown={view.order.status === 'held'}
            show={() => view.change({ status: 'held' })}
          />
          {counts.data.outdated > 0 && !run && !process.starting && (
            <OutdatedNotice
              assignmentId={assignmentId}
              outdated={counts.data.outdated}
              process={process}
              shown={view.order.status === 'outdated'}
            />
          )}
          {!run && counts.data.reviewed < counts.data.graded && (
            <DoubtfulResultsNotice
              assignmentId={assignmentId}
              doubts={assignment.data.doubtful_results}
              linksToAnswers
            />
          )}
          {!run && counts.data.graded < FEW_PAPERS && counts.data.reviewed < counts.data.graded && (
            <Notice title="Few papers to compare with">
              With fewer than five papers, answers in words are compared with the key alone, and the grader is less sure
              of them.
            </Notice>
          )}
          {!run && !process.starting && <FailedNotice counts={counts.data} process={process} />}
          {!run && <ByHandNotice assignmentId={assignmentId} papers={counts.data.by_hand} />}
          {!run && knowsRun && !process.starting && (
            <ApproveSureNotice
              assignmentId={assignmentId}
              ready={drawn}
              published={assignment.data.status === 'published'}
              held={assignment.data.doubtful_results !== undefined}
              counts={counts.data}
              reloadList={reload}
            />
          )}
          <OpenRegradesNotice assignmentId={assignmentId} open={counts.data.regrade} />
        </div>
        <UncheckedRubricNotice assignment={assignment.data} counts={counts.data} />
        <LmsScoresSummary lms={lms} />
        {rows.data ? (
          <SubmissionList
            assignmentId={assignmentId}
            view={view}
            rows={rows.data}
            total={rows.total ?? rows.data.length}
            counts={counts.data}
            lmsScores={lms}
            live={connection === 'connected'}
            process={process}
            busy={run !== null}
            openUpload={() => setUploading(true)}
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

function ByHandNotice({ assignmentId, papers }: { assignmentId: number; papers: number }) {
  const gradeByHand = useGradeByHand(assignmentId)
  if (papers === 0) return null
  return (
    <Notice
      tone="warn"
      title={`${plural(papers, 'paper has', 'papers have')} answers to grade by hand`}
      actions={<Button onClick={() => void gradeByHand()}>Grade by hand</Button>}
    >
      These answers couldn’t be found or read, or are of a kind that only you can grade. Students see no total until you
      do.
    </Notice>
  )
}

function HeldNotice({ papers, shown, show }: { papers: number; shown: boolean; show: () => void }) {
  if (papers === 0) return null
  return (
    <Notice
      tone="warn"
      title={`${plural(papers, 'paper needs', 'papers need')} a look first`}
      actions={shown ? undefined : <Button onClick={show}>Show {papers === 1 ? 'it' : 'them'}</Button>}
    >
      Something seems wrong with {papers === 1 ? 'it' : 'them'}, such as two students in one file. Open{' '}
      {papers === 1 ? 'the paper' : 'each paper'} to decide; until then {papers === 1 ? 'it is' : 'they are'} not
      graded.
    </Notice>
  )
}

/** Nobody sees the grades of papers without a student. */
function UnmatchedNotice({ assignment, unmatched }: { assignment: Assignment; unmatched: number }) {
  // Without a course there are no students to choose from, and publishing says so.
  if (unmatched === 0 || assignment.course_id === null) return null
  return (
    <Notice>
      {plural(unmatched, 'paper')} without a student.{' '}
      {assignment.anonymous?.names_hidden ? (
        `Show names to match ${unmatched === 1 ? 'it' : 'them'}.`
      ) : (
        <Link to={`/assignments/${assignment.id}/submissions/match`}>
          Match to {unmatched === 1 ? 'a student' : 'students'}
        </Link>
      )}
    </Notice>
  )
}

function FailedNotice({ counts, process }: { counts: SubmissionCounts; process: GradingProcess }) {
  const { failed, failed_files } = counts
  if (failed === 0) return null
  const others = failed - failed_files
  return (
    <Notice
      tone="warn"
      title={`${plural(failed, 'paper')} could not be read or graded`}
      actions={<Button onClick={() => void process.start()}>Try again</Button>}
    >
      {failed_files > 0 &&
        `${plural(failed_files, 'file')} cannot be read: upload ${failed_files === 1 ? 'it' : 'them'} anew. `}
      {others > 0 &&
        `Nothing is known to be wrong with ${plural(others, failed_files > 0 ? 'other file' : 'file')}: try again. `}
      The list says why. The other papers are graded.
    </Notice>
  )
}

/** `open`: papers with an open request. */
function OpenRegradesNotice({ assignmentId, open }: { assignmentId: number; open: number }) {
  if (open === 0) return null
  return (
    <Notice
      title={plural(open, 'open regrade request')}
      actions={<LinkButton to={regradesPath(assignmentId)}>Answer requests</LinkButton>}
    >
      {open === 1 ? 'A student asks' : 'Students ask'} you to look at a grade again.
    </Notice>
  )
}

function RetentionNotice({ assignment }: { assignment: Assignment }) {
  const { id, course_id, work_deletion_at, work_deleted_at } = assignment
  const grades = useFileExport(
    () => downloadFile(exportGrades, { params: { assignmentId: id } }, `assignment_${id}_grades.csv`),
    'Failed to export grades. Please try again.',
  )
  const rule = course_id === null ? 'school’s' : 'course’s'
  if (work_deletion_at)
    return (
      <Notice
        tone="warn"
        title={`Student work will be deleted on ${formatDate(work_deletion_at)}`}
        actions={
          <>
            <SecondaryButton size="xs" loading={grades.busy} onClick={() => void grades.start()}>
              Export grades
            </SecondaryButton>
            {course_id !== null && (
              <LinkButton size="xs" to={`/courses/${course_id}/edit`}>
                Change the rule
              </LinkButton>
            )}
          </>
        }
      >
        Nothing has happened here for as long as the {rule} retention rule keeps student work. Papers, answers, grades
        and comments go; the assignment with its rubric stays. New activity takes this back.
      </Notice>
    )
  if (work_deleted_at)
    return (
      <Notice>
        Student work was deleted on {formatDate(work_deleted_at)} under the {rule} retention rule.
      </Notice>
    )
  return null
}
