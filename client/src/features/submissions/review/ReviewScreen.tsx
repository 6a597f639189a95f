import type { Assignment } from '@assay/shared/assignments.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { getSubmission, type Submission, type SubmissionOrder } from '@assay/shared/submissions.ts'
import { Button, Loader, Modal } from '@mantine/core'
import { IconRefresh, IconTextRecognition } from '@tabler/icons-react'
import { Suspense, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { SubtleButton } from '../../../components/display/buttons.tsx'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { ToolButton } from '../../../components/display/ToolButton.tsx'
import confirm from '../../../components/feedback/ConfirmModal.module.css'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { type Shortcut, ShortcutsModal } from '../../../components/feedback/ShortcutsModal.tsx'
import { RowSkeletons } from '../../../components/layout/Page.tsx'
import { SideSheet } from '../../../components/layout/SideSheet.tsx'
import { usePageTitle } from '../../../components/layout/usePageTitle.ts'
import { type QueryResult, useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { useHighlightSelection } from '../../../lib/hooks/useHighlightSelection.ts'
import { useKeyboardShortcuts } from '../../../lib/hooks/useKeyboardShortcuts.ts'
import { lazyComponent } from '../../../lib/loading/lazy-component.tsx'
import { submissionsPath } from '../../../paths.ts'
import { criterionHighlightGroup, evidenceHighlights } from '../../grades/criteria/evidence-highlights.ts'
import { usePen } from '../../grades/pen-marks/usePen.ts'
import { useStamps } from '../../grades/pen-marks/useStamps.ts'
import { OriginalPhotos } from '../../intake/photos/OriginalPhotos.tsx'
import { lineHighlights } from '../../transcriptions/transcribed-lines.ts'
import { useTranscription } from '../../transcriptions/useTranscription.ts'
import { HeldPaper } from '../held/HeldPaper.tsx'
import { isHeld } from '../list/row-status.ts'
import { nonDefaultOrder, searchFromOrder } from '../list/useListView.ts'
import { useGradeByHand } from '../useGradeByHand.ts'
import { GradePanel } from './GradePanel.tsx'
import { PaperPane } from './PaperPane.tsx'
import { HeldBadge, ReviewHeader } from './ReviewHeader.tsx'
import classes from './ReviewScreen.module.css'
import { studentName } from './student-name.ts'
import { isInProgress } from './useSubmissionEvents.ts'

const TranscriptionSide = lazyComponent(() =>
  import('../../transcriptions/TranscriptionPanel.tsx').then((part) => part.TranscriptionPanel),
)

const GradeHistoryView = lazyComponent(() =>
  import('../history/GradeHistoryView.tsx').then((part) => part.GradeHistoryView),
)

interface Props {
  submission: Submission
  loaded: QueryResult<Submission>
  assignment: Assignment | undefined
  order: SubmissionOrder
  /** The criteria come after the name, the score and the paper. */
  isGradeDrawn: boolean
}

export function ReviewScreen({ submission, loaded, assignment, order, isGradeDrawn }: Props) {
  const { assignment_id: assignmentId, grade, previous_id, next_id } = submission
  const navigate = useNavigate()
  const gradeByHand = useGradeByHand(assignmentId)
  const places = useHighlightSelection()
  const [sheetOpen, setSheetOpen] = useState(false)
  const [keysShown, setKeysShown] = useState(false)
  const [historyShown, setHistoryShown] = useState(false)
  const showHistory = () => setHistoryShown(true)
  const transcription = useTranscription(submission)
  usePageTitle(`${studentName(submission)} · ${assignment?.title ?? 'Submission'}`)

  // Prefetched while this one is read.
  useGet(getSubmission, { assignmentId, submissionId: next_id ?? 0 }, nonDefaultOrder(order), {
    enabled: next_id !== null,
  })

  const search = searchFromOrder(order)
  const list = submissionsPath(assignmentId)
  const open = (id: number | null) => id !== null && void navigate(`${list}/${id}${search}`)
  useKeyboardShortcuts({
    j: () => open(next_id),
    k: () => open(previous_id),
    t: transcription.toggle,
    '?': () => setKeysShown(true),
  })

  const { shown: readShown, loaded: read } = transcription
  const marks = useMemo(() => {
    if (readShown) return read.data ? lineHighlights(read.data) : []
    return grade ? evidenceHighlights(grade) : []
  }, [readShown, read.data, grade])
  const chosen = grade?.criterion_grades_collection.find(({ id }) => criterionHighlightGroup(id) === places.selected)
  const stamps = useStamps(submission, chosen?.question_id ?? null, loaded.reload)
  const pen = usePen({ submission, patch: loaded.patch, ...stamps })
  const chooseInCard = (group: string) => {
    places.selectInCard(group)
    if (marks.some((mark) => mark.group === group)) setSheetOpen(false)
  }
  const chooseOnPaper = (group: string) => {
    places.selectOnPaper(group)
    setSheetOpen(true)
  }

  return (
    <div className={classes.root} data-fills>
      <ReviewHeader
        submission={submission}
        assignment={assignment}
        list={list + search}
        open={open}
        showKeys={() => setKeysShown(true)}
      />
      <div className={classes.panes}>
        <PaperPane
          submission={submission}
          highlights={marks}
          highlightSelection={places}
          select={chooseOnPaper}
          questionId={chosen?.question_id ?? null}
          pen={pen}
          tools={
            <>
              <OriginalPhotos submission={submission} />
              <ToolButton label="Transcription" keyName="t" pressed={readShown} onClick={transcription.toggle}>
                <IconTextRecognition size={18} />
              </ToolButton>
            </>
          }
        />
        {readShown ? (
          <Suspense
            fallback={
              <SideSheet
                label="Transcription"
                open={sheetOpen}
                setOpen={setSheetOpen}
                edge={<strong>Transcription</strong>}
              >
                {null}
              </SideSheet>
            }
          >
            <TranscriptionSide
              submission={submission}
              loaded={read}
              highlightSelection={places}
              select={chooseInCard}
              sheetOpen={sheetOpen}
              setSheetOpen={setSheetOpen}
              close={transcription.toggle}
            />
          </Suspense>
        ) : grade ? (
          <GradePanel
            submission={{ ...submission, grade }}
            loaded={loaded}
            assignment={assignment}
            highlightSelection={places}
            select={chooseInCard}
            sheetOpen={sheetOpen}
            setSheetOpen={setSheetOpen}
            showHistory={showHistory}
            isDrawn={isGradeDrawn}
            inQueue={order.status === 'by_hand'}
            openNextByHand={() => void gradeByHand(submission.id)}
            openNext={() => void navigate(next_id === null ? list + search : `${list}/${next_id}${search}`)}
          />
        ) : (
          <NoGradePanel submission={submission} reload={loaded.reload} showHistory={showHistory} />
        )}
      </div>
      <Modal
        opened={historyShown}
        onClose={() => setHistoryShown(false)}
        size="xl"
        title={<span className={confirm.title}>Grade history</span>}
      >
        <Suspense fallback={<RowSkeletons count={4} label="Loading the history" />}>
          <GradeHistoryView ids={{ assignmentId, submissionId: submission.id }} />
        </Suspense>
      </Modal>
      <ShortcutsModal shortcuts={reviewShortcuts} opened={keysShown} close={() => setKeysShown(false)} />
    </div>
  )
}

const reviewShortcuts: Shortcut[] = [
  [['j'], 'Next student'],
  [['k'], 'Previous student'],
  [['e'], 'Edit the grade'],
  [['h'], 'Go to the next answer to grade by hand'],
  [['1', '…', '9'], 'Select a criterion and show it on the paper'],
  [['z'], 'Undo the last points or words you typed'],
  [['r'], 'Next regrade request'],
  [['d'], 'Draw on the paper, or stop'],
  [['p', 'm', 'w', 'v', 'c', 'b'], 'Pen, highlighter, text, tick, cross or eraser, while you draw'],
  [['u'], 'Undo what you drew last'],
  [['t'], 'Switch between transcription and grade'],
  [['?'], 'Show keyboard shortcuts'],
  [['Ctrl or ⌘', 'Enter'], 'Save or approve, then open the next paper'],
  [['Esc'], 'Stop editing'],
]

const statusLabels: Partial<Record<Submission['status'], string>> = {
  queued: 'Queued',
  reading: 'Reading the paper',
  grading: 'Grading the answers',
}

interface NoGradeProps {
  submission: Submission
  reload: () => Promise<unknown>
}

function NoGradePanel({ showHistory, ...paper }: NoGradeProps & { showHistory: () => void }) {
  const { submission } = paper
  const [open, setOpen] = useState(true)
  const status = submission.status === 'failed' ? 'failed' : isInProgress(submission) ? 'working' : 'pending'
  return (
    <SideSheet
      label="Grade"
      open={open}
      setOpen={setOpen}
      edge={
        isHeld(submission) ? (
          <HeldBadge />
        ) : (
          <StatusBadge status={status}>{status === 'pending' ? 'No grade yet' : undefined}</StatusBadge>
        )
      }
    >
      <div className={classes.noGrade}>
        <NoGradeReason {...paper} />
        <SubtleButton size="compact-sm" className={classes.history} onClick={showHistory}>
          Paper history
        </SubtleButton>
      </div>
    </SideSheet>
  )
}

function NoGradeReason(paper: NoGradeProps) {
  const { submission } = paper
  if (isInProgress(submission)) {
    return (
      <div className={classes.work} role="status">
        <Loader size="sm" />
        <div>
          <strong>{statusLabels[submission.status]}</strong>
          <p>The grade will appear here automatically.</p>
        </div>
      </div>
    )
  }
  if (submission.status === 'failed') {
    return (
      <Notice tone="bad" title="This paper could not be graded">
        <p className={classes.reason}>{submission.failure?.message ?? 'Something went wrong on our side.'}</p>
        <GradePaperButton {...paper} word="Retry" />
      </Notice>
    )
  }
  if (submission.held) return <HeldPaper {...paper} />
  return (
    <EmptyState title="No Grade Available" action={<GradePaperButton {...paper} word="Grade this paper" />}>
      This submission hasn't been graded yet. Process the assignment to generate grades.
    </EmptyState>
  )
}

function GradePaperButton({ submission, reload, word }: NoGradeProps & { word: string }) {
  const process = useSend(processAssignment)
  async function start() {
    const params = { assignmentId: submission.assignment_id }
    if (await process.attempt({ params, body: { submission_ids: [submission.id] } })) await reload()
  }
  return (
    <div className={classes.start}>
      <Button
        leftSection={<IconRefresh size={16} aria-hidden />}
        onClick={() => void start()}
        loading={process.sending}
      >
        {word}
      </Button>
      {process.error && (
        <Notice tone="bad" title="Failed to start processing.">
          {process.error.message}
        </Notice>
      )}
    </div>
  )
}
