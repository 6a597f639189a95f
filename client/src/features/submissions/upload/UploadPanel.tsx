import { MAX_FILES_PER_UPLOAD } from '@assay/shared/rules/limits.ts'
import { listSubmissions, uploadSubmission, uploadSubmissions } from '@assay/shared/submissions.ts'
import { Button, Checkbox } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useDropzone } from 'react-dropzone'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { PdfDropZone, RejectedFilesNotice, SelectedFiles } from '../../../components/files/PdfDropZone.tsx'
import { UploadProgressBar } from '../../../components/files/UploadProgressBar.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import type { UploadProgress } from '../../../lib/api/upload.ts'
import {
  appendNewFiles,
  partitionPdfs,
  rejectionMessage,
  sentFractions,
  useRejectedFiles,
} from '../../../lib/files/pdf-validation.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { useBeforeUnloadWarning } from '../../../lib/hooks/useUnsavedChanges.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './UploadPanel.module.css'

interface Props {
  assignmentId: number
  files: readonly File[]
  setFiles: (change: (have: readonly File[]) => readonly File[]) => void
  done: (whole: boolean) => void
}

export function UploadPanel({ assignmentId, files, setFiles, done }: Props) {
  const [byHand, setByHand] = useState(false)
  const upload = useUpload(assignmentId, files, (left) => setFiles(() => left))
  const { sending, error, refusals } = upload
  useBeforeUnloadWarning(sending)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (files.length === 0) {
      toast.error('Please select files to upload')
      return
    }
    const chosen = files.length
    const uploaded = await upload.start(byHand)
    const { complete, sent, newCount } = uploaded
    if (!complete && upload.stopped()) toast.info(stoppedMessage(uploaded, chosen))
    else if (sent > 0 && !complete)
      toast.info(`${formatCount(sent)} of ${plural(chosen, 'file')} uploaded; the rest stay selected.`)
    else if (complete && newCount > 0) toast.success(uploadedMessage(newCount, sent))
    else if (complete) toast.info(uploadedMessage(newCount, sent))
    if (sent > 0) done(complete)
  }

  return (
    <form className={classes.root} onSubmit={(event) => void submit(event)} aria-label="Upload Files">
      <PdfDropZone
        label={files.length > 0 ? 'Add more papers' : 'Choose student papers'}
        hint="One PDF per student, under 50 MB each. Files named after a student’s username or email are matched automatically"
        multiple
        maxFiles={Number.POSITIVE_INFINITY}
        disabled={sending}
        selectedCount={files.length}
        onFiles={(added) => {
          upload.clear()
          setFiles((have) => appendNewFiles(have, added))
        }}
      />
      {files.length > MAX_FILES_PER_UPLOAD && (
        <Notice>
          {formatCount(files.length)} files are uploaded {MAX_FILES_PER_UPLOAD} at a time. Uploaded files are kept if
          you stop.
        </Notice>
      )}
      {files.length > 0 && (
        <SelectedFiles
          label="Chosen papers"
          files={files.map((file, index) => ({
            file,
            sentFraction: upload.shareOf(index),
            rejectionReason: refusals.reasonFor(file),
          }))}
          remove={(file) => {
            upload.clear()
            setFiles((have) => have.filter((old) => old !== file))
          }}
        />
      )}
      {error && !sending && !refusals.settled && (
        <RejectedFilesNotice error={error} rejected={refusals.refused} fallback="Failed to upload files" />
      )}
      {sending && <UploadProgressBar progress={upload.progress} />}
      <div className={classes.buttons}>
        <Checkbox
          label="The papers are handwritten"
          checked={byHand}
          disabled={sending}
          onChange={(event) => setByHand(event.currentTarget.checked)}
        />
        {sending && <SecondaryButton onClick={upload.stop}>Stop</SecondaryButton>}
        <Button type="submit" loading={sending}>
          {files.length > 0 ? `Upload ${plural(files.length, 'file')}` : 'Upload'}
        </Button>
      </div>
    </form>
  )
}

function stoppedMessage({ sent }: UploadOutcome, chosen: number): string {
  if (sent === 0) return 'Upload stopped. Nothing was saved; your files stay selected.'
  return `Upload stopped. ${formatCount(sent)} of ${plural(chosen, 'file')} were saved; the rest stay selected.`
}

