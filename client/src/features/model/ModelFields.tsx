import { Provider } from '@assay/shared/model-settings.ts'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { Notice } from '../../components/Notice.tsx'
import { FIXED, KeyField } from './KeyField.tsx'
import classes from './Model.module.css'
import { type Errors, type KeptKey, type ModelTexts, pricesEntered } from './model-form.ts'
import { providerNames } from './model-words.ts'

/** What all fields know. */
export interface ModelFieldsProps {
  texts: ModelTexts
  set: (change: Partial<ModelTexts>) => void
  errors: Errors
  /** Those that the server's environment sets. */
  fixed: readonly string[]
  kept: KeptKey
  /** A teacher’s own must stand on the public internet. */
  publicOnly: boolean
}

const providers = Provider.options.map((value) => ({
  value,
  label:
    value === 'offline'
      ? 'The offline grader: on this server, without a model'
      : value === 'openai-compatible'
        ? 'Another, by its address: Ollama, vLLM, llama.cpp, a gateway'
        : providerNames[value],
}))

/** Text of a field, with what all have in common. */
function fieldsOf({ texts, set, errors, fixed }: ModelFieldsProps) {
  return (name: keyof ModelTexts & string, label: string, hint?: string, setting: string = name) => ({
    label,
    description: fixed.includes(setting) ? FIXED : hint,
    value: String(texts[name]),
    readOnly: fixed.includes(setting),
    error: errors[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })
}

/** Who is asked, where, and with which key. */
export function WhoFields(props: ModelFieldsProps) {
  const { texts, set, errors, fixed, publicOnly } = props
  const text = fieldsOf(props)
  const { provider } = texts
  return (
    <fieldset className={classes.fields}>
      <legend>Model</legend>
      {fixed.includes('provider') ? (
        <TextInput label="Who grades" description={FIXED} value={providerNames[provider]} readOnly />
      ) : (
        <NativeSelect
          label="Who grades"
          data={providers}
          value={provider}
          error={errors.provider}
          onChange={(event) => {
            const chosen = Provider.safeParse(event.currentTarget.value)
            if (chosen.success) set({ provider: chosen.data })
          }}
        />
      )}
      {provider !== 'offline' && (
        <>
          <TextInput {...text('model', 'Model', 'Its name, exactly as the provider calls it.')} />
          <TextInput
            {...text(
              'base_url',
              provider === 'openai-compatible' ? 'Address' : 'Another address (optional)',
              provider === 'openai-compatible'
                ? publicOnly
                  ? 'On the public internet, with https. A model inside the school’s network is set up by an administrator.'
                  : 'Ollama on this machine: http://127.0.0.1:11434/v1'
                : 'Only where you go through a gateway. Empty: the provider’s own.',
            )}
            type="url"
          />
          <KeyField {...props} />
        </>
      )}
    </fieldset>
  )
}

const number = { inputMode: 'decimal' as const, leftSection: '$' }

/** What it costs, and how much it may. */
export function MoneyFields(props: ModelFieldsProps) {
  const { texts } = props
  const text = fieldsOf(props)
  const budgeted = texts.monthly_budget.trim() !== '' || texts.course_budget.trim() !== ''
  const priced = pricesEntered(texts)
  return (
    <fieldset className={classes.fields}>
      <legend>Money</legend>
      <div className={classes.pair}>
        <TextInput
          {...text('input', 'A million tokens read', 'By the provider’s price list.', 'price')}
          {...number}
        />
        <TextInput
          {...text('output', 'A million tokens written', '0 on your own machine.', 'price')}
          {...number}
        />
      </div>
      <TextInput
        {...text(
          'monthly_budget',
          'Budget a month',
          'When it is used up, grading stops and says so. Empty: no limit. Months begin at midnight UTC.',
        )}
        {...number}
      />
      {budgeted && !priced && (
        <Notice tone="warn">
          Without {texts.second_opinion === 'other' ? 'the prices of both models' : 'both prices'} nobody
          knows what an answer costs: tokens are counted, but no budget can be kept.
        </Notice>
      )}
    </fieldset>
  )
}

/** How it is asked. */
export function HowFields(props: ModelFieldsProps) {
  const { texts, set, fixed } = props
  const text = fieldsOf(props)
  return (
    <fieldset className={classes.fields}>
      <legend>Grading</legend>
      <Checkbox
        label="Send pictures of scanned and handwritten papers"
        description={
          fixed.includes('pictures')
            ? FIXED
            : 'For models that can look at pictures. Without them such papers are graded by what text recognition finds.'
        }
        checked={texts.pictures}
        disabled={fixed.includes('pictures')}
        onChange={(event) => set({ pictures: event.currentTarget.checked })}
      />
      <NativeSelect
        label="Second opinion on doubtful answers"
        description="Costs about as much again for each doubtful answer. Where the two differ, the paper is flagged."
        value={texts.second_opinion}
        data={[
          { value: 'never', label: 'None' },
          { value: 'same', label: 'The same model once more' },
          { value: 'other', label: 'Another model of the same provider' },
        ]}
        onChange={(event) => {
          const value = event.currentTarget.value
          set({ second_opinion: value === 'same' || value === 'other' ? value : 'never' })
        }}
      />
      {texts.second_opinion === 'other' && (
        <>
          <TextInput {...text('second_model', 'The other model', 'Its name, as the provider calls it.')} />
          <div className={classes.pair}>
            <TextInput
              {...text('second_input', 'A million tokens read by it', 'The prices above are the first’s.')}
              {...number}
            />
            <TextInput {...text('second_output', 'A million tokens written by it')} {...number} />
          </div>
        </>
      )}
      <TextInput
        {...text(
          'at_once',
          'Questions asked at once',
          'More is faster, up to the provider’s limit. 1 to 256.',
        )}
        inputMode="numeric"
        className={classes.short}
      />
    </fieldset>
  )
}
