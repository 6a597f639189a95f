import type { SettingValues } from '@assay/shared/settings.ts'
import mongoose from 'mongoose'

/** Absent values come from the environment or the defaults. */
interface SettingsDoc {
  _id: 'system'
  values: Partial<Omit<SettingValues, 'smtp_url'>>
  /** The mail server with its password, encrypted. */
  smtp_url_sealed?: string | null
}

const settingsSchema = new mongoose.Schema<SettingsDoc>(
  {
    _id: String,
    values: { type: mongoose.Schema.Types.Mixed, default: {} },
    smtp_url_sealed: { type: String, default: null },
  },
  { versionKey: false, minimize: false },
)
export const SettingsModel = mongoose.model('Settings', settingsSchema, 'settings')
