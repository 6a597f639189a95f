import type { SettingName, SystemSettings } from '@assay/shared/settings.ts'

/** What somebody has typed and not saved, by setting. */
export type SettingsDraft = Partial<Record<SettingName, string>>

const countSettings = new Set<SettingName>([
  'grading_concurrency',
  'limit_sign_in_account',
  'limit_sign_in_address',
  'limit_registration',
  'limit_reset',
  'limit_upload',
])

/** What a field shows before anybody types: the value that holds, but never the mail server, which holds a password. */
export function displayedValue(settings: SystemSettings, name: SettingName): string {
  if (name === 'smtp_url') return ''
  return String(settings.values[name].value ?? '')
}

/** Those fields that say something else than what holds. */
export function changedSettingNames(settings: SystemSettings, draft: SettingsDraft): SettingName[] {
  const names = Object.keys(settings.values) as SettingName[]
  return names.filter((name) => draft[name] !== undefined && draft[name] !== displayedValue(settings, name))
}

/** A draft as the server wants it; what is no number goes as it is, so that the server says what is wrong with it. */
export function settingsBody(settings: SystemSettings, draft: SettingsDraft): Record<string, string | number | null> {
  return Object.fromEntries(
    changedSettingNames(settings, draft).map((name) => {
      const text = (draft[name] ?? '').trim()
      if (countSettings.has(name)) return [name, Number(text || 0)]
      return [name, text === '' ? null : text]
    }),
  )
}
