import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** For all of Assay or for one course. */
export interface LlmSettingsDoc {
  /** `system`, or `course/7`. */
  _id: string
  /** Null for the system's. */
  course_id: number | null
  values: Partial<LlmSettings>
  key_sealed: string | null
  /** Its last letters, to recognise it. */
  key_ends: string | null
  /** The system's: what one course may spend, in US dollars a calendar month. */
  course_budget?: number | null
  /** The system's: whether teachers may use keys of their own. Absent: yes. */
  teachers_keys?: boolean
  /** Absent: last saved before this was stored. */
  changed_at?: Date
}

const llmSettingsSchema = defineSchema<LlmSettingsDoc>(
  {
    _id: String,
    course_id: { type: Number, default: null },
    values: { type: Mixed, default: {} },
    key_sealed: { type: String, default: null },
    key_ends: { type: String, default: null },
    course_budget: { type: Number, default: null },
    teachers_keys: { type: Boolean, default: true },
    changed_at: Date,
  },
  { minimize: false },
)
llmSettingsSchema.index({ course_id: 1 })
export const LlmSettingsModel = defineModel('LlmSettings', llmSettingsSchema, 'llm_settings')

export const llmSettingsId = (courseId: number | null) => (courseId === null ? 'system' : `course/${courseId}`)

export async function llmSettingsChangedSince(courseId: number | null, moment: Date): Promise<boolean> {
  const ids = [llmSettingsId(null), llmSettingsId(courseId)]
  return (await LlmSettingsModel.exists({ _id: { $in: ids }, changed_at: { $gt: moment } })) !== null
}

/** Includes the keys. Returns how many there were. */
export async function deleteLlmSettings(courseIds: number[]): Promise<number> {
  return (await LlmSettingsModel.deleteMany({ course_id: { $in: courseIds } })).deletedCount
}
