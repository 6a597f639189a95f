import { getAssignment } from '@assay/shared/assignments.ts'
import {
  type ClassScanRow,
  listClassScans,
  type SplitWay,
  splitWays,
  uploadClassScan,
} from '@assay/shared/class-scans.ts'
import { MAX_CLASS_SCAN_BYTES, MAX_CLASS_SCAN_FILES } from '@assay/shared/rules/limits.ts'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { ErrorNotice } from '../../../components/feedback/Notice.tsx'
import { PdfDropZone, SelectedFiles } from '../../../components/files/PdfDropZone.tsx'
import { UploadProgressBar } from '../../../components/files/UploadProgressBar.tsx'
import { LoadError, Page, PageHeader, RowSkeletons } from '../../../components/layout/Page.tsx'
import { useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { appendNewFiles } from '../../../lib/files/pdf-validation.ts'
import { formatDateTime, plural } from '../../../lib/format.ts'
import { useRouteIds } from '../../../lib/hooks/useRouteIds.ts'
import { useBeforeUnloadWarning } from '../../../lib/hooks/useUnsavedChanges.ts'
import { classScanPath, submissionsPath } from '../../../paths.ts'
import classes from './class-scans.module.css'
import { SplitChoice } from './SplitChoice.tsx'

export function ClassScansPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  const assignment = useGet(getAssignment, { assignmentId })
  const scans = useGet(listClassScans, { assignmentId })
  const title = assignment.data?.title ?? 'Assignment'
  return (
    <Page>
      <PageHeader
        title="Class scans"
        tabTitle={`Class scans, ${title}`}
        subtitle="Upload the whole stack as it comes from the copier. You look over the papers before anything is graded."
        crumbs={[{ label: title, to: submissionsPath(assignmentId) }, { label: 'Class scans' }]}
      />
      {scans.error && !scans.data ? (
        <LoadError error={scans.error} retry={scans.reload} title="Error Loading Class Scans" />
      ) : (
        <>
          <UploadForm assignmentId={assignmentId} />
          {scans.data ? <Scans scans={scans.data} /> : <RowSkeletons count={2} label="Loading class scans" />}
        </>
      )}
    </Page>
  )
}

function UploadForm({ assignmentId }: { assignmentId: number }) {
  const [files, setFiles] = useState<readonly File[]>([])
  const [by, setBy] = useState<SplitWay | 'automatic'>('automatic')
  const [count, setCount] = useState<number | ''>('')
  const upload = useSend(uploadClassScan)
  const navigate = useNavigate()
  useBeforeUnloadWarning(upload.sending)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const body = {
      ...(by === 'automatic' ? {} : { split_by: by }),
      ...(by === 'page_count' && count !== '' ? { pages_per_paper: count } : {}),
    }
    const scan = await upload.attempt({ params: { assignmentId }, body, files: { files } })
    if (scan) void navigate(classScanPath(assignmentId, scan.id))
  }

  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} aria-label="Upload a class scan">
      <PdfDropZone
        label={files.length > 0 ? 'Add more files' : 'Choose the scan of the class'}
        hint="One or several PDFs in the order of the stack: up to 2,000 pages in all, 20 files, 100 MB each"
        multiple
        maxFiles={MAX_CLASS_SCAN_FILES}
        maxBytes={MAX_CLASS_SCAN_BYTES}
        disabled={upload.sending}
        selectedCount={files.length}
        onFiles={(added) => setFiles((have) => appendNewFiles(have, added))}
      />
      {files.length > 0 && (
        <SelectedFiles
          label="Chosen files"
          files={files.map((file) => ({ file, sentFraction: 0, rejectionReason: undefined }))}
          remove={(file) => setFiles((have) => have.filter((old) => old !== file))}
        />
      )}
      <SplitChoice ways={['automatic', ...splitWays]} by={by} setBy={setBy} count={count} setCount={setCount} />
      <ErrorNotice error={upload.error} fallback="The scan was not uploaded. Please try again." />
      {upload.sending && <UploadProgressBar progress={upload.progress} />}
      <div>
        <Button
          type="submit"
          loading={upload.sending}
          disabled={files.length === 0 || (by === 'page_count' && count === '')}
        >
          Upload and split
        </Button>
      </div>
    </form>
  )
}

const stateWords: Record<ClassScanRow['state'], string> = {
  analysing: 'Looking at the pages',
  stopped: 'Stopped',
  failed: 'Failed',
  ready: 'To be looked over',
  confirming: 'Adding the papers',
  confirmed: 'Confirmed',
}

function Scans({ scans }: { scans: readonly ClassScanRow[] }) {
  if (scans.length === 0) return null
  return (
    <section aria-label="Uploaded scans">
      <h2 className={classes.heading}>Uploaded scans</h2>
      <ul className={classes.list}>
        {scans.map((scan) => (
          <li key={scan.id}>
            <Link to={classScanPath(scan.assignment_id, scan.id)}>{scan.files.map(({ name }) => name).join(', ')}</Link>
            <span className="dim">
              {stateWords[scan.state]} · {plural(scan.pages, 'page')} · {formatDateTime(scan.created_at)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
