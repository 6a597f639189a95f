import type { Submission } from '@assay/shared/submissions.ts'
import type { ReadAnswer, Transcription } from '@assay/shared/transcriptions.ts'
import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { SaidBy, TeacherMark } from '../../components/SaidBy.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { formatMoment } from '../../lib/format.ts'
import { formatPoints } from '../grades/grade-words.ts'
import type { Places } from '../submissions/review/usePlaces.ts'
import { CorrectionForm } from './CorrectionForm.tsx'
import { LineRow } from './LineRow.tsx'
import classes from './ReadAnswerCard.module.css'
import { linesOfAnswer, POOR_READING, sureness } from './read-lines.ts'
import { useCorrection } from './useCorrection.ts'

interface Props {
  submission: Submission
  read: Transcription
  answer: ReadAnswer
  places: Places
  choose: (group: string) => void
  /** What is shown is to be asked for again. */
  changed: () => Promise<unknown>
}

/** One answer as it was read: its lines, how surely, and the way to put it right. */
export function ReadAnswerCard({ submission, read, answer, places, choose, changed }: Props) {
  const [editing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const correction = useCorrection(submission, answer, changed)
  const lines = linesOfAnswer(read, answer)
  const leave = () => {
    setEditing(false)
    requestAnimationFrame(() => editButton.current?.focus({ preventScroll: true }))
  }
  return (
    <li className={classes.root} data-testid={`answer ${answer.number}`}>
      <div className={classes.head}>
        <span className={classes.number}>{answer.number}</span>
        <h3 className={classes.prompt}>{answer.prompt}</h3>
        <Points submission={submission} questionId={answer.question_id} />
      </div>
      {editing ? (
        <CorrectionForm answer={answer} correction={correction} leave={leave} />
      ) : (
        <>
          <div className={classes.lines}>
            {lines.map((line) => (
              <LineRow
                key={line.group}
                line={line}
                places={places}
                choose={choose}
                only={lines.length === 1}
              />
            ))}
            {lines.length === 0 && <p className={classes.plain}>{answer.text || emptyWords(answer)}</p>}
          </div>
          <div className={classes.foot}>
            <State answer={answer} />
            <Button
              ref={editButton}
              size="xs"
              variant="default"
              leftSection={<IconPencil size={14} aria-hidden />}
              aria-label={`Correct answer ${answer.number}`}
              onClick={() => setEditing(true)}
            >
              Correct
            </Button>
          </div>
          <Correction answer={answer} correction={correction} />
        </>
      )}
    </li>
  )
}

const emptyWords = ({ found }: ReadAnswer) =>
  found ? 'Nothing was read here.' : 'The place of this question was not found in the paper.'

function State({ answer }: { answer: ReadAnswer }) {
  const { corrected, reading, text, scoring } = answer
  return (
    <span className={classes.state} role="status">
      {scoring === 'waiting' ? (
        <StatusMark status="working">Scoring again…</StatusMark>
      ) : corrected ? (
        <SaidBy who="teacher">corrected</SaidBy>
      ) : (
        text !== '' &&
        reading < 1 && (
          <span className={classes.sure} data-poor={reading < POOR_READING || undefined}>
            {sureness(reading)}
          </span>
        )
      )}
    </span>
  )
}

/** What was read before it was put right, the way back, and what went wrong. */
function Correction({
  answer,
  correction,
}: {
  answer: ReadAnswer
  correction: ReturnType<typeof useCorrection>
}) {
  const { corrected, read_text, failure, scoring } = answer
  return (
    <>
      {corrected && (
        <div className={classes.before}>
          <p>
            <TeacherMark size={13} /> {corrected.by ?? 'A teacher'}, {formatMoment(corrected.at)}. Read
            before: <q>{read_text || 'nothing'}</q>
          </p>
          <Button
            size="xs"
            variant="subtle"
            loading={correction.sending}
            aria-label={`Take back the correction of answer ${answer.number}`}
            onClick={() => void correction.save(null)}
          >
            Take back
          </Button>
        </div>
      )}
      {scoring === 'failed' && (
        <div className={classes.before} role="alert">
          <p>{failure}</p>
          <Button
            size="xs"
            variant="default"
            loading={correction.sending}
            onClick={() => void correction.save(corrected ? answer.text : null)}
          >
            Score again
          </Button>
        </div>
      )}
      {correction.error && (
        <p className={classes.failed} role="alert">
          {correction.error.message}
        </p>
      )}
    </>
  )
}

/** What the answer earns now, so that a correction is seen to count. */
function Points({ submission, questionId }: { submission: Submission; questionId: string }) {
  const own = (submission.grade?.criterion_grades_collection ?? []).filter(
    (one) => one.question_id === questionId,
  )
  if (own.length === 0) return null
  const sum = (of: (one: (typeof own)[number]) => number) => own.reduce((total, one) => total + of(one), 0)
  return (
    <span className={classes.points}>
      <strong>{formatPoints(sum((one) => one.teacher_score ?? one.score))}</strong> /{' '}
      {formatPoints(sum((one) => one.max_score))}
    </span>
  )
}
