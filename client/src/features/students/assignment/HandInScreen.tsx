import { deletePhotoDraft, getPhotoDraft, type PhotoPage } from '@assay/shared/photo-drafts.ts'
import { type Attempt, getAttemptFile, type StudentAssignmentDetails } from '@assay/shared/students.ts'
import { getSubmissionFile } from '@assay/shared/submissions.ts'
import { Modal } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { AskFirst } from '../../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { Page, PageHeader, Panel } from '../../../components/layout/Page.tsx'
import { PdfViewer } from '../../../components/pdf/PdfViewer.tsx'
import { usePdfSource } from '../../../components/pdf/usePdfSource.ts'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { urlFor } from '../../../lib/api/http-client.ts'
import { formatDate, formatDateTime, withLocalTimes } from '../../../lib/format.ts'
import { studentCoursePath } from '../../../paths.ts'
import { OwnGroupPanel } from '../../groups/OwnGroupPanel.tsx'
import { usePhotoPicture } from '../../intake/photos/usePhotoPicture.ts'
import { statusBadges, workStatus } from '../work-status.ts'
import { AssignmentDates } from './AssignmentDates.tsx'
import { DownloadPaperButton, useFileDownload } from './DownloadPaperButton.tsx'
import { HandInForm } from './HandInForm.tsx'
import classes from './HandInScreen.module.css'

interface Props {
  assignment: StudentAssignmentDetails
  handedIn: (now: StudentAssignmentDetails) => void
  reload: () => Promise<unknown>
}

export function HandInScreen({ assignment, handedIn, reload }: Props) {
  const { id, title, course, can_hand_in, why_not } = assignment
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const { status, word } = statusBadges[workStatus(assignment)]
  return (
    <Page width="reading">
      <PageHeader
        title={title}
        subtitle={course.name}
        crumbs={[
          { label: 'Dashboard', to: '/student/dashboard' },
          { label: course.course_code ?? course.name, to: studentCoursePath(course.id) },
          { label: 'Your work' },
        ]}
        badge={<StatusBadge status={status}>{word}</StatusBadge>}
      />
      <div className={classes.parts}>
        <AssignmentDates assignment={assignment} />
        <div role="status" className="stack">
          {confirmed && (
            <Notice>
              Handed in on <strong>{formatDateTime(confirmed)}</strong>. You will see your grade here once your
              instructor releases it.
            </Notice>
          )}
        </div>
        <OwnGroupPanel assignmentId={id} hasPaper={assignment.paper !== null} changed={reload} />
        <CurrentPaper assignment={assignment} />
        {can_hand_in ? (
          <Panel title={assignment.paper ? 'Hand in again' : 'Hand in your paper'}>
            <HandInForm
              assignment={assignment}
              handedIn={(now) => {
                setConfirmed(now.submission_date)
                handedIn(now)
              }}
              uncertain={reload}
            />
          </Panel>
        ) : (
          <>
            {why_not && <Notice title="You can’t hand in now">{withLocalTimes(why_not)}</Notice>}
            <UnsentPhotos assignmentId={id} />
          </>
        )}
        <EarlierAttempts assignmentId={id} attempts={assignment.earlier_attempts} />
      </div>
    </Page>
  )
}

function CurrentPaper({ assignment }: { assignment: StudentAssignmentDetails }) {
  const { id, title, paper, submission_id, submission_date, late } = assignment
  const [reading, setReading] = useState(false)
  if (!paper || submission_id === null || submission_date === null) return null
  const ids = { assignmentId: id, submissionId: submission_id }
  const isUpload = paper.handed_in_by === 'teacher' && paper.said_hand_in !== 'time'
  return (
    <Panel title="Your paper">
      <div className={classes.paper}>
        <p className={classes.name}>{paper.file_name}</p>
        <p className="hint">
          {isUpload ? 'Uploaded by your instructor' : 'Handed in'} on{' '}
          <time dateTime={submission_date}>{formatDateTime(submission_date)}</time>
          {paper.said_hand_in === 'on_time' && ' · handed in on time'}
          {late && ' · late'}
        </p>
        <div className={classes.buttons}>
          <SubtleButton leftSection={<IconFileText size={16} aria-hidden />} onClick={() => setReading(true)}>
            View your paper
          </SubtleButton>
          <DownloadPaperButton {...ids} title={title} />
          <Modal
            opened={reading}
            onClose={() => setReading(false)}
            title={`Your paper · ${title}`}
            fullScreen
            radius={0}
            classNames={{ content: classes.sheetContent, body: classes.sheetBody, header: classes.sheetHeader }}
          >
            <OwnPaper ids={ids} />
          </Modal>
        </div>
      </div>
    </Panel>
  )
}

function OwnPaper({ ids }: { ids: { assignmentId: number; submissionId: number } }) {
  return <PdfViewer source={usePdfSource(urlFor(getSubmissionFile, ids))} />
}

function UnsentPhotos({ assignmentId }: { assignmentId: number }) {
  const { data: draft, patch } = useGet(getPhotoDraft, { assignmentId })
  if (!draft || draft.pages.length === 0) return null
  return (
    <Panel title="These photos were not handed in">
      <p className={classes.words}>
        Your instructor does not see them.
        {draft.expires_at && ` They are deleted on ${formatDate(draft.expires_at)}.`}
      </p>
      <ol className={classes.pages} aria-label="Photos not handed in">
        {draft.pages.map((page, i) => (
          <UnsentPhoto key={page.key} assignmentId={assignmentId} page={page} number={i + 1} />
        ))}
      </ol>
      <AskFirst
        button={(ask) => <SecondaryButton onClick={ask}>Delete these photos</SecondaryButton>}
        title="Delete these photos?"
        confirmLabel="Delete photos"
        dangerous
        onConfirm={async () => {
          const { body } = await callApi(deletePhotoDraft, { params: { assignmentId } })
          patch(() => body)
        }}
      >
        They will be deleted. A paper you have handed in stays.
      </AskFirst>
    </Panel>
  )
}

function UnsentPhoto({ assignmentId, page, number }: { assignmentId: number; page: PhotoPage; number: number }) {
  const { url } = usePhotoPicture(assignmentId, page, 'sheet')
  return <li>{url ? <img src={url} alt={`Page ${number}`} /> : `Page ${number}`}</li>
}

export function EarlierAttempts({ assignmentId, attempts }: { assignmentId: number; attempts: Attempt[] }) {
  const { save, saving, failure } = useFileDownload()
  if (attempts.length === 0) return null
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts" className="subheading">
        Earlier papers
      </h2>
      <p className={classes.note}>Replaced by a later paper and not graded.</p>
      <ol className={classes.earlier}>
        {attempts.map((attempt) => (
          <li key={attempt.number}>
            <span className={classes.earlierName}>{attempt.file_name}</span>
            <span className={classes.when}>
              {attempt.handed_in_by === 'teacher' ? 'uploaded by your instructor' : 'handed in'}{' '}
              <time dateTime={attempt.handed_in_at}>{formatDateTime(attempt.handed_in_at)}</time>
              {attempt.late && ', late'}
            </span>
            <SubtleButton
              disabled={saving}
              aria-label={`Download ${attempt.file_name}`}
              onClick={() =>
                void save(getAttemptFile, { params: { assignmentId, number: attempt.number } }, attempt.file_name)
              }
            >
              Download
            </SubtleButton>
          </li>
        ))}
      </ol>
      {failure && <Notice tone="bad">{failure}</Notice>}
    </section>
  )
}
