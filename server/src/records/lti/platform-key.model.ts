import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** For signing towards one platform. A retired key is still published until `gone_at`. */
interface LtiPlatformKeyDoc {
  _id: string
  platform_id: number
  /** SPKI, PEM. */
  public_key: string
  /** PKCS #8, PEM, sealed with SECRET_KEY; null once retired. */
  private_key: string | null
  created_at: Date
  /** Null while it is in use. */
  gone_at: Date | null
}

const platformKeySchema = defineSchema<LtiPlatformKeyDoc>({
  _id: String,
  platform_id: { type: Number, required: true },
  public_key: { type: String, required: true },
  private_key: { type: String, default: null },
  created_at: { type: Date, required: true },
  gone_at: { type: Date, default: null },
})
platformKeySchema.index({ platform_id: 1 })
platformKeySchema.index({ gone_at: 1 }, { expireAfterSeconds: 0 })

export const LtiPlatformKeyModel = defineModel('LtiKey', platformKeySchema, 'lti_keys')