/** A file the server already has is no new paper. */
function uploadedMessage(fresh: number, sent: number): string {
  if (fresh < sent) {
    const were = sent - fresh === 1 ? 'was' : 'were'
    return fresh === 0
      ? `Nothing new: ${plural(sent, 'file')} ${were} already uploaded.`
      : `${plural(fresh, 'file')} uploaded; ${sent - fresh} ${were} already uploaded.`
  }
  return sent === 1 ? 'File uploaded successfully!' : `${sent} files uploaded successfully!`
}

const totalBytes = (files: readonly File[]) => files.reduce((sum, { size }) => sum + size, 0)

interface UploadOutcome {
  sent: number
  newCount: number
  /** Ended by Stop, or by what `error` says. */
  complete: boolean
}

/** A call stores all its files or none; stored ones are deselected, so that the rest can be sent later. */
function useUpload(assignmentId: number, files: readonly File[], select: (left: File[]) => void) {
  const one = useSend(uploadSubmission)
  const many = useSend(uploadSubmissions)
  const refusals = useRejectedFiles(files)
  const [sending, setSending] = useState(false)
  const [before, setBefore] = useState(0)
  const [total, setTotal] = useState(0)
  const stopper = useRef<AbortController>(undefined)
  const use = files.length === 1 ? one : many
  const batch = files.slice(0, MAX_FILES_PER_UPLOAD)

  async function send(batch: File[], byHand: boolean, signal: AbortSignal) {
    const params = { assignmentId }
    const [single] = batch
    return batch.length === 1 && single
      ? [await one.send({ params, body: { is_handwritten: byHand }, files: { file: single }, signal })]
      : await many.send({ params, body: { are_handwritten: batch.map(() => byHand) }, files: { files: batch }, signal })
  }

  /** What comes back with a higher number is new. */
  async function newestId(): Promise<number> {
    const query = { direction: 'desc' as const, limit: 1 }
    const { body } = await callApi(listSubmissions, { params: { assignmentId }, query })
    return Math.max(0, ...body.map(({ id }) => id))
  }

  async function start(byHand: boolean): Promise<UploadOutcome> {
    const stop = new AbortController()
    stopper.current = stop
    const uploaded: UploadOutcome = { sent: 0, newCount: 0, complete: false }
    let left = [...files]
    setSending(true)
    setBefore(0)
    setTotal(totalBytes(files))
    try {
      const newest = await newestId()
      while (left.length > 0) {
        const batch = left.slice(0, MAX_FILES_PER_UPLOAD)
        const rows = await send(batch, byHand, stop.signal).catch((cause: unknown) => {
          refusals.remember(cause, { file: batch, files: batch })
          throw cause
        })
        left = left.slice(batch.length)
        uploaded.sent += batch.length
        uploaded.newCount += new Set(rows.map(({ id }) => id).filter((id) => id > newest)).size
        setBefore((sum) => sum + totalBytes(batch))
        select(left)
      }
      uploaded.complete = true
    } catch {
      // A failure is shown below the files; a stop needs no explanation.
      if (stop.signal.aborted) clear()
    } finally {
      setSending(false)
    }
    return uploaded
  }

  function clear() {
    one.clear()
    many.clear()
  }

  const { progress } = use
  const shares = progress
    ? sentFractions(
        batch.map(({ size }) => size),
        progress.sent,
        progress.total,
      )
    : []
  return {
    start,
    stop: () => stopper.current?.abort(),
    clear,
    sending,
    stopped: () => stopper.current?.signal.aborted ?? false,
    error: use.error,
    refusals,
    progress: overallProgress(progress, before, total),
    shareOf: (index: number) => (sending ? (shares[index] ?? 0) : null),
  }
}

/** Of all calls; the forms' own wrapping is too little to count. */
function overallProgress(now: UploadProgress | null, before: number, total: number): UploadProgress | null {
  if (!now || before === 0) return now
  return { sent: Math.min(total, before + now.sent), total }
}

/** For the mouse alone: Upload Files does the same by keyboard. */
export function DropArea({ onFiles, children }: { onFiles: (files: File[]) => void; children: ReactNode }) {
  const zone = useDropzone({
    noClick: true,
    noKeyboard: true,
    onDrop: (files) => {
      const { taken, refused } = partitionPdfs(files, 0, Number.POSITIVE_INFINITY)
      if (refused.length > 0) toast.error(rejectionMessage(refused))
      if (taken.length > 0) onFiles(taken)
    },
  })
  return (
    <div {...zone.getRootProps({ className: classes.drop, role: undefined, tabIndex: undefined })}>
      {children}
      {zone.isDragActive && (
        <div className={classes.over} aria-hidden="true">
          <span>Drop student papers to upload them</span>
        </div>
      )}
    </div>
  )
}
