import { answerRegrade, listRegrades, MAX_REGRADE_ANSWER_LENGTH, type RegradeRequest } from '@assay/shared/regrades.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { Button, Skeleton, Textarea } from '@mantine/core'
import { useEffect } from 'react'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
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
  const { send } = useSend(answerRegrade)
  const user = useUser()
  const form = useContractForm(answerRegrade, {
    initialValues: { answer: answerDrafts.find(user.id, request.id) },
    toBody: (values) => values,
  })
  const { answer } = form.values
  useEffect(() => answerDrafts.save(user.id, request.id, answer), [user.id, request.id, answer])
  useBeforeUnloadWarning(answer.trim() !== '')
  const submit = form.submit(async (body) => {
    // What is wrong with the grade is shown in its own form; the answer waits.
    if (review.unsaved && !(await review.save())) return
    await send({ params: { ...ids, regradeId: request.id }, body })
    form.setValues({ answer: '' })
    toast.success('Your answer has been sent.')
    await answered()
  })

  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <Textarea
        label="Your answer"
        description="The student sees this next to the grade. To change the grade, edit it below first."
        autosize
        minRows={2}
        maxRows={12}
        maxLength={MAX_REGRADE_ANSWER_LENGTH}
        {...form.getInputProps('answer')}
      />
      {form.failure && (
        <Notice tone="bad">{messageOf(form.failure, 'Your answer was not sent. Please try again.')}</Notice>
      )}
      <div className={classes.buttons}>
        <Button type="submit" loading={form.submitting || review.saving}>
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
