import type { ModelTest, ModelTestStep } from '@assay/shared/model.ts'
import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Notice } from '../../components/Notice.tsx'
import { UnsavedChangesModal } from '../../components/UnsavedChangesModal.tsx'
import { type ApiError, messageOf } from '../../lib/api-error.ts'
import { toast } from '../../lib/toast.ts'
import { useUnsavedChanges } from '../../lib/useUnsavedChanges.ts'
import { ConnectionTest } from './ConnectionTest.tsx'
import classes from './Model.module.css'
import { HowFields, type ModelFieldsProps, MoneyFields, WhoFields } from './ModelFields.tsx'
import { errorsOf, hostOf, type ModelBody, type ModelTexts, readTexts } from './model-form.ts'
import { WhatLeaves } from './WhatLeaves.tsx'

interface Sent {
  sending: boolean
  error: ApiError | null
  clear: () => void
}

interface Props extends Pick<ModelFieldsProps, 'fixed' | 'kept' | 'publicOnly'> {
  stored: ModelTexts
  /** Nothing is stored yet: it may be saved as it stands. */
  fresh?: boolean
  save: Sent & {
    send: (body: ModelBody, texts: ModelTexts, course_budget: number | null) => Promise<unknown>
  }
  test: Pick<Sent, 'error' | 'clear'> & {
    send: (settings: ModelBody, only: ModelTestStep, signal: AbortSignal) => Promise<ModelTest>
  }
  /** Fields that only the system has. */
  more?: (props: ModelFieldsProps) => ReactNode
  /** Beside Save and Cancel. */
  buttons?: ReactNode
  cancel?: () => void
}

/** Whose model, what it may cost and how it is asked: to look at, to try out and to change. */
export function ModelEditor({
  stored,
  fresh = false,
  fixed,
  kept,
  publicOnly,
  save,
  test,
  more,
  buttons,
  cancel,
}: Props) {
  const [draft, setDraft] = useState<Partial<ModelTexts>>({})
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const texts = { ...stored, ...draft }
  const changed = JSON.stringify(texts) !== JSON.stringify(stored)
  const guard = useUnsavedChanges(changed)
  const refused = { ...errorsOf(save.error?.fields ?? {}), ...wrong }
  const errors = { ...errorsOf(test.error?.fields ?? {}), ...refused }
  const set = (change: Partial<ModelTexts>) => {
    setDraft((now) => ({ ...now, ...change }))
    setWrong({})
  }
  const fields: ModelFieldsProps = { texts, set, errors, fixed, kept, publicOnly }
  const offline = texts.provider === 'offline'

  /** The body, or null where a field says what is wrong with it. */
  function read() {
    const { errors: found, ...rest } = readTexts(texts)
    setWrong(found)
    return Object.keys(found).length > 0 ? null : rest
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    test.clear()
    const ready = read()
    if (!ready) return
    try {
      await save.send(ready.body, texts, ready.course_budget)
      setDraft({})
      toast.good('Saved. It holds at once.')
    } catch {
      // Shown at the fields and beside the button.
    }
  }

  const atFields = Object.keys(refused).length > 0
  return (
    <>
      <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
        <WhoFields {...fields} />
        {!offline && (
          <>
            <WhatLeaves host={hostOf(texts)} pictures={texts.pictures} />
            <ConnectionTest
              about={`Asks ${texts.model.trim() ? `“${texts.model.trim()}”` : 'the model'} three small questions, with what stands in the fields, saved or not. It costs a fraction of a cent with most models.`}
              run={async (only, signal) => {
                save.clear()
                const ready = read()
                return ready && test.send(ready.body, only, signal)
              }}
            />
            <MoneyFields {...fields} />
            <HowFields {...fields} />
          </>
        )}
        {more?.(fields)}
        <div className={classes.save}>
          {(save.error || atFields) && (
            <Notice tone="bad">
              {atFields
                ? 'Nothing was saved. Please correct the marked fields.'
                : messageOf(save.error, 'Nothing was saved. Please try again.')}
            </Notice>
          )}
          <div className={classes.buttons}>
            <Button type="submit" size="sm" loading={save.sending} disabled={!changed && !fresh}>
              Save Changes
            </Button>
            <Button
              size="sm"
              variant="default"
              disabled={(!changed && !cancel) || save.sending}
              onClick={() => {
                setDraft({})
                setWrong({})
                save.clear()
                test.clear()
                cancel?.()
              }}
            >
              Cancel
            </Button>
            {buttons}
            <span role="status" className={classes.dim}>
              {changed && 'You have unsaved changes'}
            </span>
          </div>
        </div>
      </form>
      <UnsavedChangesModal opened={guard.asking} stay={guard.stay} discard={guard.leave}>
        The model’s settings have not been saved. What you entered would be lost.
      </UnsavedChangesModal>
    </>
  )
}
