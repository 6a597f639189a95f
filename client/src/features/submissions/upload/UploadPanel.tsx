import { MAX_FILES_PER_UPLOAD } from '@assay/shared/rules/limits.ts'
import { Button, Checkbox } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { PdfDropZone } from '../../../components/files/PdfDropZone.tsx'
import { RejectedFilesNotice } from '../../../components/files/RejectedFilesNotice.tsx'
import { SelectedFiles } from '../../../components/files/SelectedFiles.tsx'
import { UploadProgressBar } from '../../../components/files/UploadProgressBar.tsx'
import { appendNewFiles } from '../../../lib/files/append-new-files.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { useBeforeUnloadWarning } from '../../../lib/hooks/useBeforeUnloadWarning.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './UploadPanel.module.css'
import { type UploadOutcome, useUpload } from './useUpload.ts'

interface Props {
  assignmentId: number
  files: readonly File[]
  setFiles: (change: (have: readonly File[]) => readonly File[]) => void
  /** Papers have come in; `whole` when all that were chosen did. */
  done: (whole: boolean) => void
}

/** More papers for this assignment. The choice stays until they are uploaded. */
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
        {sending && (
          <Button variant="default" onClick={upload.stop}>
            Stop
          </Button>
        )}
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
