import { type AccuracyCheck, type BlindAnswer, getBlindAnswer, markBlindAnswer } from '@assay/shared/accuracy-checks.ts'
import { Button, Progress, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { RowSkeletons } from '../../components/layout/PageSkeleton.tsx'
import { useGet, useSend } from '../../lib/api/api-hooks.ts'
import { useAttempt } from '../../lib/api/useAttempt.ts'
import { formatPoints } from '../../lib/format.ts'
import { parseScore, pointsError } from '../grades/grade-form.ts'
import { AnswerPictures } from '../questions/grading/answers/AnswerPictures.tsx'
import { QuestionDetails } from '../questions/grading/QuestionDetails.tsx'
import classes from './accuracy.module.css'

interface Props {
  assignmentId: number
  check: AccuracyCheck
  changed: (check: AccuracyCheck) => void
}

export function MarkSample({ assignmentId, check, changed }: Props) {
  const { answers } = check
  const isOpen = ({ state }: AccuracyCheck['answers'][number]) => state === 'open'
  const [position, setPosition] = useState(() => answers.find(isOpen)?.position ?? 1)
  const answer = useGet(getBlindAnswer, { assignmentId, position })
  const done = answers.filter((one) => !isOpen(one)).length

  function marked(next: AccuracyCheck) {
    const open = next.answers.filter(isOpen)
    const following = open.find((one) => one.position > position) ?? open[0]
    if (following) setPosition(following.position)
    changed(next)
  }

  return (
    <section aria-label="Mark the sample">
      <div className={classes.progress}>
        <span>
          <strong>Answer {position}</strong> of {answers.length}
        </span>
        <span className={classes.dim}>{done} done</span>
      </div>
      <Progress value={(100 * done) / answers.length} aria-label="Answers done" size="sm" mb="md" />
      {answer.data?.position === position ? (
        <BlindAnswerForm
          key={position}
          assignmentId={assignmentId}
          checkId={check.id}
          answer={answer.data}
          marked={marked}
          back={position > 1 ? () => setPosition(position - 1) : null}
        />
      ) : answer.error ? (
        <LoadError error={answer.error} retry={answer.reload} title="Error Loading the Answer" />
      ) : (
        <RowSkeletons count={3} label="Loading the answer" />
      )}
    </section>
  )
}

interface BlindAnswerFormProps {
  assignmentId: number
  checkId: number
  answer: BlindAnswer
  marked: (check: AccuracyCheck) => void
  back: (() => void) | null
}

const withoutWords = {
  read: '',
  empty: 'Left blank',
  not_found: 'Not found on the page',
  unreadable: 'Could not be read',
}

function BlindAnswerForm({ assignmentId, checkId, answer, marked, back }: BlindAnswerFormProps) {
  const { position, submission_id, question, state, text, pictures } = answer
  const { criteria } = question
  const [typed, setTyped] = useState(() =>
    Object.fromEntries(
      criteria.map(({ id }) => [id, answer.points?.[id] === undefined ? '' : String(answer.points[id])]),
    ),
  )
  const [errors, setErrors] = useState<Record<string, string>>({})
  const { attempt, failure } = useAttempt('The points were not saved. Please try again.')
  const mark = useSend(markBlindAnswer)

  const send = (points: Record<string, number> | null) =>
    attempt(async () => {
      marked(await mark.send({ params: { assignmentId, position }, body: { check_id: checkId, points } }))
    })

  function submit(event: FormEvent) {
    event.preventDefault()
    const given = criteria.map(({ id, points }) => ({ id, points, score: parseScore(typed[id] ?? '') }))
    const wrong = given.flatMap(({ id, points, score }) => {
      const error = score === null ? 'Enter points' : pointsError(score, points)
      return error ? [[id, error] as const] : []
    })
    setErrors(Object.fromEntries(wrong))
    const [first] = wrong
    if (first) document.getElementById(fieldId(first[0]))?.focus()
    else void send(Object.fromEntries(given.map(({ id, score }) => [id, score ?? 0])))
  }

  return (
    <div className={classes.marking}>
      <div className={classes.answer}>
        <AnswerPictures
          params={{ assignmentId, questionId: question.id, submissionId: submission_id }}
          pictures={pictures}
          label={`Answer ${position}`}
        />
        <p className={classes.text}>
          {state === 'read' ? (
            <>
              <span className={classes.dim}>Read as</span> {text}
            </>
          ) : (
            <span className={classes.dim}>{withoutWords[state]}</span>
          )}
        </p>
      </div>
      <div className={classes.side}>
        <h2 className={classes.question}>Question {question.number}</h2>
        <QuestionDetails question={question} />
        <form className={classes.form} noValidate onSubmit={submit}>
          {criteria.map(({ id, text: name, points }, i) => (
            <TextInput
              key={id}
              id={fieldId(id)}
              label={criteria.length > 1 ? name : 'Points'}
              inputMode="decimal"
              autoComplete="off"
              autoFocus={i === 0}
              rightSection={<span className={classes.dim}>/ {formatPoints(points)}</span>}
              rightSectionWidth={56}
              value={typed[id] ?? ''}
              error={errors[id]}
              onChange={(event) => setTyped({ ...typed, [id]: event.currentTarget.value })}
            />
          ))}
          {failure && <Notice tone="bad">{failure}</Notice>}
          <div className={classes.buttons}>
            <Button type="submit" loading={mark.sending}>
              Save and next
            </Button>
            <Button variant="default" disabled={mark.sending} onClick={() => void send(null)}>
              Skip
            </Button>
            {back && (
              <Button variant="subtle" disabled={mark.sending} onClick={back}>
                Back
              </Button>
            )}
          </div>
          <p className={classes.hint}>Enter saves. Skip what cannot be judged.</p>
        </form>
      </div>
    </div>
  )
}

const fieldId = (criterion: string) => `blind-points-${criterion}`
