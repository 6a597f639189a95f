import type { CriterionGrade } from '@assay/shared/grades.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import {
  answerRegrade,
  listOpenRegrades,
  listRegrades,
  MAX_REGRADE_ANSWER_LENGTH,
  type RegradeRequest,
} from '@assay/shared/regrades.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { Button, Skeleton, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { LinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { ErrorNotice, Notice } from '../../components/feedback/Notice.tsx'
import { LoadError } from '../../components/layout/Page.tsx'
import { MathTextarea } from '../../components/math/MathTextarea.tsx'
import { asApiError } from '../../lib/api/api-error.ts'
import { useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { formatPoints, plural } from '../../lib/format.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { useKeyboardShortcuts } from '../../lib/hooks/useKeyboardShortcuts.ts'
import { useBeforeUnloadWarning } from '../../lib/hooks/useUnsavedChanges.ts'
import { useUser } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { answerPath, regradesPath, submissionPath } from '../../paths.ts'
import { criterionHighlightGroup } from '../grades/criteria/evidence-highlights.ts'
import { parseScore, pointsError } from '../grades/grade-form.ts'
import type { GradeReview } from '../grades/useGradeReview.ts'
import { AmendmentOffer } from './amendments/AmendmentOffer.tsx'
import { answerDrafts } from './answer-drafts.ts'
import { RegradeHistory } from './RegradeHistory.tsx'
import classes from './regrades.module.css'

interface Props {
  submission: Pick<Submission, 'id' | 'assignment_id'>
  review: GradeReview
  look: (highlightGroup: string) => void
  answered: () => Promise<unknown>
}

export function RegradePanel({ submission, review, look, answered }: Props) {
  const assignmentId = submission.assignment_id
  const params = { assignmentId, submissionId: submission.id }
  const regrades = useGet(listRegrades, params)
  const refresh = useRevalidate()
  const heading = useRef<HTMLHeadingElement>(null)
  const open = regrades.data?.find(({ state }) => state === 'open')
  const [latest] = regrades.data ?? []
  const granted = latest?.outcome === 'granted' && latest.criterion ? latest : undefined
  const criterion = criterionOf(open, review)
  const place = criterion && criterionHighlightGroup(criterion.id)
  useEffect(() => {
    if (place) look(place)
  }, [place, look])

  if (regrades.data) {
    return (
      <section className={classes.panel} aria-labelledby="regrade">
        <h2 id="regrade" ref={heading} tabIndex={-1} className={classes.title}>
          {open ? 'Regrade requested' : 'Regrade request'}
        </h2>
        <RegradeHistory regrades={regrades.data} who="teacher" />
        {open && (
          <AnswerForm
            key={open.id}
            ids={params}
            request={open}
            criterion={criterion}
            review={review}
            changedElsewhere={answered}
            answered={async () => {
              await Promise.all([regrades.reload(), answered()])
              // The form took the focus with it.
              heading.current?.focus({ preventScroll: true })
              void refresh(`/assignments/${assignmentId}/submissions`)
              void refresh(`/assignments/${assignmentId}/regrades`)
            }}
          />
        )}
        {granted && (
          <AmendmentOffer
            assignmentId={assignmentId}
            request={granted}
            changed={() =>
              void refresh(`/assignments/${assignmentId}/submissions`, `/assignments/${assignmentId}/questions`)
            }
          />
        )}
        <Queue
          assignmentId={assignmentId}
          submissionId={submission.id}
          questionId={open?.question?.id}
          isAnswered={!open}
        />
      </section>
    )
  }
  if (regrades.error) {
    return <LoadError error={regrades.error} retry={regrades.reload} title="Failed to Load the Request" />
  }
  return (
    <div className={classes.panel} role="status" aria-label="Loading the request">
      <Skeleton height={96} radius="md" />
    </div>
  )
}

/** By its id in the rubric, since a new suggestion has other rows. */
function criterionOf(request: RegradeRequest | undefined, { grade }: GradeReview) {
  if (!request?.criterion) return null
  const { id, criterion_id } = request.criterion
  const all = grade.criterion_grades_collection
  return all.find((one) => one.criterion_id === criterion_id) ?? all.find((one) => one.id === id) ?? null
}

interface QueueProps {
  assignmentId: number
  submissionId: number
  questionId: string | undefined
  isAnswered: boolean
}

function Queue({ assignmentId, submissionId, questionId, isAnswered }: QueueProps) {
  const navigate = useNavigate()
  const open = useGet(listOpenRegrades, { assignmentId })
  const others = open.data?.filter((request) => request.submission_id !== submissionId) ?? []
  const here = open.data?.findIndex((request) => request.submission_id === submissionId) ?? -1
  const [oldest] = others
  const next = open.data?.slice(here + 1).find((request) => request.submission_id !== submissionId) ?? oldest
  const nextPath = next && submissionPath(assignmentId, next.submission_id)
  useKeyboardShortcuts({ r: nextPath ? () => void navigate(nextPath) : undefined })
  if (!questionId && !nextPath) return null
  return (
    <nav className={classes.queue} aria-label="Regrade requests">
      {nextPath && (
        <LinkButton to={nextPath} variant={isAnswered ? 'filled' : 'default'} size="compact-sm" aria-keyshortcuts="r">
          Next request
        </LinkButton>
      )}
      {nextPath && <Link to={regradesPath(assignmentId)}>{plural(others.length, 'other open request')}</Link>}
      {questionId && <Link to={answerPath(assignmentId, questionId, submissionId)}>Open in Grade by question</Link>}
    </nav>
  )
}

interface AnswerFormProps {
  ids: { assignmentId: number; submissionId: number }
  request: RegradeRequest
  criterion: CriterionGrade | null
  review: GradeReview
  changedElsewhere: () => Promise<unknown>
  answered: () => Promise<void>
}

function AnswerForm({ ids, request, criterion, review, changedElsewhere, answered }: AnswerFormProps) {
  const { send } = useSend(answerRegrade)
  const user = useUser()
  const { grade } = review
  const hasWholeScore = grade.manual_score_override !== null && !grade.override_from_points
  const changeable = hasWholeScore ? null : criterion
  const now = criterion && (criterion.teacher_score ?? criterion.score)
  const form = useContractForm(answerRegrade, {
    initialValues: { answer: answerDrafts.find(user.id, request.id), points: now === null ? '' : formatPoints(now) },
    toBody: ({ answer, points }) => ({ answer, grant: changeable && grantOf(changeable, points, review) }),
    names: { grant: 'points' },
    check: ({ points }) => fieldErrors(changeable, points),
  })
  const { answer, points } = form.values
  const { getValues, setValues } = form
  const shown = now === null ? '' : formatPoints(now)
  const untouched = useRef(shown)
  // Somebody has changed the points: what nobody typed here must not undo that.
  useEffect(() => {
    const before = untouched.current
    if (shown === before) return
    untouched.current = shown
    if (getValues().points === before) setValues({ points: shown })
  }, [getValues, setValues, shown])
  useEffect(() => answerDrafts.save(user.id, request.id, answer), [user.id, request.id, answer])
  useBeforeUnloadWarning(answer.trim() !== '')
  const given = parseScore(points)
  const changes = changeable !== null && given !== null && !Number.isNaN(given) && given !== now

  const undoWindow = useUndoWindow()

  async function sendAnswer(body: BodyOf<typeof answerRegrade>) {
    if (review.unsaved && !(await review.save())) return
    try {
      await send({ params: { ...ids, regradeId: request.id }, body })
    } catch (cause) {
      if (asApiError(cause).code === 'conflict') await changedElsewhere()
      throw cause
    }
    form.setValues({ answer: '' })
    toast.success(body.grant ? 'The points are changed and your answer has been sent.' : 'Your answer has been sent.')
    await answered()
  }
  const submit = form.submit(sendAnswer)

  /** The student is told only when it can no longer be undone. */
  async function sendUnlessUndone(said: string, words: string, more: number) {
    const grant = changeable && more > 0 ? grantOf(changeable, String((now ?? 0) + more), review) : null
    if (words !== '' && !(await undoWindow.wait(said))) return
    await form.attempt(() => sendAnswer({ answer: words, grant }))
  }
  const more = changeable ? Math.min(1, changeable.max_score - (now ?? 0)) : 0
  const granted = `${formatPoints(more)} more ${more === 1 ? 'point' : 'points'}`

  function sendByKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void submit()
  }

  return (
    <form className="stack" noValidate onSubmit={submit} onKeyDown={sendByKey}>
      {changeable && (
        <TextInput
          className={classes.points}
          label={`Points${request.question ? ` for question ${request.question.number}` : ''}`}
          description={`Now ${now === null ? 'not graded' : formatPoints(now)} of ${formatPoints(changeable.max_score)}`}
          inputMode="decimal"
          autoComplete="off"
          rightSection={<span className="hint">/ {formatPoints(changeable.max_score)}</span>}
          rightSectionWidth={52}
          {...form.getInputProps('points')}
        />
      )}
      {criterion && hasWholeScore && (
        <Notice>This paper has a score for the whole paper. To change its points, remove that score first.</Notice>
      )}
      <MathTextarea
        label="Your answer"
        description={
          criterion
            ? 'The student sees this next to the grade.'
            : 'The student sees this next to the grade. To change the grade, edit it below first.'
        }
        minRows={2}
        maxRows={12}
        maxLength={MAX_REGRADE_ANSWER_LENGTH}
        {...form.getInputProps('answer')}
      />
      <ErrorNotice error={form.failure} fallback="Your answer was not sent. Please try again." />
      {undoWindow.said !== null && (
        <Notice
          busy
          actions={
            <SecondaryButton size="compact-sm" onClick={undoWindow.undo}>
              Undo
            </SecondaryButton>
          }
        >
          {undoWindow.said} The student is told in a moment.
        </Notice>
      )}
      <div className="button-row" hidden={undoWindow.said !== null}>
        {more > 0 && !changes && (
          <SecondaryButton
            disabled={form.submitting}
            onClick={() => void sendUnlessUndone(`Granted ${granted}.`, answer.trim() || `You get ${granted}.`, more)}
          >
            Grant +{formatPoints(more)}
          </SecondaryButton>
        )}
        {changeable && !changes && (
          <SecondaryButton
            disabled={form.submitting}
            onClick={() => void sendUnlessUndone('Declined.', answer.trim(), 0)}
          >
            Decline
          </SecondaryButton>
        )}
        <Button type="submit" loading={form.submitting || review.saving}>
          {changes
            ? `Give ${formatPoints(given)} and answer`
            : review.unsaved
              ? 'Save grade and answer'
              : changeable
                ? 'Answer, points stay'
                : 'Answer'}
        </Button>
        {!changeable && !review.editing && <SecondaryButton onClick={review.edit}>Change the grade</SecondaryButton>}
      </div>
    </form>
  )
}

