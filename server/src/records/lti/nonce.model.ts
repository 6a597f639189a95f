import { defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

const nonceSchema = schemaOf({ _id: field.id(String), at: field.required(Date) })
// Far longer than a token is accepted.
nonceSchema.index({ at: 1 }, { expireAfterSeconds: 60 * 60 })
export const LtiNonceModel = defineModel('LtiNonce', nonceSchema, 'lti_nonces')
