import { type SettingName, type SystemSettings, settingNames } from '@assay/shared/settings.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { SubtleButton } from '../../../components/display/buttons.tsx'
import classes from './SettingsPage.module.css'

export interface SettingsFormState {
  settings: SystemSettings
  values: SettingsFormValues
  setText: (name: SettingName, text: string) => void
  errors: Record<string, ReactNode>
  resetToDefault: (name: SettingName) => void
  busy: boolean
}

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

export type SettingsFormValues = Record<SettingName, string>

const countSettings = new Set<SettingName>([
  'grading_concurrency',
  'limit_sign_in_account',
  'limit_sign_in_address',
  'limit_registration',
  'limit_reset',
  'limit_invitations',
  'limit_upload',
  'retention_months',
])

/** Never the mail server, which holds a password. */
export function settingsFormValues({ values }: SystemSettings): SettingsFormValues {
  const texts = Object.fromEntries(settingNames.map((name) => [name, String(values[name].value ?? '')]))
  return { ...(texts as SettingsFormValues), smtp_url: '' }
}

/** Text that is no number goes as it is, so that the contract says what is wrong. */
export function settingsBody(
  values: SettingsFormValues,
  changed: SettingName[],
): Record<string, string | number | null> {
  return Object.fromEntries(
    changed.map((name) => {
      const text = values[name].trim()
      if (countSettings.has(name)) return [name, Number(text || 0)]
      return [name, text === '' ? null : text]
    }),
  )
}
