import type { SettingName } from '@assay/shared/settings.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { SubtleButton } from '../../../components/display/buttons.tsx'
import classes from './SettingsPage.module.css'
import type { SettingsFormState } from './settings-form.ts'

interface Props {
  form: SettingsFormState
  name: SettingName
  label: string
  hint?: string
  kind?: 'text' | 'count' | 'email'
  placeholder?: string
  choices?: { value: string; label: string }[]
  resetLabel?: string
}

export function SettingField({ form, name, label, hint, kind = 'text', placeholder, choices, resetLabel }: Props) {
  const { source } = form.settings.values[name]
  const fixed = source === 'environment'
  const common = {
    label,
    description: fixed ? `Set by the server’s environment (${name.toUpperCase()}).` : hint,
    'data-path': name,
    value: form.values[name],
    onChange: (event: { currentTarget: { value: string } }) => form.setText(name, event.currentTarget.value),
    error: form.errors[name],
  }
  const choice = choices?.find((one) => one.value === common.value)
  return (
    <div className={classes.field} data-kind={kind}>
      {choices && !fixed ? (
        <NativeSelect {...common} data={choices} />
      ) : (
        <TextInput
          {...common}
          value={choice?.label ?? common.value}
          readOnly={fixed}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          type={kind === 'count' ? 'number' : kind}
          {...(kind === 'count' ? { min: 1, inputMode: 'numeric' as const } : {})}
        />
      )}
      {source === 'stored' && (
        <SubtleButton
          className={classes.back}
          disabled={form.busy}
          aria-label={`${resetLabel ?? 'Use default'}: ${label}`}
          onClick={() => form.resetToDefault(name)}
        >
          {resetLabel ?? 'Use default'}
        </SubtleButton>
      )}
    </div>
  )
}
