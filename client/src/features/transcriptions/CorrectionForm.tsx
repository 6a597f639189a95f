import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { correctAnswer, type TranscribedAnswer } from '@assay/shared/transcriptions.ts'
import { Button, Textarea } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { CancelButton } from '../../components/display/buttons.tsx'
import { UnsavedChangesModal } from '../../components/feedback/ConfirmModal.tsx'
import { useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { useUnsavedChanges } from '../../lib/hooks/useUnsavedChanges.ts'
import classes from './CorrectionForm.module.css'

interface Props {
  answer: TranscribedAnswer
  correction: AnswerCorrection
  close: () => void
}

/** On a sheet of another version the text is what the filled circle says in version A. */
const textOnPage = ({ text, sheet, evidence }: TranscribedAnswer): string =>
  sheet?.version && sheet.version !== 'A' && text !== '' ? (evidence[0]?.quote ?? text) : text

export function CorrectionForm({ answer, correction, close }: Props) {
  const shown = textOnPage(answer)
  const form = useContractForm(correctAnswer, {
    initialValues: { text: shown },
    toBody: ({ text }) => ({ text, revision: answer.revision }),
    checkAsTyped: true,
  })
  const changed = form.values.text !== shown
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const guard = useUnsavedChanges(changed)
  const [leaving, setLeaving] = useState(false)
  function cancel() {
    correction.clear()
    close()
  }
  const submit = form.submit(async (body) => {
    if (changed) await correction.save(body)
    close()
  })
  return (
    <form
      className={classes.root}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          if (changed) setLeaving(true)
          else cancel()
        }
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.stopPropagation()
          void submit(event)
        }
      }}
    >
      <Textarea
        label={`Text on the page for question ${answer.number}`}
        description="Type exactly what is written, including mistakes. This text is graded."
        minRows={2}
        maxRows={14}
        ref={field}
        {...form.getInputProps('text')}
        error={form.errors.text ?? form.failure?.message}
      />
      <div className={classes.buttons}>
        <CancelButton size="xs" onClick={cancel} />
        <Button size="xs" type="submit" loading={form.submitting}>
          Save and regrade
        </Button>
      </div>
      <UnsavedChangesModal
        opened={guard.isBlocked || leaving}
        stay={() => {
          setLeaving(false)
          guard.stay()
        }}
        discard={leaving ? cancel : guard.proceed}
      >
        Your correction has not been saved.
      </UnsavedChangesModal>
    </form>
  )
}

type AnswerCorrection = ReturnType<typeof useAnswerCorrection>

/** After somebody else's correction the current answer is loaded, and what was typed stays. */
export function useAnswerCorrection(
  { assignment_id, id }: Pick<Submission, 'assignment_id' | 'id'>,
  { question_id }: Pick<TranscribedAnswer, 'question_id'>,
  changed: () => Promise<unknown>,
) {
  const { send, sending, error, clear } = useSend(correctAnswer)
  /** Null takes the correction back. Also throws what `error` has. */
  async function save(body: BodyOf<typeof correctAnswer>) {
    try {
      await send({ params: { assignmentId: assignment_id, submissionId: id, questionId: question_id }, body })
    } finally {
      await changed()
    }
  }
  return { save, sending, error, clear }
}
