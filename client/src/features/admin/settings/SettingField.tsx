import { previewSchoolRetention } from '@assay/shared/retention.ts'
import { type SettingName, type SystemSettings, settingNames } from '@assay/shared/settings.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { SubtleButton } from '../../../components/display/buttons.tsx'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { Panel } from '../../../components/layout/Page.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { RulePreview, retentionChoices } from '../../privacy/retention/RulePreview.tsx'
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

/** Never the mail server, which holds a password. */
export function settingsFormValues({ values }: SystemSettings): SettingsFormValues {
  const texts = Object.fromEntries(settingNames.map((name) => [name, String(values[name].value ?? '')]))
  return { ...(texts as SettingsFormValues), smtp_url: '' }
}

/** Text that is no number goes as it is, so that the contract says what is wrong. */
export const settingsBody =
  (stored: SystemSettings) =>
  (values: SettingsFormValues, changed: SettingName[]): Record<string, string | number | null> =>
    Object.fromEntries(
      changed.map((name) => {
        const text = values[name].trim()
        const isCount = typeof stored.values[name].value === 'number'
        return [name, isCount ? Number(text || 0) : text || null]
      }),
    )

type SchoolRule = ReturnType<typeof useSchoolRule>

export function useSchoolRule({ settings, values }: Pick<SettingsFormState, 'settings' | 'values'>) {
  const months = Number(values.retention_months)
  const changed = months !== settings.values.retention_months.value
  const preview = useGet(previewSchoolRetention, undefined, { months }, { enabled: changed })
  // It may also while that is not known.
  return { preview, changed, mayDelete: changed && months > 0 && preview.data?.assignments !== 0 }
}

interface RetentionSettingsProps {
  form: SettingsFormState
  rule: SchoolRule
  asking: boolean
  close: () => void
  save: () => Promise<unknown>
}

export function RetentionSettings({ form, rule: { changed, preview }, asking, close, save }: RetentionSettingsProps) {
  return (
    <Panel title="Keeping student work">
      <div className={classes.fields}>
        <SettingField
          form={form}
          name="retention_months"
          label="Student work of courses without a rule of their own"
          hint="Counted by assignment from its last activity. Instructors are emailed 14 days before anything is deleted, and can set another rule for their course."
          choices={retentionChoices(form.settings.values.retention_months.value)}
        />
        <RulePreview preview={changed && !asking ? preview : null} />
      </div>
      <ConfirmModal
        opened={asking}
        close={close}
        title="Delete student work by this rule?"
        confirmLabel="Save Changes"
        dangerous
        disabled={!preview.data && !preview.error}
        onConfirm={save}
      >
        <div className={classes.fields}>
          <RulePreview preview={preview} />
          <p>
            The instructors of these courses are emailed 14 days before. Until the deletion, a longer rule or any new
            activity takes it back.
          </p>
        </div>
      </ConfirmModal>
    </Panel>
  )
}
