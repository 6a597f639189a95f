import type { SelfTestCheck } from '@assay/shared/lti/lti-self-test.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** Deleted after a day: an LMS changes without notice. */
export interface SelfTestDoc {
  _id: number
  platform_id: number
  state: 'running' | 'done'
  started_at: Date
  finished_at: Date | null
  checks: SelfTestCheck[]
}

const selfTestSchema = defineSchema<SelfTestDoc>({
  _id: Number,
  platform_id: { type: Number, required: true },
  state: { type: String, required: true },
  started_at: { type: Date, required: true },
  finished_at: { type: Date, default: null },
  checks: { type: Mixed, default: [] },
})
selfTestSchema.index({ platform_id: 1 })
// Of two concurrent requests, one starts it.
selfTestSchema.index({ platform_id: 1, state: 1 }, { unique: true, partialFilterExpression: { state: 'running' } })
selfTestSchema.index({ started_at: 1 }, { expireAfterSeconds: 24 * 60 * 60 })

export const SelfTestModel = defineModel('LtiSelfTest', selfTestSchema, 'lti_self_tests')
