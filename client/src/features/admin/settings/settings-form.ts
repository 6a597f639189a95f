import { type SettingName, type SystemSettings, settingNames } from '@assay/shared/settings.ts'
import type { ReactNode } from 'react'

export interface SettingsFormState {
  settings: SystemSettings
  values: SettingsFormValues
  setText: (name: SettingName, text: string) => void
  errors: Record<string, ReactNode>
  resetToDefault: (name: SettingName) => void
  busy: boolean
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
