import { getAssignment } from '@assay/shared/assignments.ts'
import {
  type ClassScan,
  deleteClassScan,
  getClassScan,
  resumeClassScan,
  stopClassScan,
} from '@assay/shared/class-scans.ts'
import { Button, Progress } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { Announcer } from '../../../components/feedback/Announcer.tsx'
import { AskFirst } from '../../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { Loaded, Page, PageHeader, RowSkeletons } from '../../../components/layout/Page.tsx'
import { useAttempt, useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { useRouteIds } from '../../../lib/hooks/useRouteIds.ts'
import { classScansPath, submissionsPath } from '../../../paths.ts'
import classes from './class-scans.module.css'
import { PapersReview } from './PapersReview.tsx'

const POLL_MS = 1500

export function ClassScanPage() {
  const { assignmentId, scanId } = useRouteIds('assignmentId', 'scanId')
  const assignment = useGet(getAssignment, { assignmentId })
  const scan = useGet(getClassScan, { assignmentId, scanId }, undefined, {
    refreshIntervalMs: (data) => (data?.state === 'analysing' || data?.state === 'confirming' ? POLL_MS : 0),
  })
  const title = assignment.data?.title ?? 'Assignment'
  return (
    <Page>
      <PageHeader
        title="Look over the papers"
        tabTitle={`Class scan, ${title}`}
        subtitle={scan.data?.files.map(({ name }) => name).join(', ') ?? ''}
        crumbs={[
          { label: title, to: submissionsPath(assignmentId) },
          { label: 'Class scans', to: classScansPath(assignmentId) },
          { label: 'Papers' },
        ]}
        actions={scan.data && <DeleteScan scan={scan.data} />}
      />
      <Loaded
        query={scan}
        title="Error Loading Class Scan"
        skeleton={<RowSkeletons count={4} label="Loading the papers" />}
      >
        {(data) => (
          <ScanPlace state={data.state}>
            <Scan scan={data} changed={(next) => scan.patch(() => next)} reload={scan.reload} />
          </ScanPlace>
        )}
      </Loaded>
    </Page>
  )
}

/** Takes the focus when what had it gives way to progress or to the papers. */
function ScanPlace({ state, children }: { state: ClassScan['state']; children: ReactNode }) {
  const place = useRef<HTMLElement>(null)
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== state && document.activeElement === document.body)
      place.current?.focus({ preventScroll: true })
    before.current = state
  }, [state])
  return (
    <section ref={place} tabIndex={-1} aria-label="Class scan" className={classes.place}>
      {children}
    </section>
  )
}

interface ScanProps {
  scan: ClassScan
  changed: (scan: ClassScan) => void
  reload: () => Promise<boolean>
}

function Scan({ scan, changed, reload }: ScanProps) {
  if (scan.state === 'ready')
    return (
      <Announcer>
        <PapersReview scan={scan} changed={changed} reload={reload} />
      </Announcer>
    )
  if (scan.state === 'confirmed')
    return (
      <Notice>
        {plural(scan.progress.total, 'paper was', 'papers were')} added to the submissions.{' '}
        <Link to={submissionsPath(scan.assignment_id)}>Open the submissions</Link>
      </Notice>
    )
  return <ScanProgress scan={scan} reload={reload} />
}

const steps = {
  pages: 'Looking at the pages',
  names: 'Reading the names',
  papers: 'Adding the papers to the submissions',
} as const

function ScanProgress({ scan, reload }: Omit<ScanProps, 'changed'>) {
  const params = { assignmentId: scan.assignment_id, scanId: scan.id }
  const stopping = useSend(stopClassScan)
  const resuming = useSend(resumeClassScan)
  const { attempt, failure } = useAttempt('That did not work. Please try again.')
  const { step, done, total } = scan.progress
  const act = (call: () => Promise<unknown>) =>
    attempt(async () => {
      await call()
      await reload()
    })
  const halted = scan.state === 'stopped' || scan.state === 'failed' || scan.failure !== null
  return (
    <div className={classes.progress}>
      {scan.failure && <Notice tone="bad">{scan.failure}</Notice>}
      <span role="status">
        {scan.state === 'stopped' ? 'Stopped. What was found so far is kept. ' : ''}
        {steps[step]}: {formatCount(done)} of {formatCount(total)}. {!halted && 'You can leave this page; it goes on.'}
      </span>
      <Progress value={total > 0 ? (100 * done) / total : 0} aria-label={steps[step]} />
      {failure && <Notice tone="bad">{failure}</Notice>}
      <div>
        {halted ? (
          <Button loading={resuming.sending} onClick={() => void act(() => resuming.send({ params }))}>
            Go on
          </Button>
        ) : (
          scan.state === 'analysing' && (
            <SecondaryButton loading={stopping.sending} onClick={() => void act(() => stopping.send({ params }))}>
              Stop
            </SecondaryButton>
          )
        )}
      </div>
    </div>
  )
}

function DeleteScan({ scan }: { scan: ClassScan }) {
  const deleting = useSend(deleteClassScan)
  const navigate = useNavigate()
  return (
    <AskFirst
      button={(ask) => <SecondaryButton onClick={ask}>Delete scan</SecondaryButton>}
      title="Delete this class scan?"
      confirmLabel="Delete scan"
      dangerous
      onConfirm={async () => {
        await deleting.send({ params: { assignmentId: scan.assignment_id, scanId: scan.id } })
        void navigate(classScansPath(scan.assignment_id))
      }}
    >
      The scan and the papers proposed from it are deleted. Submissions made from it stay.
    </AskFirst>
  )
}
