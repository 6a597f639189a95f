import type { ModelSettings } from '@assay/shared/model-settings.ts'
import mongoose from 'mongoose'

/** A model as somebody has set it, for all of Assay or for one course. */
export interface ModelSettingsDoc {
  /** `system`, or `course/7`. */
  _id: string
  /** Null for the system's. */
  course_id: number | null
  values: Partial<ModelSettings>
  key_sealed: string | null
  /** The key's last letters, by which whoever entered it knows it again. */
  key_ends: string | null
  /** Of the system's: what one course may spend of it, in US dollars a calendar month. */
  course_budget?: number | null
  /** Of the system's: whether teachers may use keys of their own. Absent: they may. */
  teachers_keys?: boolean
  /** When somebody last saved it. Absent: before this was kept. */
  changed_at?: Date
}

const modelSettingsSchema = new mongoose.Schema<ModelSettingsDoc>(
  {
    _id: String,
    course_id: { type: Number, default: null },
    values: { type: mongoose.Schema.Types.Mixed, default: {} },
    key_sealed: { type: String, default: null },
    key_ends: { type: String, default: null },
    course_budget: { type: Number, default: null },
    teachers_keys: { type: Boolean, default: true },
    changed_at: Date,
  },
  { versionKey: false, minimize: false },
)
modelSettingsSchema.index({ course_id: 1 })
export const ModelSettingsModel = mongoose.model('ModelSettings', modelSettingsSchema, 'model_settings')

/** Where a course's own stands, and the system's. */
export const settingsIdOf = (courseId: number | null) => (courseId === null ? 'system' : `course/${courseId}`)

/** Whether the system's settings or the course's own were saved after a moment. */
export async function settingsChangedSince(courseId: number | null, moment: Date): Promise<boolean> {
  const ids = [settingsIdOf(null), settingsIdOf(courseId)]
  return (await ModelSettingsModel.exists({ _id: { $in: ids }, changed_at: { $gt: moment } })) !== null
}

/** With the keys in them. Returns how many there were. */
export async function forgetModelSettings(courseIds: number[]): Promise<number> {
  return (await ModelSettingsModel.deleteMany({ course_id: { $in: courseIds } })).deletedCount
}
