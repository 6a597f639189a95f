import mongoose from 'mongoose'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** For the self-test and the LMS administrator. No tokens, no names. */
export interface LtiLaunchLogDoc {
  _id: mongoose.Types.ObjectId
  at: Date
  platform_id: number | null
  /** As the caller sent them, cut to 200 characters. */
  issuer: string | null
  client_id: string | null
  deployment_id: string | null
  step: 'login' | 'launch' | 'registration'
  outcome: 'accepted' | 'refused'
  /** A refusal's code of `refusals.ts`; null when accepted. */
  code: string | null
  detail: string | null
  via: 'cookie' | 'storage' | 'window' | null
  role: 'instructor' | 'student' | null
  /** Seconds by which the token's `iat` was ahead of our clock (−: behind); null without a token. */
  clock_offset: number | null
  /** Of its AGS and NRPS claims. */
  scopes: string[] | null
}

const launchLogSchema = defineSchema<LtiLaunchLogDoc>({
  _id: mongoose.Schema.Types.ObjectId,
  at: { type: Date, required: true },
  platform_id: { type: Number, default: null },
  issuer: { type: String, default: null },
  client_id: { type: String, default: null },
  deployment_id: { type: String, default: null },
  step: { type: String, required: true },
  outcome: { type: String, required: true },
  code: { type: String, default: null },
  detail: { type: String, default: null },
  via: { type: String, default: null },
  role: { type: String, default: null },
  clock_offset: { type: Number, default: null },
  scopes: { type: Mixed, default: null },
})
launchLogSchema.index({ platform_id: 1, at: -1, _id: -1 })
launchLogSchema.index({ at: 1 }, { expireAfterSeconds: 30 * 24 * 60 * 60 })

/** Attempts in one millisecond need an order for paging. Numeric ids of older versions sort before ObjectIds. */
export const newestFirst = { at: -1, _id: -1 } as const

export const LtiLaunchLogModel = defineModel('LtiLaunchLog', launchLogSchema, 'lti_launch_log')
