import { z } from 'zod'
import { defineEndpoint, Id, Timestamp } from '../http/endpoint.ts'
import { Platform } from './lti-platforms.ts'

export const ToolValues = z.object({
  name: z.string(),
  description: z.string(),
  public_url: z.string(),
  /** False where an LMS would refuse our addresses, or browsers our cookies. */
  https: z.boolean(),
  domain: z.string(),
  login_url: z.string(),
  /** Deep linking too; the only redirect URI. */
  launch_url: z.string(),
  jwks_url: z.string(),
  icon_url: z.string(),
  canvas_json_url: z.string(),
  /** `name=$Variable`. */
  custom_parameters: z.record(z.string(), z.string()),
  scopes: z.array(z.string()),
})
export type ToolValues = z.infer<typeof ToolValues>

export const getToolValues = defineEndpoint('get', '/admin/lti/tool', {
  summary: 'What to enter in an LMS about Assay: addresses, scopes, custom parameters',
  access: ['admin'],
  reply: ToolValues,
})

export const RegistrationLink = z.object({
  id: Id,
  state: z.enum(['open', 'used', 'expired']),
  created_at: Timestamp,
  expires_at: Timestamp,
  created_by: z.string().nullable(),
  platform: z.object({ id: Id, name: z.string() }).nullable(),
  failed: z.object({ at: Timestamp, message: z.string(), fix: z.string(), detail: z.string().nullable() }).nullable(),
})
export type RegistrationLink = z.infer<typeof RegistrationLink>

export const listRegistrationLinks = defineEndpoint('get', '/admin/lti/registration-links', {
  summary: 'The registration links of the last weeks, newest first, and their outcomes',
  access: ['admin'],
  reply: z.array(RegistrationLink),
})

export const createRegistrationLink = defineEndpoint('post', '/admin/lti/registration-links', {
  summary:
    'Create a link with which one LMS can register itself within seven days; only this reply contains its address',
  access: ['admin'],
  status: 201,
  reply: z.object({ link: RegistrationLink, url: z.string() }),
})

export const revokeRegistrationLink = defineEndpoint('delete', '/admin/lti/registration-links/:linkId', {
  summary: 'Revoke a registration link; it can no longer be used',
  access: ['admin'],
  reply: z.object({ message: z.string() }),
})

export const updateRegistration = defineEndpoint('post', '/admin/lti/platforms/:platformId/registration', {
  summary: 'Update Assay’s registration at an LMS that registered dynamically',
  access: ['admin'],
  reply: Platform,
})
