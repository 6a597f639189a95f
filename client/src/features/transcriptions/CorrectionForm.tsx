import { MAX_ANSWER_LENGTH, type TranscribedAnswer } from '@assay/shared/transcriptions.ts'
import { Button, Textarea } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { UnsavedChangesModal } from '../../components/feedback/UnsavedChangesModal.tsx'
import { useUnsavedChanges } from '../../lib/hooks/useUnsavedChanges.ts'
import classes from './CorrectionForm.module.css'
import type { AnswerCorrection } from './useAnswerCorrection.ts'

interface Props {
  answer: TranscribedAnswer
  correction: AnswerCorrection
  close: () => void
}

/** What the page says, as the teacher corrects it for the grader. */
export function CorrectionForm({ answer, correction, close }: Props) {
  const [text, setText] = useState(answer.text)
  const changed = text !== answer.text
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const guard = useUnsavedChanges(changed)
  const [leaving, setLeaving] = useState(false)
  const tooLong = text.length > MAX_ANSWER_LENGTH
  function cancel() {
    correction.clear()
    close()
  }
  async function save() {
    if (tooLong) return
    if (!changed || (await correction.save(text))) close()
  }
  return (
    <form
      className={classes.root}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          if (changed) setLeaving(true)
          else cancel()
        }
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          event.stopPropagation()
          void save()
        }
      }}
    >
      <Textarea
        label={`Text on the page for question ${answer.number}`}
        description="Type exactly what is written, including mistakes. This text is graded."
        autosize
        minRows={2}
        maxRows={14}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={
          tooLong
            ? `An answer can have at most ${MAX_ANSWER_LENGTH.toLocaleString('en')} characters`
            : correction.error?.message
        }
        ref={field}
      />
      <div className={classes.buttons}>
        <Button size="xs" variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button size="xs" type="submit" loading={correction.sending}>
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
        What you corrected has not been saved.
      </UnsavedChangesModal>
    </form>
  )
}
