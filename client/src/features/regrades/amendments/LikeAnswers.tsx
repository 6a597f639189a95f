import {
  type AmendmentKind,
  type AmendmentPreview,
  applyAmendment,
  type LikeAnswer,
  type RubricAmendment,
} from '@assay/shared/rubric-amendments.ts'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CancelButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { formatPoints, plural } from '../../../lib/format.ts'
import { parseScore, pointsError } from '../../grades/grade-form.ts'
import classes from './amendments.module.css'

const PAGE = 50

interface Props {
  assignmentId: number
  words: { regrade_id: number; kind: AmendmentKind; text: string }
  preview: AmendmentPreview
  applied: (amendment: RubricAmendment) => void
  close: () => void
}

/** Only the teacher selects answers that a person has decided. */
export function LikeAnswers({ assignmentId, words, preview, applied, close }: Props) {
  const { answers, criterion, granted, rubric_version } = preview
  const open = answers.filter(({ whole_score }) => !whole_score)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(open.flatMap(({ decided_by, submission_id }) => (decided_by === null ? [submission_id] : []))),
  )
  const [groupPoints, setGroupPoints] = useState(formatPoints(granted))
  const [rows, setRows] = useState(PAGE)
  const apply = useSend(applyAmendment)
  const byGroup = answers.some(({ by }) => by === 'group')
  const points = parseScore(groupPoints)
  const wrongPoints = byGroup ? (points === null ? 'Enter the points' : pointsError(points, criterion.points)) : null
  const released = open.filter((row) => row.released && chosen.has(row.submission_id)).length

  function toggle(id: number) {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }

  async function send() {
    if (wrongPoints) return
    const given = byGroup && points !== null ? { group_points: points } : {}
    const seen = answers.filter(({ submission_id }) => chosen.has(submission_id))
    const body = {
      ...words,
      rubric_version,
      answers: seen.map(({ submission_id, decided }) => ({ submission_id, decided })),
      ...given,
    }
    await apply.send({ params: { assignmentId }, body }).then(applied, () => {})
  }

  return (
    <div className={classes.step}>
      <p role="status">
        {answers.length === 0
          ? 'No other answer would change. The rubric changes for papers graded from now on.'
          : `The points of ${plural(answers.length, 'other answer')} would change.`}
      </p>
      {answers.length > 0 && (
        <>
          {open.length > 1 && (
            <Checkbox
              label={`Choose all ${open.length}`}
              checked={chosen.size === open.length}
              indeterminate={chosen.size > 0 && chosen.size < open.length}
              onChange={() =>
                setChosen(chosen.size === open.length ? new Set() : new Set(open.map((row) => row.submission_id)))
              }
            />
          )}
          <ul className={classes.answers} aria-label="Answers whose points would change">
            {answers.slice(0, rows).map((answer) => (
              <LikeAnswerRow
                key={answer.submission_id}
                answer={answer}
                points={
                  answer.by === 'group' && points !== null && !wrongPoints
                    ? answer.points_then - granted + points
                    : null
                }
                checked={chosen.has(answer.submission_id)}
                toggle={() => toggle(answer.submission_id)}
              />
            ))}
          </ul>
          {answers.length > rows && (
            <SubtleButton onClick={() => setRows(rows + PAGE)}>
              Show {Math.min(PAGE, answers.length - rows)} more
            </SubtleButton>
          )}
          {byGroup && (
            <TextInput
              className={classes.points}
              label="Points for answers of the same group"
              description={`The grader cannot tell what these earn now. At most ${formatPoints(criterion.points)}.`}
              inputMode="decimal"
              autoComplete="off"
              value={groupPoints}
              onChange={(event) => setGroupPoints(event.currentTarget.value)}
              error={wrongPoints}
            />
          )}
          <p className="hint">
            The answers you choose get these points now, as your decision. The others keep theirs until they are graded
            again.
          </p>
        </>
      )}
      {released > 0 && (
        <Notice>{plural(released, 'student sees', 'students see')} the new points at once and why they changed.</Notice>
      )}
      <ErrorNotice error={apply.error} fallback="Nothing was changed. Please try again." />
      <div className={classes.actions}>
        <CancelButton onClick={close} />
        <Button loading={apply.sending} disabled={wrongPoints !== null} onClick={() => void send()}>
          {chosen.size === 0 ? 'Change the rubric only' : `Change the rubric and ${plural(chosen.size, 'answer')}`}
        </Button>
      </div>
    </div>
  )
}

interface RowProps {
  answer: LikeAnswer
  points: number | null
  checked: boolean
  toggle: () => void
}

function LikeAnswerRow({ answer, points, checked, toggle }: RowProps) {
  const { student, excerpt, decided_by, released, whole_score, by } = answer
  const facts = [
    whole_score && 'has a score for the whole paper',
    decided_by !== null && `decided by ${decided_by}`,
    by === 'group' && 'same group',
    released && 'released',
  ].filter((fact) => fact !== false)
  return (
    <li className={classes.answer}>
      <Checkbox
        aria-label={`${student}: ${excerpt}`}
        checked={checked}
        disabled={whole_score}
        onChange={toggle}
        className={classes.check}
      />
      <div className={classes.said}>
        <span className={classes.student}>{student}</span>
        <p className={classes.excerpt}>{excerpt}</p>
        {facts.length > 0 && <span className="hint">{facts.join(' · ')}</span>}
      </div>
      <span className={classes.change}>
        {formatPoints(answer.points)} → <strong>{formatPoints(points ?? answer.points_then)}</strong>
      </span>
    </li>
  )
}
