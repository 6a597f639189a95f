import { type BulkRosterReply, getInvitationLimit, type InvitationLimit, listRosterJobs } from '@assay/shared/roster.ts'
import { Button } from '@mantine/core'
import { IconFileTypeCsv } from '@tabler/icons-react'
import { useState } from 'react'
import { useDropzone } from 'react-dropzone'
import { Notice } from '../../components/feedback/Notice.tsx'
import zoneClasses from '../../components/files/PdfDropZone.module.css'
import { useGet } from '../../lib/api/api-hooks.ts'
import { formatCount } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { BulkResults, processedSummary } from './BulkResults.tsx'
import { CsvPreview } from './CsvPreview.tsx'
import { RosterJobProgress } from './RosterJobProgress.tsx'
import classes from './RosterPage.module.css'
import type { RosterMessage } from './roster-message.ts'
import { useCsvImport } from './useCsvImport.ts'

interface Props {
  courseId: number
  showMessage: (message: RosterMessage | null) => void
  changed: () => void
}

const LABEL = 'Choose a CSV file'

/** A class from a file: dropped or chosen, checked, then added; bad rows are named below. */
export function CsvUpload({ courseId, showMessage, changed }: Props) {
  const csv = useCsvImport(courseId)
  const { file, preview } = csv
  const [reply, setReply] = useState<BulkRosterReply | null>(null)
  const jobs = useGet(listRosterJobs, { courseId })
  const invitations = useGet(getInvitationLimit, { courseId })
  const running = jobs.data?.find(({ state }) => state === 'running')?.id
  const jobId = reply ? reply.job_id : (running ?? null)

  const zone = useDropzone({
    multiple: true,
    disabled: csv.importing,
    onDrop: (accepted, rejections) => {
      const [first, ...others] = [...accepted, ...rejections.map((one) => one.file)]
      if (!first || others.length > 0 || !/\.(csv|xls)$/i.test(first.name)) {
        toast.error('Please select a CSV file')
        return
      }
      showMessage(null)
      setReply(null)
      csv.choose(first)
    },
  })

  async function add(invite: 'yes' | 'no') {
    showMessage(null)
    setReply(null)
    const result = await csv.store(invite)
    if (!result) return
    setReply(result)
    csv.clear()
    void invitations.reload()
    if (result.job_id === null) {
      showMessage({ tone: 'note', text: processedSummary(result) })
      changed()
    } else void jobs.reload()
  }

  return (
    <div className={classes.form}>
      <div
        {...zone.getRootProps({ className: zoneClasses.root, role: undefined, tabIndex: undefined })}
        data-over={zone.isDragActive}
        data-disabled={csv.importing || undefined}
      >
        <IconFileTypeCsv size={28} stroke={1.4} className={zoneClasses.icon} aria-hidden />
        <div className={zoneClasses.words}>
          <label className={zoneClasses.label}>
            <input
              {...zone.getInputProps({ accept: 'text/csv,.csv,.xls', multiple: false, 'aria-label': LABEL })}
              className={zoneClasses.input}
              style={undefined}
              tabIndex={0}
            />
            {file ? file.name : LABEL}
          </label>
          <span className={zoneClasses.hint}>
            {file
              ? `${(file.size / 1024).toFixed(1)} KB`
              : 'Drop it here or browse. A list or gradebook from your LMS or school system will do; you see how it is read before anyone is added.'}
          </span>
        </div>
      </div>
      {file && !preview && !csv.error && (
        <p className={classes.hint} role="status">
          Reading the file…
        </p>
      )}
      {file && !preview && csv.error && (
        <Notice
          tone="bad"
          actions={
            <Button variant="default" onClick={csv.retry}>
              Try again
            </Button>
          }
        >
          {csv.error}
        </Notice>
      )}
      {preview && (
        <CsvPreview
          preview={preview}
          refreshing={csv.reading}
          adding={csv.importing}
          error={csv.error}
          setMeaning={csv.setMeaning}
          add={(invite) => void add(invite)}
          cancel={csv.clear}
        />
      )}
      {invitations.data && <p className={classes.hint}>{invitationsLeft(invitations.data)}</p>}
      {reply?.notes.map((note) => (
        <Notice key={note} tone="warn">
          {note}
        </Notice>
      ))}
      {jobId !== null && <RosterJobProgress key={jobId} ids={{ courseId, jobId }} changed={changed} />}
      {reply?.job_id === null && <BulkResults results={reply.results} />}
    </div>
  )
}

function invitationsLeft({ per_day, left, unconfirmed }: InvitationLimit): string {
  const all = formatCount(per_day)
  const more = unconfirmed ? ' Confirm your own email address in your profile to send more.' : ''
  if (left > 0) return `You can send ${formatCount(left)} of ${all} invitations and notices today.${more}`
  if (unconfirmed) return `You have sent all ${all} invitations of today.${more}`
  return `You have sent all ${all} invitations of today. Upload the file again tomorrow, or ask your administrator for a higher limit.`
}
