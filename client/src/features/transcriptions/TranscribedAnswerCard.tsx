import type { Submission } from '@assay/shared/submissions.ts'
import type { SheetFlag, TranscribedAnswer, Transcription } from '@assay/shared/transcriptions.ts'
import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Attribution, TeacherIcon } from '../../components/display/Attribution.tsx'
import { SecondaryButton, SubtleButton } from '../../components/display/buttons.tsx'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { formatDateTime, formatPoints } from '../../lib/format.ts'
import type { HighlightSelection } from '../../lib/hooks/useHighlightSelection.ts'
import { scrollWithinContainer } from '../../lib/scroll-within-container.ts'
import { isUnscored } from '../grades/grade-labels.ts'
import { CorrectionForm, useAnswerCorrection } from './CorrectionForm.tsx'
import classes from './TranscribedAnswerCard.module.css'
import { confidenceText, LOW_CONFIDENCE, linesOfAnswer, type TranscribedLine } from './transcribed-lines.ts'

interface Props {
  submission: Submission
  transcription: Transcription
  answer: TranscribedAnswer
  highlightSelection: HighlightSelection
  select: (group: string) => void
  changed: () => Promise<unknown>
}

export function TranscribedAnswerCard({
  submission,
  transcription,
  answer,
  highlightSelection,
  select,
  changed,
}: Props) {
  const [editing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const correction = useAnswerCorrection(submission, answer, changed)
  const lines = linesOfAnswer(transcription, answer)
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
        <CorrectionForm answer={answer} correction={correction} close={leave} />
      ) : (
        <>
          <div className={classes.lines}>
            {lines.map((line) => (
              <TranscribedLineRow
                key={line.group}
                line={line}
                highlightSelection={highlightSelection}
                select={select}
                isOnlyLine={lines.length === 1}
              />
            ))}
            {lines.length === 0 && <p className={classes.plain}>{answer.text || emptyAnswerText(answer)}</p>}
          </div>
          <div className={classes.foot}>
            <AnswerState answer={answer} />
            <Button
              ref={editButton}
              size="xs"
              variant="default"
              leftSection={<IconPencil size={14} aria-hidden />}
              className={classes.edit}
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

/** What a sheet leaves in doubt is never a reading. */
const sheetFlags: Record<SheetFlag, string> = {
  none: 'no circle is filled',
  double: 'more than one circle is filled',
  faint: 'the mark is too faint',
  erased: 'a second circle is not erased completely',
  crossed: 'a circle is crossed out or ringed, and which one is meant is not plain',
  unplaced: 'the circles could not be found',
  changed: 'the options have changed since the sheet was printed',
  differs: 'the sheet was scanned more than once, and read differently',
  page: 'the page with its circles could not be read',
  version: 'the version of the paper is not plainly filled in',
  no_versions: 'the sheet was printed without circles for the version of the paper',
  no_key: 'the rubric has no key of one option for this version',
}

function sheetText({ text, sheet }: TranscribedAnswer): string {
  if (!sheet) return ''
  const { separation, version } = sheet
  const standsOut = `the mark stands out by ${Math.round(100 * separation)} %`
  // A wrong answer of another version stands for none of version A's.
  const isOwn = version === 'A' || text.endsWith(`(version ${version})`)
  if (text !== '' && version)
    return `Version ${version}, read from the answer sheet; ${standsOut}.${isOwn ? '' : ` Compared as “${text}” in version A.`}`
  if (text !== '') return `Read from the answer sheet; ${standsOut}.`
  const why = sheet.flag ? sheetFlags[sheet.flag] : 'the sheet and the question do not agree'
  return `Not read from the answer sheet: ${why}. Grade it by hand.`
}

const emptyAnswerText = ({ found, sheet }: TranscribedAnswer) =>
  sheet ? 'Not read.' : found ? 'No text found.' : 'Couldn’t find this question on the paper.'

function AnswerState({ answer }: { answer: TranscribedAnswer }) {
  const { corrected, reading, text, scoring, sheet } = answer
  return (
    <span role="status">
      {scoring === 'waiting' ? (
        <StatusBadge status="working">Regrading…</StatusBadge>
      ) : corrected ? (
        <Attribution who="teacher">corrected</Attribution>
      ) : sheet ? (
        <span className={classes.sure} data-poor={text === '' || undefined}>
          {sheetText(answer)}
        </span>
      ) : (
        text !== '' &&
        reading < 1 && (
          <span className={classes.sure} data-poor={reading < LOW_CONFIDENCE || undefined}>
            {confidenceText(reading)}
          </span>
        )
      )}
    </span>
  )
}

function Correction({
  answer,
  correction,
}: {
  answer: TranscribedAnswer
  correction: ReturnType<typeof useAnswerCorrection>
}) {
  const { corrected, read_text, failure, scoring, revision } = answer
  const save = (text: string | null) => void correction.save({ text, revision }).catch(() => undefined)
  return (
    <>
      {corrected && (
        <div className={classes.before}>
          <p>
            <TeacherIcon size={13} /> {corrected.by ?? 'A teacher'}, {formatDateTime(corrected.at)}. Original:{' '}
            <q>{read_text || 'nothing'}</q>
          </p>
          <SubtleButton
            size="xs"
            loading={correction.sending}
            aria-label={`Undo the correction of answer ${answer.number}`}
            onClick={() => save(null)}
          >
            Undo
          </SubtleButton>
        </div>
      )}
      {scoring === 'failed' && (
        <div className={classes.before} role="alert">
          <p>{failure}</p>
          <SecondaryButton size="xs" loading={correction.sending} onClick={() => save(corrected ? answer.text : null)}>
            Regrade
          </SecondaryButton>
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

function Points({ submission, questionId }: { submission: Submission; questionId: string }) {
  const own = (submission.grade?.criterion_grades_collection ?? []).filter((one) => one.question_id === questionId)
  if (own.length === 0) return null
  const sum = (of: (one: (typeof own)[number]) => number) => own.reduce((total, one) => total + of(one), 0)
  return (
    <span className={classes.points}>
      {own.some(isUnscored) ? (
        'Not graded yet'
      ) : (
        <strong>{formatPoints(sum((one) => one.teacher_score ?? one.score ?? 0))}</strong>
      )}{' '}
      / {formatPoints(sum((one) => one.max_score))}
    </span>
  )
}

interface TranscribedLineRowProps {
  line: TranscribedLine
  highlightSelection: HighlightSelection
  select: (group: string) => void
  isOnlyLine?: boolean
}

/** Pressed, the paper shows where it is; chosen on the paper, it scrolls into view here. */
export function TranscribedLineRow({ line, highlightSelection, select, isOnlyLine = false }: TranscribedLineRowProps) {
  const { group, text, confidence, lowConfidence } = line
  const chosen = highlightSelection.selected === group
  const row = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (chosen && row.current) scrollWithinContainer(row.current)
  }, [chosen])
  return (
    <button
      type="button"
      className={classes.line}
      aria-pressed={chosen}
      data-poor={lowConfidence || undefined}
      data-pointed={highlightSelection.hovered === group || undefined}
      ref={row}
      onClick={() => select(group)}
      onPointerEnter={() => highlightSelection.hover(group)}
      onPointerLeave={() => highlightSelection.hover(null)}
    >
      <span className={classes.lineText}>{text}</span>
      {lowConfidence && !isOnlyLine && <span className={classes.sureLine}>{confidenceText(confidence)}</span>}
    </button>
  )
}
