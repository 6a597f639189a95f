import { z } from 'zod'
import { defineEndpoint, Id, Timestamp } from '../http/endpoint.ts'

export const selfTestTitles = {
  status: 'LMS status',
  address: 'Assay’s address',
  signing_key: 'Assay’s signing key',
  lms_keys: 'LMS key set',
  clock: 'Server clocks',
  services: 'Permissions in the LMS',
  client: 'Issuer and client ID',
  redirect: 'Redirect back to Assay',
  deployments: 'Deployments',
  cookies: 'Browser cookies',
  launches: 'Recent launches',
} as const
export type SelfTestName = keyof typeof selfTestTitles
export const selfTestNames = Object.keys(selfTestTitles) as SelfTestName[]

const CheckState = z.enum(['ok', 'warn', 'wrong'])

export const SelfTestCheck = z.object({
  name: z.enum(selfTestNames),
  state: CheckState,
  message: z.string(),
  fix: z.string().nullable(),
  parts: z.array(z.object({ state: CheckState, message: z.string(), at: Timestamp.optional() })),
})
export type SelfTestCheck = z.infer<typeof SelfTestCheck>

export const SelfTest = z.object({
  id: Id,
  state: z.enum(['running', 'done']),
  started_at: Timestamp,
  finished_at: Timestamp.nullable(),
  checks: z.array(SelfTestCheck),
})
export type SelfTest = z.infer<typeof SelfTest>

export const startSelfTest = defineEndpoint('post', '/admin/lti/platforms/:platformId/self-test', {
  summary: 'Start the self-test of an LMS; one under way continues',
  access: ['admin'],
  status: 202,
  reply: SelfTest,
})

export const getSelfTest = defineEndpoint('get', '/admin/lti/platforms/:platformId/self-test', {
  summary: 'The last self-test of an LMS, stored for a day',
  access: ['admin'],
  reply: z.object({ self_test: SelfTest.nullable() }),
})
