import mongoose from 'mongoose'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

/** For the self-test and the LMS administrator: no tokens, no names. */
const launchLogSchema = schemaOf({
  _id: field.custom<mongoose.Types.ObjectId>(mongoose.Schema.Types.ObjectId),
  at: field.required(Date),
  platform_id: field.nullable(Number),
  issuer: field.nullable(String),
  client_id: field.nullable(String),
  deployment_id: field.nullable(String),
  step: field.required<'login' | 'launch' | 'registration'>(String),
  outcome: field.required<'accepted' | 'refused'>(String),
  code: field.nullable(String),
  detail: field.nullable(String),
  via: field.nullable<'cookie' | 'storage' | 'window'>(String),
  role: field.nullable<'instructor' | 'student'>(String),
  /** Seconds by which `iat` was ahead of our clock; null without a token. */
  clock_offset: field.nullable(Number),
  scopes: field.nullable<string[]>(Mixed),
})
export type LtiLaunchLogDoc = DocOf<typeof launchLogSchema>
launchLogSchema.index({ platform_id: 1, at: -1, _id: -1 })
launchLogSchema.index({ at: 1 }, { expireAfterSeconds: 30 * 24 * 60 * 60 })

/** Orders attempts within a millisecond. Older versions' numeric ids sort before ObjectIds. */
export const newestFirst = { at: -1, _id: -1 } as const
export const LtiLaunchLogModel = defineModel('LtiLaunchLog', launchLogSchema, 'lti_launch_log')
