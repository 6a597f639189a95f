import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

const identitySchema = schemaOf({
  _id: field.id(Number),
  /** The platform's `identity_issuer`, not the `iss` of launches, which two LMSs may share. */
  issuer: field.required(String),
  sub: field.required(String),
  user_id: field.required(Number),
  /** Canvas's Student View: left out of analytics and score passback. */
  test_user: field.withDefault(Boolean, false),
  created_at: field.required(Date),
})
export type LtiIdentityDoc = DocOf<typeof identitySchema>
identitySchema.index({ issuer: 1, sub: 1 }, { unique: true })
identitySchema.index({ user_id: 1 })
export const LtiIdentityModel = defineModel('LtiIdentity', identitySchema, 'lti_identities')
