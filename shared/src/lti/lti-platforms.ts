import { z } from 'zod'
import { defineEndpoint, Id, Paging, Timestamp } from '../http/endpoint.ts'
import { lineOfText } from '../rules/text.ts'
import { Origin, webAddress } from '../rules/web-address.ts'
import { LmsKind, PlatformStatus } from './lti.ts'

const platformId = (what: string) =>
  z
    .string({ error: `${what} is required` })
    .trim()
    .min(1, `${what} is required`)
    .max(255, `${what} must not exceed 255 characters`)
    .regex(/^[\x21-\x7e]+$/, `${what} has no spaces. Copy it as the LMS shows it`)

export const PlatformValues = z.object({
  name: lineOfText('Name', 120).pipe(z.string().min(1, 'Name is required')),
  lms: LmsKind,
  issuer: webAddress('Issuer'),
  client_id: platformId('Client ID'),
  auth_endpoint: webAddress('Authentication URL'),
  token_endpoint: webAddress('Access token URL'),
  /** Of our token requests, where not the access token URL. */
  token_audience: platformId('Audience').nullable(),
  jwks_url: webAddress('Key set URL'),
  /** May embed Assay, besides issuer and authentication URL. */
  origins: z.array(Origin).max(50, 'At most 50 addresses'),
  deployments: z.array(platformId('Deployment ID')).max(500, 'At most 500 deployments'),
  /** True: launches of unlisted deployments are refused. False: each is added. */
  deployments_fixed: z.boolean(),
})
export type PlatformValues = z.infer<typeof PlatformValues>

export const LaunchLogEntry = z.object({
  id: z.string(),
  at: Timestamp,
  step: z.enum(['login', 'launch', 'registration']),
  outcome: z.enum(['accepted', 'refused']),
  code: z.string().nullable(),
  message: z.string().nullable(),
  fix: z.string().nullable(),
  detail: z.string().nullable(),
  via: z.enum(['cookie', 'storage', 'window']).nullable(),
  role: z.enum(['instructor', 'student']).nullable(),
  issuer: z.string().nullable(),
  client_id: z.string().nullable(),
  deployment_id: z.string().nullable(),
})
export type LaunchLogEntry = z.infer<typeof LaunchLogEntry>

const Key = z.object({ kid: z.string(), created_at: Timestamp })

export const Platform = z.object({
  id: Id,
  ...PlatformValues.shape,
  deployments: z.array(z.object({ id: z.string(), first_seen_at: Timestamp.nullable() })),
  status: PlatformStatus,
  registered_by: z.enum(['values', 'link']),
  can_update_registration: z.boolean(),
  /** Null where the LMS did not say. */
  scopes: z.array(z.string()).nullable(),
  proposed: PlatformValues.omit({ name: true, lms: true, origins: true, deployments_fixed: true })
    .extend({ at: Timestamp })
    .nullable(),
  /** `same_people`: authentication and key set URLs are the same too; else people are kept apart. */
  same_issuer: z.array(z.object({ id: Id, name: z.string(), client_id: z.string(), same_people: z.boolean() })),
  key: Key,
  /** Published until `gone_at`. */
  earlier_keys: z.array(Key.extend({ gone_at: Timestamp })),
  last_launch: LaunchLogEntry.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Platform = z.infer<typeof Platform>

export const listPlatforms = defineEndpoint('get', '/admin/lti/platforms', {
  summary: 'The LMSs Assay is registered with, and how the last launch of each ended',
  access: ['admin'],
  reply: z.array(Platform),
})

export const createPlatform = defineEndpoint('post', '/admin/lti/platforms', {
  summary: 'Register an LMS with the values it gives; it may launch at once',
  access: ['admin'],
  status: 201,
  body: PlatformValues.partial({ token_audience: true, origins: true, deployments: true, deployments_fixed: true }),
  reply: Platform,
})

export const getPlatform = defineEndpoint('get', '/admin/lti/platforms/:platformId', {
  summary: 'An LMS with its values, deployments and keys',
  access: ['admin'],
  reply: Platform,
})

export const changePlatform = defineEndpoint('patch', '/admin/lti/platforms/:platformId', {
  summary: 'Change values of an LMS; its authentication and key set URLs change for all tools with the same people',
  access: ['admin'],
  body: PlatformValues.partial(),
  reply: Platform,
})

export const approvePlatform = defineEndpoint('post', '/admin/lti/platforms/:platformId/approve', {
  summary: 'Approve an LMS that registered with a link, or the new values it sent later',
  access: ['admin'],
  reply: Platform,
})

export const deactivatePlatform = defineEndpoint('post', '/admin/lti/platforms/:platformId/off', {
  summary: 'Deactivate an LMS; the sessions of its launches end at once',
  access: ['admin'],
  reply: Platform,
})

export const reactivatePlatform = defineEndpoint('post', '/admin/lti/platforms/:platformId/on', {
  summary: 'Reactivate an LMS',
  access: ['admin'],
  reply: Platform,
})

export const deletePlatform = defineEndpoint('delete', '/admin/lti/platforms/:platformId', {
  summary: 'Delete an LMS without courses, links or people',
  access: ['admin'],
  reply: z.object({ message: z.string() }),
})

export const rotatePlatformKey = defineEndpoint('post', '/admin/lti/platforms/:platformId/key', {
  summary: 'Create a new signing key; the old public key stays published for a week',
  access: ['admin'],
  reply: Platform,
})

export const listLaunchLog = defineEndpoint('get', '/admin/lti/platforms/:platformId/launch-log', {
  summary: 'The logins, launches and registrations of an LMS in the last 30 days, newest first',
  access: ['admin'],
  query: Paging,
  reply: z.array(LaunchLogEntry),
  hasTotalCount: true,
})
