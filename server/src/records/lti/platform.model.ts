import type { LmsKind, PlatformStatus } from '@assay/shared/lti/lti.ts'
import { type DocOf, defineModel, field, Mixed, type RecordOf, schemaOf } from '../../lib/database/define-model.ts'

export interface Deployment {
  id: string
  first_seen_at: Date | null
}

export interface Registration {
  url: string
  /** Sealed with SECRET_KEY; null where an ordinary access token is used. */
  token: string | null
  messages: string[] | null
  scopes: string[]
}

const registeredFields = {
  issuer: field.required(String),
  client_id: field.required(String),
  auth_endpoint: field.required(String),
  token_endpoint: field.required(String),
  /** The `aud` of our client assertion, where not the token endpoint. */
  token_audience: field.nullable(String),
  jwks_url: field.required(String),
  scopes: field.nullable<string[]>(Mixed),
  registration: field.nullable<Registration>(Mixed),
}

/** One client of one issuer. `pending` until an administrator approves it; only `active` ones may launch. */
const platformSchema = schemaOf({
  ...registeredFields,
  _id: field.id(Number),
  name: field.required(String),
  lms: field.required<LmsKind>(String),
  /**
   * The issuer and a number, in `LtiIdentity` rows. Tools of one LMS share it (issuer, sign-in address and key set are
   * the same); never platforms of which one could sign for the other’s people.
   */
  identity_issuer: field.required(String),
  origins: field.withDefault<string[]>([String], []),
  status: field.required<PlatformStatus>(String),
  registered_by: field.withDefault<'values' | 'link'>(String, 'values'),
  /** Empty until the first launch: then any is accepted, unless `deployments_fixed`. */
  deployments: field.withDefault<Deployment[]>(Mixed, []),
  /** Launches of unlisted deployments are refused. */
  deployments_fixed: field.withDefault(Boolean, false),
  /** Names the one of `lti_keys` that signs. */
  kid: field.required(String),
  /** When its result service first showed a score: from then on, none means none. */
  results_seen_at: field.optional<Date | null>(Date, null),
  /** A second dynamic registration of the same client, until an administrator approves it. */
  proposed: field.nullable<RecordOf<typeof registeredFields> & { at: Date; deployments: string[] }>(Mixed),
  created_by: field.nullable(Number),
  approved_by: field.nullable(Number),
  /** To the minute. */
  last_login_at: field.optional<Date | null>(Date, null),
  created_at: field.required(Date),
  updated_at: field.required(Date),
})
export type LtiPlatformDoc = DocOf<typeof platformSchema>
platformSchema.index({ issuer: 1, client_id: 1 }, { unique: true })
platformSchema.index({ kid: 1 })
platformSchema.index({ identity_issuer: 1 })
export const LtiPlatformModel = defineModel('LtiPlatform', platformSchema, 'lti_platforms')
