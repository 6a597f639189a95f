import {
  type AccuracyCheck,
  type BlindAnswer,
  getAccuracyCheck,
  getBlindAnswer,
  markBlindAnswer,
  SAMPLE_SIZES,
  startAccuracyCheck,
} from '@assay/shared/accuracy-checks.ts'
import { getAssignment } from '@assay/shared/assignments.ts'
import { Button, Progress, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import {
  CancelButton,
  LinkButton,
  PrimaryLinkButton,
  SecondaryButton,
  SubtleButton,
} from '../../components/display/buttons.tsx'
import { EmptyState } from '../../components/feedback/EmptyState.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { LoadError, Loaded, Page, PageHeader, RowSkeletons } from '../../components/layout/Page.tsx'
import { useAttempt, useGet, useSend } from '../../lib/api/api-hooks.ts'
import { formatPoints } from '../../lib/format.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'
import { questionsPath, submissionsPath } from '../../paths.ts'
import { parseScore, pointsError } from '../grades/grade-form.ts'
import { AnswerPictures } from '../questions/grading/answers/AnswerPictures.tsx'
import { QuestionDetails } from '../questions/grading/QuestionDetails.tsx'
import { AccuracyResults } from './AccuracyResults.tsx'
import classes from './accuracy.module.css'

export function AccuracyPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  const assignment = useGet(getAssignment, { assignmentId })
  const loaded = useGet(getAccuracyCheck, { assignmentId })
  const isMarking = loaded.data?.check?.finished_at === null
  const title = assignment.data?.title ?? 'Assignment'
  return (
    <Page>
      <PageHeader
        title="Check accuracy"
        tabTitle={`Check accuracy, ${title}`}
        subtitle={
          // A low frame of an LMS has no room for it.
          isMarking
            ? null
            : 'Mark some answers without seeing the suggestions. Then you know how far the others can be trusted.'
        }
        crumbs={[{ label: title, to: submissionsPath(assignmentId) }, { label: 'Check accuracy' }]}
        actions={<LinkButton to={questionsPath(assignmentId)}>Grade by question</LinkButton>}
      />
      <Loaded
        query={loaded}
        title="Error Loading the Check"
        skeleton={<RowSkeletons count={3} label="Loading the check" />}
      >
        {(data) => (
          <Check
            assignmentId={assignmentId}
            {...data}
            changed={(check) => loaded.patch((before) => ({ ...before, check }))}
          />
        )}
      </Loaded>
    </Page>
  )
}

interface Counts {
  assignmentId: number
  available: number
  decided: number
}

interface CheckProps extends Counts {
  check: AccuracyCheck | null
  changed: (check: AccuracyCheck) => void
}

function Check({ check, changed, ...counts }: CheckProps) {
  const [again, setAgain] = useState(false)
  function started(next: AccuracyCheck) {
    setAgain(false)
    changed(next)
  }
  if (!check || again) return <StartCheck {...counts} cancel={check ? () => setAgain(false) : null} started={started} />
  const { assignmentId } = counts
  if (!check.finished_at) return <MarkSample assignmentId={assignmentId} check={check} changed={changed} />
  return <AccuracyResults assignmentId={assignmentId} check={check} startAgain={() => setAgain(true)} />
}

interface Props extends Counts {
  cancel: (() => void) | null
  started: (check: AccuracyCheck) => void
}

const SIZES = [10, SAMPLE_SIZES.usual, 40, 60]

function StartCheck({ assignmentId, available, decided, cancel, started }: Props) {
  const [size, setSize] = useState<number>(SAMPLE_SIZES.usual)
  const start = useSend(startAccuracyCheck)
  const { attempt, failure } = useAttempt('The check was not started. Please try again.')

  const begin = () =>
    attempt(async () => started(await start.send({ params: { assignmentId }, body: { answers: size } })))

  if (available < 2)
    return (
      <EmptyState
        title={decided > 0 ? 'No suggestions left to check' : 'No suggestions to check yet'}
        action={
          cancel ? (
            <Button onClick={cancel}>Back to the last check</Button>
          ) : (
            <PrimaryLinkButton to={submissionsPath(assignmentId)}>Back to submissions</PrimaryLinkButton>
          )
        }
      >
        {decided > 0
          ? `People have given points to ${available === 0 ? 'all answers' : 'all answers but one'}.`
          : 'Suggestions appear here after “Process & Grade” has graded the papers.'}
      </EmptyState>
    )
  return (
    <section className={classes.start} aria-label="Start a check">
      <ol className={classes.steps}>
        <li>
          We draw answers at random. There are {available} answers with a suggestion
          {decided > 0 ? ' that nobody has decided' : ''}.
        </li>
        <li>You mark them. You see neither the suggestion nor the student’s name. You can stop and go on later.</li>
        <li>
          You see how often the grader and you agree, whether it is too strict or too generous, and which papers to look
          at.
        </li>
      </ol>
      {cancel && <Notice>A new check takes the place of the last one. Marks you have used as points stay.</Notice>}
      {failure && <Notice tone="bad">{failure}</Notice>}
      <div className={classes.buttons}>
        <Select
          label="Answers to mark"
          description="More answers, closer figures"
          className={classes.size}
          allowDeselect={false}
          data={SIZES.map((one) => ({ value: String(one), label: `${one} answers` }))}
          value={String(size)}
          onChange={(value) => setSize(Number(value))}
        />
        <Button loading={start.sending} onClick={() => void begin()}>
          Start the check
        </Button>
        {cancel && <CancelButton onClick={cancel} />}
      </div>
    </section>
  )
}

interface MarkSampleProps {
  assignmentId: number
  check: AccuracyCheck
  changed: (check: AccuracyCheck) => void
}

function MarkSample({ assignmentId, check, changed }: MarkSampleProps) {
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
        <span className="dim">{done} done</span>
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
              <span className="dim">Read as</span> {text}
            </>
          ) : (
            <span className="dim">{withoutWords[state]}</span>
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
              rightSection={<span className="dim">/ {formatPoints(points)}</span>}
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
            <SecondaryButton disabled={mark.sending} onClick={() => void send(null)}>
              Skip
            </SecondaryButton>
            {back && (
              <SubtleButton disabled={mark.sending} onClick={back}>
                Back
              </SubtleButton>
            )}
          </div>
          <p className={classes.hint}>Enter saves. Skip what cannot be judged.</p>
        </form>
      </div>
    </div>
  )
}

const fieldId = (criterion: string) => `blind-points-${criterion}`
