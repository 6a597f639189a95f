import type { SettingValues } from '@assay/shared/settings.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** Absent values come from the environment or the defaults. */
interface SettingsDoc {
  _id: 'system'
  values: Partial<Omit<SettingValues, 'smtp_url'>>
  /** The mail server with its password, encrypted. */
  smtp_url_sealed?: string | null
}

const settingsSchema = defineSchema<SettingsDoc>(
  {
    _id: String,
    values: { type: Mixed, default: {} },
    smtp_url_sealed: { type: String, default: null },
  },
  { minimize: false },
)
export const SettingsModel = defineModel('Settings', settingsSchema, 'settings')
