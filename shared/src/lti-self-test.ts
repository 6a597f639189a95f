import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Id, Timestamp } from './ids.ts'

const administrators = ['admin'] as const

/** What is looked at, in this order, and what it is called. */
export const selfTestTitles = {
  status: 'Allowed to launch',
  address: 'Assay’s own address',
  signing_key: 'The key Assay signs with',
  lms_keys: 'The LMS’s keys',
  clock: 'The clocks',
  services: 'What Assay may do in the LMS',
  client: 'Issuer and client ID',
  redirect: 'The way back from the LMS',
  deployments: 'Deployments',
  cookies: 'Cookies in browsers',
  launches: 'The last launches',
} as const
export type SelfTestName = keyof typeof selfTestTitles
export const selfTestNames = Object.keys(selfTestTitles) as SelfTestName[]

const CheckState = z.enum(['ok', 'warn', 'wrong'])

export const SelfTestCheck = z.object({
  name: z.enum(selfTestNames),
  state: CheckState,
  /** What was found. */
  said: z.string(),
  /** How to mend it; null where there is nothing to mend. */
  mend: z.string().nullable(),
  /** One by one, where there are several things to tell. */
  parts: z.array(z.object({ state: CheckState, said: z.string(), at: Timestamp.optional() })),
})
export type SelfTestCheck = z.infer<typeof SelfTestCheck>

export const SelfTest = z.object({
  id: Id,
  state: z.enum(['running', 'done']),
  started_at: Timestamp,
  finished_at: Timestamp.nullable(),
  /** Those that are done. */
  checks: z.array(SelfTestCheck),
})
export type SelfTest = z.infer<typeof SelfTest>

const platformParams = z.object({ platformId: Id })

export const startSelfTest = defineEndpoint({
  method: 'post',
  path: '/admin/lti/platforms/:platformId/self-test',
  summary: 'Try out whether an LMS and Assay understand each other; one under way goes on',
  access: administrators,
  status: 202,
  params: platformParams,
  reply: SelfTest,
})

export const getSelfTest = defineEndpoint({
  method: 'get',
  path: '/admin/lti/platforms/:platformId/self-test',
  summary: 'The self-test of an LMS that was started last, while it is kept (a day)',
  access: administrators,
  params: platformParams,
  reply: z.object({ self_test: SelfTest.nullable() }),
})
