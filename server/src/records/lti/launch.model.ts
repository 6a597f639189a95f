import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

type LaunchMessage = 'resource_link' | 'deep_link' | 'submission_review'

export interface DeepLinkSettings {
  return_url: string
  data: string | null
  accept_multiple: boolean
  accept_lineitem: boolean
  accept_types: string[]
  /** `iframe`, `window`; absent where the LMS did not say. */
  document_targets?: string[] | null
}

/** Bound to its session, so that requests to the platform name no context, link or platform. */
const launchSchema = schemaOf({
  /** Random but not secret: it is in each page's address (`/l/…`). */
  _id: field.id(String),
  message: field.required<LaunchMessage>(String),
  platform_id: field.required(Number),
  deployment_id: field.required(String),
  identity: field.required(Number),
  user_id: field.required(Number),
  /** The `identity_issuer` whose courses alone it reaches; null for the LMS's own accounts, and once by password. */
  lms_issuer: field.optional<string | null>(String, null),
  /** In this context; never an administrator. */
  role: field.required<'instructor' | 'student'>(String),
  /** No role known to us, such as an LMS administrator: sees what a student would. */
  no_role: field.optional(Boolean, false),
  /** Why an LMS administrator, whom the LMS calls an instructor, is none here. */
  lms_administrator: field.optional<'not_listed' | 'list_unreadable' | null>(String, null),
  /** Null where the message named none. */
  context: field.nullable(Number),
  link: field.nullable(Number),
  wanted_path: field.nullable(String),
  for_user_id: field.nullable(Number),
  /** From our deep link; accepted only within the context's course. */
  named_assignment_id: field.nullable(Number),
  deep_link: field.nullable<DeepLinkSettings>(Mixed),
  return_url: field.nullable(String),
  /** How the browser was identified; `storage` is the platform's, `window` a new one of ours. */
  via: field.required<'cookie' | 'storage' | 'window'>(String),
  /** SHA-256; null once it was exchanged. */
  code_hash: field.nullable(String),
  code_expires_at: field.required(Date),
  /** SHA-256 of the secret beside the code: a cookie, or the LMS's storage. Null for our own window. */
  entry_hash: field.optional<string | null>(String, null),
  resume_hash: field.nullable(String),
  session_id: field.nullable(String),
  created_at: field.required(Date),
  expires_at: field.required(Date),
})
export type LtiLaunchDoc = DocOf<typeof launchSchema>
launchSchema.index({ code_hash: 1 })
launchSchema.index({ user_id: 1 })
launchSchema.index({ platform_id: 1 })
launchSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const LtiLaunchModel = defineModel('LtiLaunch', launchSchema, 'lti_launches')

const nonceSchema = schemaOf({ _id: field.id(String), at: field.required(Date) })
// Far longer than a token is accepted.
nonceSchema.index({ at: 1 }, { expireAfterSeconds: 60 * 60 })
export const LtiNonceModel = defineModel('LtiNonce', nonceSchema, 'lti_nonces')

/** Only used logins, as anybody can begin others. */
const usedLoginSchema = schemaOf({
  /** SHA-256 of the state. */
  _id: field.id(String),
  expires_at: field.required(Date),
})
usedLoginSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const LtiUsedLoginModel = defineModel('LtiUsedLogin', usedLoginSchema, 'lti_logins')
