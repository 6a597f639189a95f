import type { Assignment } from '@assay/shared/assignments.ts'
import { getSubmission, type Submission, type SubmissionOrder } from '@assay/shared/submissions.ts'
import { IconTextRecognition } from '@tabler/icons-react'
import { Suspense, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { PdfTool } from '../../../components/pdf/PdfTool.tsx'
import { usePageTitle } from '../../../components/usePageTitle.ts'
import { type Loaded, useGet } from '../../../lib/api.ts'
import { lazyPart } from '../../../lib/lazy-part.tsx'
import { useShortcuts } from '../../../lib/useShortcuts.ts'
import { evidenceMarks } from '../../grades/evidence-marks.ts'
import { GradeHistoryModal } from '../../grades/history/GradeHistoryModal.tsx'
import { lineMarks } from '../../transcriptions/read-lines.ts'
import { useTranscription } from '../../transcriptions/useTranscription.ts'
import { changedFrom, searchOf } from '../useListView.ts'
import { GradeSide } from './GradeSide.tsx'
import { KeysModal } from './KeysModal.tsx'
import { NoGradeSide } from './NoGradeSide.tsx'
import { PaperPane } from './PaperPane.tsx'
import { ReviewBar } from './ReviewBar.tsx'
import classes from './ReviewScreen.module.css'
import { Sheet } from './Sheet.tsx'
import { nameOf } from './student-name.ts'
import { usePlaces } from './usePlaces.ts'

const TranscriptionSide = lazyPart(() =>
  import('../../transcriptions/TranscriptionSide.tsx').then((part) => part.TranscriptionSide),
)

interface Props {
  submission: Submission
  loaded: Loaded<Submission>
  assignment: Assignment | undefined
  /** Of the list this was opened from. */
  order: SubmissionOrder
}

/** The paper beside its grade. On a phone the grade is a sheet that comes up from below. */
export function ReviewScreen({ submission, loaded, assignment, order }: Props) {
  const { assignment_id: assignmentId, grade, previous_id, next_id } = submission
  const navigate = useNavigate()
  const places = usePlaces()
  const [sheetOpen, setSheetOpen] = useState(false)
  const [keysShown, setKeysShown] = useState(false)
  const [historyShown, setHistoryShown] = useState(false)
  const showHistory = () => setHistoryShown(true)
  const transcription = useTranscription(submission)
  usePageTitle(`${nameOf(submission)} · ${assignment?.title ?? 'Submission'}`)

  // The next one is asked for while this one is read.
  useGet(getSubmission, { assignmentId, submissionId: next_id ?? 0 }, changedFrom(order), {
    when: next_id !== null,
  })

  const search = searchOf(order)
  const list = `/assignments/${assignmentId}/submissions`
  const open = (id: number | null) => id !== null && void navigate(`${list}/${id}${search}`)
  useShortcuts({
    j: () => open(next_id),
    k: () => open(previous_id),
    t: transcription.toggle,
    '?': () => setKeysShown(true),
  })

  const { shown: readShown, loaded: read } = transcription
  const marks = useMemo(() => {
    if (readShown) return read.data ? lineMarks(read.data) : []
    return grade ? evidenceMarks(grade) : []
  }, [readShown, read.data, grade])
  const chooseInCard = (group: string) => {
    places.chooseInCard(group)
    // On a phone the sheet would lie over what is to be seen.
    if (marks.some((mark) => mark.group === group)) setSheetOpen(false)
  }
  const chooseOnPaper = (group: string) => {
    places.chooseOnPaper(group)
    setSheetOpen(true)
  }

  return (
    <div className={classes.root} data-fills>
      <ReviewBar
        submission={submission}
        assignment={assignment}
        list={list + search}
        open={open}
        showKeys={() => setKeysShown(true)}
        showHistory={showHistory}
      />
      <div className={classes.panes}>
        <PaperPane
          submission={submission}
          marks={marks}
          places={places}
          choose={chooseOnPaper}
          tools={
            <PdfTool label="What was read" keyName="t" pressed={readShown} onClick={transcription.toggle}>
              <IconTextRecognition size={18} />
            </PdfTool>
          }
        />
        {readShown ? (
          <Suspense
            fallback={
              <Sheet
                label="What was read"
                open={sheetOpen}
                setOpen={setSheetOpen}
                edge={<strong>What was read</strong>}
              >
                {null}
              </Sheet>
            }
          >
            <TranscriptionSide
              submission={submission}
              loaded={read}
              places={places}
              choose={chooseInCard}
              sheetOpen={sheetOpen}
              setSheetOpen={setSheetOpen}
              close={transcription.toggle}
            />
          </Suspense>
        ) : grade ? (
          <GradeSide
            submission={{ ...submission, grade }}
            loaded={loaded}
            assignment={assignment}
            places={places}
            choose={chooseInCard}
            sheetOpen={sheetOpen}
            setSheetOpen={setSheetOpen}
            showHistory={showHistory}
            openNext={() => void navigate(next_id === null ? list + search : `${list}/${next_id}${search}`)}
          />
        ) : (
          <NoGradeSide submission={submission} reload={loaded.reload} showHistory={showHistory} />
        )}
      </div>
      <GradeHistoryModal
        ids={{ assignmentId, submissionId: submission.id }}
        opened={historyShown}
        close={() => setHistoryShown(false)}
      />
      <KeysModal opened={keysShown} close={() => setKeysShown(false)} />
    </div>
  )
}
