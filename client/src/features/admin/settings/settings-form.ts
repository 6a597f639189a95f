import type { SettingName, SystemSettings } from '@assay/shared/settings.ts'

/** What somebody has typed and not saved, by setting. */
export type Draft = Partial<Record<SettingName, string>>

const counts = new Set<SettingName>([
  'grading_concurrency',
  'limit_sign_in_account',
  'limit_sign_in_address',
  'limit_registration',
  'limit_reset',
  'limit_upload',
])

/** What a field shows before anybody types: the value that holds, but never the mail server, which holds a password. */
export function shownValue(settings: SystemSettings, name: SettingName): string {
  if (name === 'smtp_url') return ''
  return String(settings.values[name].value ?? '')
}

/** Those fields that say something else than what holds. */
export function changedNames(settings: SystemSettings, draft: Draft): SettingName[] {
  const names = Object.keys(settings.values) as SettingName[]
  return names.filter((name) => draft[name] !== undefined && draft[name] !== shownValue(settings, name))
}

/** A draft as the server wants it; what is no number goes as it is, so that the server says what is wrong with it. */
export function bodyOf(settings: SystemSettings, draft: Draft): Record<string, string | number | null> {
  return Object.fromEntries(
    changedNames(settings, draft).map((name) => {
      const text = (draft[name] ?? '').trim()
      if (counts.has(name)) return [name, Number(text || 0)]
      return [name, text === '' ? null : text]
    }),
  )
}
