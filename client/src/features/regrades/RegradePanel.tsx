import { answerRegrade, listRegrades, MAX_REGRADE_ANSWER_LENGTH, type RegradeRequest } from '@assay/shared/regrades.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { Button, Skeleton, Textarea } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { useBeforeUnloadWarning } from '../../lib/hooks/useBeforeUnloadWarning.ts'
import { useUser } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import type { GradeReview } from '../grades/useGradeReview.ts'
import { answerDrafts } from './answer-drafts.ts'
import { RegradeHistory } from './RegradeHistory.tsx'
import classes from './regrades.module.css'

interface Props {
  submission: Pick<Submission, 'id' | 'assignment_id'>
  review: GradeReview
  answered: () => Promise<unknown>
}

/** What the student asks about this grade, above the grade itself, and the teacher's answer. */
export function RegradePanel({ submission, review, answered }: Props) {
  const params = { assignmentId: submission.assignment_id, submissionId: submission.id }
  const regrades = useGet(listRegrades, params)
  const refresh = useRevalidate()

  if (regrades.data) {
    const open = regrades.data.find(({ state }) => state === 'open')
    return (
      <section className={classes.panel} aria-labelledby="regrade">
        <h2 id="regrade" className={classes.title}>
          {open ? 'Regrade requested' : 'Regrade request'}
        </h2>
        <RegradeHistory regrades={regrades.data} who="teacher" />
        {open && (
          <AnswerForm
            key={open.id}
            ids={params}
            request={open}
            review={review}
            answered={async () => {
              await Promise.all([regrades.reload(), answered()])
              void refresh(`/assignments/${submission.assignment_id}/submissions`)
            }}
          />
        )}
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

interface AnswerProps {
  ids: { assignmentId: number; submissionId: number }
  request: RegradeRequest
  review: GradeReview
  answered: () => Promise<void>
}

/** Answers with the grade as it is, or saves the one being edited first: two steps, and the second only after the first. */
function AnswerForm({ ids, request, review, answered }: AnswerProps) {
  const { send, sending, error, clear } = useSend(answerRegrade)
  const user = useUser()
  const [words, setWords] = useState(() => answerDrafts.find(user.id, request.id))
  const [missing, setMissing] = useState(false)
  useBeforeUnloadWarning(words.trim() !== '')
  const field = useRef<HTMLTextAreaElement>(null)
  const busy = sending || review.saving

  function type(next: string) {
    setWords(next)
    answerDrafts.keep(user.id, request.id, next)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    setMissing(words.trim() === '')
    if (words.trim() === '') return field.current?.focus()
    // What is wrong with the grade is said in its own form; the answer waits.
    if (review.unsaved && !(await review.save())) return
    try {
      await send({ params: { ...ids, regradeId: request.id }, body: { answer: words } })
      type('')
      toast.good('Your answer has been sent.')
      await answered()
    } catch {
      // Shown above the button.
    }
  }

  const atField = missing ? 'Write an answer for the student' : error?.fields.answer
  return (
    <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
      <Textarea
        ref={field}
        label="Your answer"
        description="The student sees this next to the grade. To change the grade, edit it below first."
        autosize
        minRows={2}
        maxRows={12}
        maxLength={MAX_REGRADE_ANSWER_LENGTH}
        value={words}
        onChange={(event) => {
          type(event.currentTarget.value)
          setMissing(false)
          clear()
        }}
        error={atField}
      />
      {error && !atField && (
        <Notice tone="bad">{messageOf(error, 'Your answer was not sent. Please try again.')}</Notice>
      )}
      <div className={classes.buttons}>
        <Button type="submit" loading={busy}>
          {review.unsaved ? 'Save grade and answer' : 'Answer'}
        </Button>
        {!review.editing && (
          <Button variant="default" onClick={review.edit}>
            Change the grade
          </Button>
        )}
      </div>
    </form>
  )
}
