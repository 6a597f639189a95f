import type { SelfTestCheck } from '@assay/shared/lti/lti-self-test.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

const selfTestSchema = schemaOf({
  _id: field.id(Number),
  platform_id: field.required(Number),
  state: field.required<'running' | 'done'>(String),
  started_at: field.required(Date),
  finished_at: field.nullable(Date),
  checks: field.withDefault<SelfTestCheck[]>(Mixed, []),
})
export type SelfTestDoc = DocOf<typeof selfTestSchema>
selfTestSchema.index({ platform_id: 1 })
// Of two concurrent requests, one starts it.
selfTestSchema.index({ platform_id: 1, state: 1 }, { unique: true, partialFilterExpression: { state: 'running' } })
selfTestSchema.index({ started_at: 1 }, { expireAfterSeconds: 24 * 60 * 60 })
export const SelfTestModel = defineModel('LtiSelfTest', selfTestSchema, 'lti_self_tests')
