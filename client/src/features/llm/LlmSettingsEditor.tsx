import type { LlmTest, LlmTestStep } from '@assay/shared/llm/llm.ts'
import { isLoopbackAddress } from '@assay/shared/rules/web-address.ts'
import type { ReactNode } from 'react'
import { DraftFooter } from '../../components/feedback/DraftFooter.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import type { ApiError } from '../../lib/api/api-error.ts'
import type { ContractDraft } from '../../lib/forms/useContractDraft.ts'
import { toast } from '../../lib/toast.ts'
import { ConnectionTest } from './ConnectionTest.tsx'
import classes from './Llm.module.css'
import { BudgetFields, GradingFields, ProviderFields } from './LlmSettingsFields.tsx'
import {
  type LlmFieldsProps,
  type LlmFormValues,
  type LlmSettingsBody,
  parseFormValues,
  providerHost,
  testFieldErrors,
} from './llm-settings-form.ts'

interface Props<B> extends Pick<LlmFieldsProps, 'fixedFields' | 'storedKey' | 'publicOnly'> {
  form: ContractDraft<LlmFormValues, B>
  isNew?: boolean
  save: (body: B) => Promise<unknown>
  test: {
    error: ApiError | null
    clear: () => void
    send: (settings: LlmSettingsBody, only: LlmTestStep, signal: AbortSignal) => Promise<LlmTest>
  }
  extraFields?: (props: LlmFieldsProps) => ReactNode
  buttons?: ReactNode
  cancel?: () => void
}

export function LlmSettingsEditor<B>(props: Props<B>) {
  const { form, isNew, save, test, extraFields, buttons, cancel, ...limits } = props
  const { values: texts } = form
  const errors = { ...testFieldErrors(test.error?.fields ?? {}), ...form.errors }
  const fields: LlmFieldsProps = { values: texts, set: form.change, errors, ...limits }
  const offline = texts.provider === 'offline'

  const submit = form.submit(async (body) => {
    await save(body)
    toast.success('Saved. Changes take effect immediately.')
  })

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        test.clear()
        void submit(event)
      }}
    >
      <ProviderFields {...fields} />
      {!offline && (
        <>
          <DataSharingNotice host={providerHost(texts)} pictures={texts.pictures} />
          <ConnectionTest
            about={`Sends three short test requests to ${texts.model.trim() ? `“${texts.model.trim()}”` : 'the AI model'} with the current field values, saved or not. This costs a fraction of a cent with most models.`}
            run={async (only, signal) =>
              (await form.passes()) ? test.send(parseFormValues(texts).body, only, signal) : null
            }
          />
          <BudgetFields {...fields} />
          <GradingFields {...fields} />
        </>
      )}
      {extraFields?.(fields)}
      <DraftFooter
        form={form}
        isNew={isNew}
        fallback="Nothing was saved. Please try again."
        unsaved="The AI model’s settings have not been saved. Your changes will be lost."
        cancel={() => {
          form.reset()
          test.clear()
          cancel?.()
        }}
      >
        {buttons}
      </DraftFooter>
    </form>
  )
}

export function DataSharingNotice({ host, pictures }: { host: string | null; pictures: boolean }) {
  return (
    <Notice title="Data sent to the AI model">
      Questions, the expected answers and student answers
      {pictures && ', and images of scanned and handwritten papers'}, with names, email addresses and student numbers
      masked where known or found. All of it goes to {host === null ? 'the address you enter' : <strong>{host}</strong>}
      {host !== null && isLoopbackAddress(`http://${host}`)
        ? ', which runs on this server. Nothing leaves it unless that program forwards it. '
        : ', whose terms then apply. '}
      Nothing is sent until you grade papers or test the connection.
    </Notice>
  )
}
