import type { LmsKind, PlatformStatus } from '@assay/shared/lti/lti.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** A deployment of the tool, named by launches or listed by an administrator. */
export interface Deployment {
  id: string
  /** Null before its first launch. */
  first_seen_at: Date | null
}

/** Where a dynamic registration can be changed, and the capabilities the LMS reported. */
export interface Registration {
  url: string
  /** Sealed with SECRET_KEY; null where an ordinary access token is used. */
  token: string | null
  /** Message types it sends; null where it did not say. */
  messages: string[] | null
  scopes: string[]
}

/** What a dynamic registration says. */
interface RegisteredValues {
  issuer: string
  client_id: string
  /** OIDC authorization endpoint. */
  auth_endpoint: string
  token_endpoint: string
  /** The `aud` of our client assertion where it is not the token endpoint. */
  token_audience: string | null
  jwks_url: string
  /** Null where it did not say. */
  scopes: string[] | null
  registration: Registration | null
}

/** Of a later dynamic registration: used once an administrator approves them. */
interface ProposedValues extends RegisteredValues {
  at: Date
  deployments: string[]
}

/** One client of one issuer. `pending` until an administrator approves it; only `active` ones may launch. */
export interface LtiPlatformDoc extends RegisteredValues {
  _id: number
  name: string
  lms: LmsKind
  /**
   * The issuer and a number, of its `LtiIdentity` rows. Shared by tools of one LMS with the same issuer, sign-in
   * address and key set; never by platforms of which one could sign for the other’s people.
   */
  identity_issuer: string
  /** Origins of its pages, which may frame ours: `https://school.instructure.com`. */
  origins: string[]
  status: PlatformStatus
  /** By an administrator, or by dynamic registration through a link. */
  registered_by: 'values' | 'link'
  /** Empty until the first launch: then any is accepted, unless `deployments_fixed`. */
  deployments: Deployment[]
  /** Launches of a deployment that is not in the list are refused. */
  deployments_fixed: boolean
  /** The key we sign with; keys are in `lti_keys`. */
  kid: string
  /** When its result service first showed a score: from then on, none means none. */
  results_seen_at?: Date | null
  /** Set by a second dynamic registration of the same client. */
  proposed: ProposedValues | null
  created_by: number | null
  approved_by: number | null
  /** To the minute. Absent before the first. */
  last_login_at?: Date | null
  created_at: Date
  updated_at: Date
}

const platformSchema = defineSchema<LtiPlatformDoc>({
  _id: Number,
  name: { type: String, required: true },
  lms: { type: String, required: true },
  issuer: { type: String, required: true },
  client_id: { type: String, required: true },
  identity_issuer: { type: String, required: true },
  auth_endpoint: { type: String, required: true },
  token_endpoint: { type: String, required: true },
  token_audience: { type: String, default: null },
  jwks_url: { type: String, required: true },
  origins: { type: [String], default: [] },
  status: { type: String, required: true },
  registered_by: { type: String, default: 'values' },
  deployments: { type: Mixed, default: [] },
  deployments_fixed: { type: Boolean, default: false },
  kid: { type: String, required: true },
  scopes: { type: Mixed, default: null },
  registration: { type: Mixed, default: null },
  results_seen_at: { type: Date, default: null },
  proposed: { type: Mixed, default: null },
  created_by: { type: Number, default: null },
  approved_by: { type: Number, default: null },
  last_login_at: { type: Date, default: null },
  created_at: { type: Date, required: true },
  updated_at: { type: Date, required: true },
})
platformSchema.index({ issuer: 1, client_id: 1 }, { unique: true })
platformSchema.index({ kid: 1 })
platformSchema.index({ identity_issuer: 1 })

export const LtiPlatformModel = defineModel('LtiPlatform', platformSchema, 'lti_platforms')