const UNDO_MS = 6000

/** `wait` resolves to false once undone, true in time or when the screen is left. */
function useUndoWindow() {
  const [said, setSaid] = useState<string | null>(null)
  const settle = useRef<(go: boolean) => void>(undefined)
  useEffect(() => () => settle.current?.(true), [])
  async function wait(words: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    settle.current = resolve
    setSaid(words)
    const timer = setTimeout(() => resolve(true), UNDO_MS)
    const go = await promise
    clearTimeout(timer)
    setSaid(null)
    return go
  }
  return { said, wait, undo: () => settle.current?.(false) }
}

function fieldErrors(criterion: CriterionGrade | null, text: string): Record<string, string> {
  const error = criterion && text.trim() !== '' ? pointsError(parseScore(text), criterion.max_score) : null
  return error ? { points: error } : {}
}

/** Null while the points are unchanged; includes the points a person gave before, as seen here. */
function grantOf({ criterion_id, question_id, ...criterion }: CriterionGrade, text: string, { grade }: GradeReview) {
  const points = parseScore(text)
  if (points === null || points === (criterion.teacher_score ?? criterion.score)) return null
  const decided = grade.criterion_grades_collection.flatMap((one) =>
    one.question_id === question_id && one.teacher_score !== undefined ? [[one.criterion_id, one.teacher_score]] : [],
  )
  return {
    question_id,
    points: { [criterion_id]: points },
    decided: decided.length === 0 ? null : (Object.fromEntries(decided) as Record<string, number>),
  }
}
