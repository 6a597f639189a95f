import { llmProviders } from '@assay/shared/llm/llm-settings.ts'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { SubtleButton } from '../../components/display/buttons.tsx'
import { PasswordField } from '../../components/display/PasswordField.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import classes from './Llm.module.css'
import { providerNames } from './llm-labels.ts'
import { hasAllPrices, type LlmFieldsProps, type LlmFormValues } from './llm-settings-form.ts'

const providers = llmProviders.map((value) => ({
  value,
  label:
    value === 'offline'
      ? 'Built-in grader (no AI model)'
      : value === 'openai-compatible'
        ? 'Other (OpenAI-compatible)'
        : providerNames[value],
}))

export function textFieldProps({ values, set, errors, fixedFields }: LlmFieldsProps) {
  return (name: keyof LlmFormValues & string, label: string, hint?: string, setting: string = name) => ({
    label,
    description: fixedFields.includes(setting) ? SET_BY_ENVIRONMENT : hint,
    'data-path': name,
    value: String(values[name]),
    readOnly: fixedFields.includes(setting),
    error: errors[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })
}

export function ProviderFields(props: LlmFieldsProps) {
  const { values, set, errors, fixedFields, publicOnly } = props
  const text = textFieldProps(props)
  const { provider } = values
  return (
    <fieldset className={classes.fields}>
      <legend>Model</legend>
      {fixedFields.includes('provider') ? (
        <TextInput label="Provider" description={SET_BY_ENVIRONMENT} value={providerNames[provider]} readOnly />
      ) : (
        <NativeSelect
          label="Provider"
          data={providers}
          data-path="provider"
          value={provider}
          error={errors.provider}
          onChange={(event) => {
            const { value } = event.currentTarget
            const chosen = llmProviders.find((one) => one === value)
            if (chosen) set({ provider: chosen })
          }}
        />
      )}
      {provider !== 'offline' && (
        <>
          <TextInput {...text('model', 'Model', 'The exact name used by the provider.')} />
          <TextInput
            {...text(
              'base_url',
              provider === 'openai-compatible' ? 'Address' : 'Another address (optional)',
              provider === 'openai-compatible'
                ? publicOnly
                  ? 'On the public internet, with https. Models inside the school’s network must be set up by an administrator.'
                  : 'Ollama on this machine: http://127.0.0.1:11434/v1'
                : 'Only if you use a gateway. Leave empty for the provider’s address.',
            )}
            type="url"
          />
          <ApiKeyField {...props} />
        </>
      )}
    </fieldset>
  )
}

export const dollarInputProps = { inputMode: 'decimal' as const, leftSection: '$' }

export function BudgetFields(props: LlmFieldsProps) {
  const { values } = props
  const text = textFieldProps(props)
  const budgeted = values.monthly_budget.trim() !== '' || values.course_budget.trim() !== ''
  const priced = hasAllPrices(values)
  return (
    <fieldset className={classes.fields}>
      <legend>Costs and budget</legend>
      <div className={classes.pair}>
        <TextInput
          {...text('input', 'Price per million input tokens', 'From the provider’s price list.', 'price')}
          {...dollarInputProps}
        />
        <TextInput
          {...text('output', 'Price per million output tokens', '0 for a model on your own machine.', 'price')}
          {...dollarInputProps}
        />
      </div>
      <TextInput
        {...text(
          'monthly_budget',
          'Monthly budget',
          'Grading stops when it is used up. Leave empty for no limit. Months start at midnight UTC.',
        )}
        {...dollarInputProps}
      />
      {budgeted && !priced && (
        <Notice tone="warn">
          Enter {values.second_opinion === 'other' ? 'the prices of both models' : 'both prices'} to enforce a budget.
          Without them, only tokens are counted.
        </Notice>
      )}
    </fieldset>
  )
}

export function GradingFields(props: LlmFieldsProps) {
  const { values, set, fixedFields } = props
  const text = textFieldProps(props)
  return (
    <fieldset className={classes.fields}>
      <legend>Grading</legend>
      <Checkbox
        label="Send images of scanned and handwritten papers"
        description={
          fixedFields.includes('pictures')
            ? SET_BY_ENVIRONMENT
            : 'For models that accept images. Otherwise, such papers are graded from recognized text.'
        }
        checked={values.pictures}
        disabled={fixedFields.includes('pictures')}
        onChange={(event) => set({ pictures: event.currentTarget.checked })}
      />
      <NativeSelect
        label="Second opinion on uncertain answers"
        description="Doubles the cost of each uncertain answer. If the two results differ, the paper is flagged."
        value={values.second_opinion}
        data={[
          { value: 'never', label: 'None' },
          { value: 'same', label: 'The same model again' },
          { value: 'other', label: 'Another model of the same provider' },
        ]}
        onChange={(event) => {
          const value = event.currentTarget.value
          set({ second_opinion: value === 'same' || value === 'other' ? value : 'never' })
        }}
      />
      {values.second_opinion === 'other' && (
        <>
          <TextInput {...text('second_model', 'The other model', 'The exact name used by the provider.')} />
          <div className={classes.pair}>
            <TextInput
              {...text(
                'second_input',
                'Price per million input tokens (second model)',
                'The prices above are for the first model.',
              )}
              {...dollarInputProps}
            />
            <TextInput
              {...text('second_output', 'Price per million output tokens (second model)')}
              {...dollarInputProps}
            />
          </div>
        </>
      )}
      <TextInput
        {...text('at_once', 'Parallel requests', 'A higher number is faster, up to the provider’s limit. 1 to 256.')}
        inputMode="numeric"
        className={classes.short}
      />
    </fieldset>
  )
}

const SET_BY_ENVIRONMENT = 'Set by the server’s environment.'

/** A stored key is never shown, only replaced or removed. */
function ApiKeyField({ values, set, errors, fixedFields, storedKey }: LlmFieldsProps) {
  const ends = storedKey.key_ends ? `ending in ${storedKey.key_ends} ` : ''
  if (fixedFields.includes('api_key')) {
    const value = storedKey.has_key ? `A key ${ends}is set` : 'No key is set'
    return <TextInput label="Key" description={SET_BY_ENVIRONMENT} value={value} readOnly />
  }
  const stored = storedKey.has_key && !values.removeKey
  return (
    <>
      {storedKey.key_unreadable && (
        <Notice tone="warn">The stored key cannot be decrypted because SECRET_KEY has changed. Enter it again.</Notice>
      )}
      <div className={classes.key}>
        <PasswordField
          label="Key"
          description={
            stored
              ? `A key ${ends}is stored. Enter another to replace it.`
              : 'Stored encrypted and never shown again. A local model may not need one.'
          }
          data-path="api_key"
          value={values.api_key}
          error={errors.api_key}
          autoComplete="new-password"
          onChange={(event) => set({ api_key: event.currentTarget.value, removeKey: false })}
        />
        {stored && values.provider === 'openai-compatible' && values.api_key === '' && (
          <SubtleButton onClick={() => set({ removeKey: true })}>Remove key</SubtleButton>
        )}
      </div>
    </>
  )
}
