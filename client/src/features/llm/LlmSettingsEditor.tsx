import type { LlmTest, LlmTestStep } from '@assay/shared/llm/llm.ts'
import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Notice } from '../../components/feedback/Notice.tsx'
import { UnsavedChangesModal } from '../../components/feedback/UnsavedChangesModal.tsx'
import { type ApiError, messageOf } from '../../lib/api/api-error.ts'
import { useUnsavedChanges } from '../../lib/hooks/useUnsavedChanges.ts'
import { toast } from '../../lib/toast.ts'
import { ConnectionTest } from './ConnectionTest.tsx'
import { DataSharingNotice } from './DataSharingNotice.tsx'
import classes from './Llm.module.css'
import { BudgetFields, GradingFields, ProviderFields } from './LlmSettingsFields.tsx'
import {
  fieldErrorsOf,
  type LlmFieldsProps,
  type LlmFormValues,
  type LlmSettingsBody,
  parseFormValues,
  providerHost,
} from './llm-settings-form.ts'

interface RequestState {
  sending: boolean
  error: ApiError | null
  clear: () => void
}

interface Props extends Pick<LlmFieldsProps, 'fixedFields' | 'storedKey' | 'publicOnly'> {
  stored: LlmFormValues
  /** Nothing is stored yet: it may be saved unchanged. */
  isNew?: boolean
  save: RequestState & {
    send: (body: LlmSettingsBody, texts: LlmFormValues, course_budget: number | null) => Promise<unknown>
  }
  test: Pick<RequestState, 'error' | 'clear'> & {
    send: (settings: LlmSettingsBody, only: LlmTestStep, signal: AbortSignal) => Promise<LlmTest>
  }
  /** Fields that only the system has. */
  extraFields?: (props: LlmFieldsProps) => ReactNode
  /** Beside Save and Cancel. */
  buttons?: ReactNode
  cancel?: () => void
}

/** Whose model, what it may cost and how it is asked: to look at, to try out and to change. */
export function LlmSettingsEditor({
  stored,
  isNew = false,
  fixedFields,
  storedKey,
  publicOnly,
  save,
  test,
  extraFields,
  buttons,
  cancel,
}: Props) {
  const [draft, setDraft] = useState<Partial<LlmFormValues>>({})
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const texts = { ...stored, ...draft }
  const changed = JSON.stringify(texts) !== JSON.stringify(stored)
  const guard = useUnsavedChanges(changed)
  const refused = { ...fieldErrorsOf(save.error?.fields ?? {}), ...wrong }
  const errors = { ...fieldErrorsOf(test.error?.fields ?? {}), ...refused }
  const set = (change: Partial<LlmFormValues>) => {
    setDraft((now) => ({ ...now, ...change }))
    setWrong({})
  }
  const fields: LlmFieldsProps = { values: texts, set, errors, fixedFields, storedKey, publicOnly }
  const offline = texts.provider === 'offline'

  /** The body, or null where a field says what is wrong with it. */
  function read() {
    const { errors: found, ...rest } = parseFormValues(texts)
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
      toast.success('Saved. Changes take effect immediately.')
    } catch {
      // Shown at the fields and beside the button.
    }
  }

  const atFields = Object.keys(refused).length > 0
  return (
    <>
      <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
        <ProviderFields {...fields} />
        {!offline && (
          <>
            <DataSharingNotice host={providerHost(texts)} pictures={texts.pictures} />
            <ConnectionTest
              about={`Sends three short test requests to ${texts.model.trim() ? `“${texts.model.trim()}”` : 'the model'} with the current field values, saved or not. This costs a fraction of a cent with most models.`}
              run={async (only, signal) => {
                save.clear()
                const ready = read()
                return ready && test.send(ready.body, only, signal)
              }}
            />
            <BudgetFields {...fields} />
            <GradingFields {...fields} />
          </>
        )}
        {extraFields?.(fields)}
        <div className={classes.save}>
          {(save.error || atFields) && (
            <Notice tone="bad">
              {atFields
                ? 'Nothing was saved. Please correct the marked fields.'
                : messageOf(save.error, 'Nothing was saved. Please try again.')}
            </Notice>
          )}
          <div className={classes.buttons}>
            <Button type="submit" size="sm" loading={save.sending} disabled={!changed && !isNew}>
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
      <UnsavedChangesModal opened={guard.isBlocked} stay={guard.stay} discard={guard.proceed}>
        The model’s settings have not been saved. Your changes will be lost.
      </UnsavedChangesModal>
    </>
  )
}
