import { uploadSubmission, uploadSubmissions } from '@assay/shared/submissions.ts'
import { Button, Checkbox } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ChosenFiles } from '../../components/ChosenFiles.tsx'
import { PdfDropZone } from '../../components/PdfDropZone.tsx'
import { RefusedNotice } from '../../components/RefusedNotice.tsx'
import { UploadBar } from '../../components/UploadBar.tsx'
import { useSend } from '../../lib/api.ts'
import { plural } from '../../lib/format.ts'
import { sharesSent } from '../../lib/pdf-files.ts'
import { useRefusals } from '../../lib/refused-files.ts'
import { toast } from '../../lib/toast.ts'
import { useWarnBeforeLeaving } from '../../lib/useWarnBeforeLeaving.ts'
import classes from './UploadPanel.module.css'

interface Props {
  assignmentId: number
  /** The papers there are already. */
  known: readonly { id: number }[]
  done: () => void
}

/** More papers for this assignment: all are taken, or none, and the choice stands until they are. */
export function UploadPanel({ assignmentId, known, done }: Props) {
  const one = useSend(uploadSubmission)
  const many = useSend(uploadSubmissions)
  const [files, setFiles] = useState<File[]>([])
  const [byHand, setByHand] = useState(false)
  const [single] = files
  const use = files.length === 1 ? one : many
  const { sending, progress, error } = use
  useWarnBeforeLeaving(sending)

  const shares = progress
    ? sharesSent(
        files.map((file) => file.size),
        progress.sent,
        progress.total,
      )
    : []
  const refusals = useRefusals(files)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!single) {
      toast.bad('Please select files to upload')
      return
    }
    const params = { assignmentId }
    try {
      // Rows that come by event meanwhile must not count as known.
      const before = new Set(known.map(({ id }) => id))
      const rows =
        files.length === 1
          ? [await one.send({ params, body: { is_handwritten: byHand }, files: { file: single } })]
          : await many.send({ params, body: { are_handwritten: files.map(() => byHand) }, files: { files } })
      const fresh = new Set(rows.map(({ id }) => id).filter((id) => !before.has(id))).size
      if (fresh > 0) toast.good(uploadedWords(fresh, files.length))
      else toast.note(uploadedWords(fresh, files.length))
      done()
    } catch (cause) {
      // Shown below the files, which stay chosen.
      refusals.remember(cause, { file: files, files })
    }
  }

  return (
    <form className={classes.root} onSubmit={(event) => void submit(event)} aria-label="Upload Files">
      <PdfDropZone
        label={files.length > 0 ? 'Add more papers' : 'Choose student papers'}
        hint="One PDF a student, under 50 MB each. A file named for a student’s username or e-mail goes to that student"
        multiple
        disabled={sending}
        have={files.length}
        onFiles={(added) => {
          one.clear()
          many.clear()
          setFiles((have) => [...have, ...added.filter((file) => !have.some((old) => same(old, file)))])
        }}
      />
      {files.length > 0 && (
        <ChosenFiles
          label="Chosen papers"
          files={files.map((file, index) => ({
            file,
            sent: sending ? (shares[index] ?? 0) : null,
            refused: refusals.reasonFor(file),
          }))}
          remove={(file) => {
            one.clear()
            many.clear()
            setFiles((have) => have.filter((old) => old !== file))
          }}
        />
      )}
      {error && !refusals.settled && (
        <RefusedNotice error={error} refused={refusals.refused} fallback="Failed to upload files" />
      )}
      {sending && <UploadBar progress={progress} />}
      <div className={classes.buttons}>
        <Checkbox
          label="The papers are handwritten"
          checked={byHand}
          disabled={sending}
          onChange={(event) => setByHand(event.currentTarget.checked)}
        />
        <Button type="submit" loading={sending}>
          {files.length > 0 ? `Upload ${plural(files.length, 'file')}` : 'Upload'}
        </Button>
      </div>
    </form>
  )
}

const same = (a: File, b: File) => a.name === b.name && a.size === b.size && a.lastModified === b.lastModified

/** A file the server already has is no new paper. */
function uploadedWords(fresh: number, sent: number): string {
  if (fresh < sent) {
    const were = sent - fresh === 1 ? 'was' : 'were'
    return fresh === 0
      ? `Nothing new: ${plural(sent, 'file')} ${were} here already.`
      : `${plural(fresh, 'file')} uploaded; ${sent - fresh} ${were} here already.`
  }
  return sent === 1 ? 'File uploaded successfully!' : `${sent} files uploaded successfully!`
}
