import type { SettingValues } from '@assay/shared/settings.ts'
import { defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

/** Absent values come from the environment or the defaults. */
const settingsSchema = schemaOf(
  {
    _id: field.id<'system'>(String),
    values: field.withDefault<Partial<Omit<SettingValues, 'smtp_url'>>>(Mixed, {}),
    /** Encrypted, as it holds a password. */
    smtp_url_sealed: field.optional<string | null>(String, null),
  },
  { minimize: false },
)
export const SettingsModel = defineModel('Settings', settingsSchema, 'settings')
