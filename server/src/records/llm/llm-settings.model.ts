import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

const llmSettingsSchema = schemaOf(
  {
    /** `system`, or `course/7`. */
    _id: field.id(String),
    course_id: field.nullable(Number),
    values: field.withDefault<Partial<LlmSettings>>(Mixed, {}),
    key_sealed: field.nullable(String),
    key_ends: field.nullable(String),
    course_budget: field.optional<number | null>(Number, null),
    teachers_keys: field.optional(Boolean, true),
    changed_at: field.optional(Date),
  },
  { minimize: false },
)
export type LlmSettingsDoc = DocOf<typeof llmSettingsSchema>
llmSettingsSchema.index({ course_id: 1 })
export const LlmSettingsModel = defineModel('LlmSettings', llmSettingsSchema, 'llm_settings')

export const llmSettingsId = (courseId: number | null) => (courseId === null ? 'system' : `course/${courseId}`)

export async function llmSettingsChangedSince(courseId: number | null, moment: Date): Promise<boolean> {
  const ids = [llmSettingsId(null), llmSettingsId(courseId)]
  return (await LlmSettingsModel.exists({ _id: { $in: ids }, changed_at: { $gt: moment } })) !== null
}
