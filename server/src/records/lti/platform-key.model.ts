import { defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** A retired key is published until `gone_at`. */
const platformKeySchema = schemaOf({
  _id: field.id(String),
  platform_id: field.required(Number),
  public_key: field.required(String),
  /** PKCS #8, PEM, sealed with SECRET_KEY; null once retired. */
  private_key: field.nullable(String),
  created_at: field.required(Date),
  gone_at: field.nullable(Date),
})
platformKeySchema.index({ platform_id: 1 })
platformKeySchema.index({ gone_at: 1 }, { expireAfterSeconds: 0 })
export const LtiPlatformKeyModel = defineModel('LtiKey', platformKeySchema, 'lti_keys')
