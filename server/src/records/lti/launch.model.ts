import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

type LaunchMessage = 'resource_link' | 'deep_link' | 'submission_review'

/** The claim `deep_linking_settings`. */
export interface DeepLinkSettings {
  return_url: string
  /** Echoed as it came. */
  data: string | null
  accept_multiple: boolean
  accept_lineitem: boolean
  accept_types: string[]
  /** How the LMS opens links: `iframe`, `window`. Absent where it did not say. */
  document_targets?: string[] | null
}

/** Bound to its session: requests to the platform name no context, link or platform of their own. */
export interface LtiLaunchDoc {
  /** Random, and in the address of every page of this launch (`/l/…`); no secret. */
  _id: string
  message: LaunchMessage
  platform_id: number
  deployment_id: string
  /** Our `LtiIdentity`, and its account at the time. */
  identity: number
  user_id: number
  /** By the roles of this context; never an administrator. */
  role: 'instructor' | 'student'
  /** No role known to us there, such as an LMS administrator: sees what a student would. */
  no_role?: boolean
  /** Why an LMS administrator, whom the LMS calls an instructor, is none here; null for all others. */
  lms_administrator?: 'not_listed' | 'list_unreadable' | null
  /** Our `LtiContext` and `LtiLink`, null where the message named none. */
  context: number | null
  link: number | null
  /** From `target_link_uri` or a custom parameter; null for the default page. */
  wanted_path: string | null
  /** `submission_review`: whose paper the instructor wants to see. */
  for_user_id: number | null
  /** From our own deep link's custom parameter; accepted only within the context's course. */
  named_assignment_id: number | null
  deep_link: DeepLinkSettings | null
  return_url: string | null
  /** How the browser was identified: `cookie`, `storage` (the platform's), or `window`, a new one of ours. */
  via: 'cookie' | 'storage' | 'window'
  /** SHA-256 of the one-time code; null once it was exchanged. */
  code_hash: string | null
  code_expires_at: Date
  /** SHA-256 of the secret sent with the code: a cookie, or the LMS's storage. Null for a window of ours. */
  entry_hash?: string | null
  /** SHA-256 of the resume cookie's value. */
  resume_hash: string | null
  /** The session the code was exchanged for. */
  session_id: string | null
  created_at: Date
  expires_at: Date
}

const mixed = { type: Mixed, default: null }

const launchSchema = defineSchema<LtiLaunchDoc>({
  _id: String,
  message: { type: String, required: true },
  platform_id: { type: Number, required: true },
  deployment_id: { type: String, required: true },
  identity: { type: Number, required: true },
  user_id: { type: Number, required: true },
  role: { type: String, required: true },
  no_role: { type: Boolean, default: false },
  lms_administrator: { type: String, default: null },
  context: { type: Number, default: null },
  link: { type: Number, default: null },
  wanted_path: { type: String, default: null },
  for_user_id: { type: Number, default: null },
  named_assignment_id: { type: Number, default: null },
  deep_link: mixed,
  return_url: { type: String, default: null },
  via: { type: String, required: true },
  code_hash: { type: String, default: null },
  code_expires_at: { type: Date, required: true },
  entry_hash: { type: String, default: null },
  resume_hash: { type: String, default: null },
  session_id: { type: String, default: null },
  created_at: { type: Date, required: true },
  expires_at: { type: Date, required: true },
})
launchSchema.index({ code_hash: 1 })
launchSchema.index({ user_id: 1 })
launchSchema.index({ platform_id: 1 })
launchSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })

export const LtiLaunchModel = defineModel('LtiLaunch', launchSchema, 'lti_launches')
