import { getAnswer } from '@assay/shared/questions.ts'
import type { RegradeRequest } from '@assay/shared/regrades.ts'
import {
  type AmendmentKind,
  type AmendmentPreview,
  MAX_AMENDMENT_LENGTH,
  previewAmendment,
} from '@assay/shared/rubric-amendments.ts'
import { Button, Skeleton, Textarea } from '@mantine/core'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import classes from './amendments.module.css'

interface Props {
  assignmentId: number
  request: RegradeRequest
  kind: AmendmentKind
  found: (text: string, preview: AmendmentPreview) => void
  cancel: () => void
}

/** What goes into the rubric: of an accepted answer the student's own words, to be changed. */
export function AmendmentWords(props: Props) {
  const { assignmentId, request, kind } = props
  const answer = useGet(
    getAnswer,
    { assignmentId, questionId: request.question?.id ?? '', submissionId: request.submission_id },
    undefined,
    { enabled: kind === 'alternative' },
  )
  if (kind === 'alternative' && !answer.data && !answer.error)
    return (
      <div role="status" aria-label="Loading the answer">
        <Skeleton height={96} radius="md" />
      </div>
    )
  // Where it cannot be read, the teacher types it.
  return <WordsForm {...props} text={answer.data?.text ?? ''} />
}

function WordsForm({ assignmentId, request, kind, text, found, cancel }: Props & { text: string }) {
  const { send } = useSend(previewAmendment)
  const form = useContractForm(previewAmendment, {
    initialValues: { text: text.slice(0, MAX_AMENDMENT_LENGTH) },
    toBody: (values) => ({ ...values, regrade_id: request.id, kind }),
  })
  const submit = form.submit(async (body) => {
    found(body.text, await send({ params: { assignmentId }, body }))
  })
  const isAlternative = kind === 'alternative'
  return (
    <form className={classes.step} noValidate onSubmit={submit}>
      <Textarea
        label={isAlternative ? `Accepted answer for question ${request.question?.number}` : 'Note for grading'}
        description={
          isAlternative
            ? 'Answers that say this earn all the points. It is part of the rubric that graders and AI go by.'
            : 'Graders and AI go by it. Students do not see it.'
        }
        autosize
        minRows={3}
        maxRows={12}
        maxLength={MAX_AMENDMENT_LENGTH}
        data-autofocus
        {...form.getInputProps('text')}
      />
      <p className={classes.hint}>Next you see which other answers’ points would change. Nothing is changed before.</p>
      {form.failure && (
        <Notice tone="bad">{messageOf(form.failure, 'Like answers could not be looked for. Please try again.')}</Notice>
      )}
      <div className={classes.actions}>
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" loading={form.submitting}>
          Find like answers
        </Button>
      </div>
    </form>
  )
}
