import {
  addStudentsFromCsv,
  type BulkRosterReply,
  getInvitationLimit,
  getRosterJob,
  type InvitationLimit,
  listRosterJobs,
  previewRosterCsv,
  type RosterJob,
  type RosterPreview,
  type RosterResult,
  stopRosterJob,
} from '@assay/shared/roster.ts'
import type { ColumnMeaning } from '@assay/shared/roster-columns.ts'
import { Button, Progress } from '@mantine/core'
import { IconFileTypeCsv } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useDropzone } from 'react-dropzone'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import zoneClasses from '../../components/files/PdfDropZone.module.css'
import { TableHead } from '../../components/layout/DataTable.tsx'
import { LoadError } from '../../components/layout/Page.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useGet, useSend } from '../../lib/api/api-hooks.ts'
import { formatCount, plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { CsvPreview } from './CsvPreview.tsx'
import classes from './RosterPage.module.css'
import type { RosterMessage } from './roster-message.ts'
import { UndoRenames } from './UndoRenames.tsx'

interface Props {
  courseId: number
  showMessage: (message: RosterMessage | null) => void
  changed: () => void
}

const LABEL = 'Choose a CSV file'

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
          <span className="hint">
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
      {reply?.job_id === null && (
        <>
          <UndoRenames courseId={courseId} results={reply.results} changed={changed} />
          <BulkResults results={reply.results} />
        </>
      )}
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

const FALLBACK = 'Failed to upload CSV file. Please check the format and try again.'

/** The file is sent twice: the server first says how it would read it, then stores it. */
function useCsvImport(courseId: number) {
  const reading = useSend(previewRosterCsv)
  const importing = useSend(addStudentsFromCsv)
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<RosterPreview | null>(null)
  const [error, setError] = useState<string | null>(null)
  /** Drops an earlier answer that comes later. */
  const asked = useRef(0)

  async function read(chosen: File, meanings?: ColumnMeaning[]) {
    const question = ++asked.current
    setError(null)
    const body = meanings ? { columns: JSON.stringify(meanings) } : {}
    try {
      const read = await reading.send({ params: { courseId }, body, files: { file: chosen } })
      if (question === asked.current) setPreview(read)
    } catch (cause) {
      if (question === asked.current) setError(messageOf(cause, FALLBACK))
    }
  }

  return {
    file,
    preview,
    error,
    reading: reading.sending,
    importing: importing.sending,
    choose(chosen: File) {
      setFile(chosen)
      setPreview(null)
      void read(chosen)
    },
    retry() {
      if (file) void read(file)
    },
    clear() {
      asked.current++
      setFile(null)
      setPreview(null)
      setError(null)
    },
    setMeaning(index: number, meaning: ColumnMeaning) {
      if (!file || !preview) return
      const columns = preview.columns.map((column) => ({
        ...column,
        meaning: column.index === index ? meaning : column.meaning === meaning ? ('unused' as const) : column.meaning,
      }))
      setPreview({ ...preview, columns })
      const meanings = columns.map((column) => column.meaning)
      void read(file, meanings)
    },
    async store(invite: 'yes' | 'no'): Promise<BulkRosterReply | null> {
      if (!file || !preview) return null
      setError(null)
      const columns = JSON.stringify(preview.columns.map(({ meaning }) => meaning))
      try {
        return await importing.send({ params: { courseId }, body: { columns, invite }, files: { file } })
      } catch (cause) {
        setError(messageOf(cause, FALLBACK))
        return null
      }
    },
  }
}

const POLL_INTERVAL_MS = 1000

function RosterJobProgress({ ids, changed }: { ids: { courseId: number; jobId: number }; changed: () => void }) {
  const [ended, setEnded] = useState(false)
  const job = useGet(getRosterJob, ids, undefined, { refreshIntervalMs: ended ? 0 : POLL_INTERVAL_MS })
  const stop = useSend(stopRosterJob)
  const over = job.data !== undefined && job.data.state !== 'running'
  const tell = useRef(changed)
  tell.current = changed
  useEffect(() => {
    setEnded(over)
    if (over) tell.current()
  }, [over])

  if (!job.data) return job.error ? <LoadError error={job.error} retry={job.reload} /> : null
  const { total_rows, total_processed, failed_enrollments, results } = job.data
  return (
    <div className={classes.form}>
      {over ? (
        <Notice tone={job.data.state === 'done' ? 'note' : 'warn'}>{endMessage(job.data)}</Notice>
      ) : (
        <>
          <Progress
            value={total_rows > 0 ? (100 * total_processed) / total_rows : 0}
            aria-label={`Adding the students of ${job.data.file_name}`}
          />
          <div className={classes.buttons}>
            <p className={classes.hint}>
              {formatCount(total_processed)} of {formatCount(total_rows)} rows. You can leave this page; the upload
              continues.
            </p>
            <Button
              variant="default"
              loading={stop.sending}
              onClick={() =>
                void stop
                  .send({ params: ids })
                  .then(() => job.reload())
                  .catch((error) => toast.error(messageOf(error, 'The upload could not be stopped.')))
              }
            >
              Stop
            </Button>
          </div>
        </>
      )}
      {failed_enrollments > 0 && (
        <p className={classes.hint}>{plural(failed_enrollments, 'row')} could not be added:</p>
      )}
      <UndoRenames courseId={ids.courseId} results={results} changed={changed} />
      <BulkResults results={results} />
    </div>
  )
}

function endMessage(job: RosterJob): string {
  if (job.state === 'stopped') return `Stopped. ${processedSummary(job)} Students already enrolled stay enrolled.`
  if (job.state === 'failed')
    return `The upload was interrupted. ${processedSummary(job)} Upload the file again; no one is enrolled twice.`
  return processedSummary(job)
}

type Figures = Pick<BulkRosterReply, 'total_processed' | 'successful_enrollments' | 'failed_enrollments'>

function processedSummary({ total_processed, successful_enrollments, failed_enrollments }: Figures): string {
  return `Processed ${total_processed} students. ${successful_enrollments} successful, ${failed_enrollments} failed.`
}

function BulkResults({ results }: { results: RosterResult[] }) {
  if (results.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={classes.results} tabIndex={0} aria-label="Upload results">
      <table>
        <TableHead columns={['Row', 'Email', 'Status', 'Message']} />
        <tbody>
          {results
            .toSorted((a, b) => Number(a.success) - Number(b.success))
            .map(({ row, email, success, message }) => (
              <tr key={row}>
                <td>{row}</td>
                <td>{email || '–'}</td>
                <td>
                  <StatusBadge status={success ? 'submitted' : 'failed'}>{success ? 'Success' : 'Failed'}</StatusBadge>
                </td>
                <td>{message}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}
