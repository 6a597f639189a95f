import { z } from 'zod'
import { LtiRefusal } from '../refusals.ts'

const text = z.string().min(1).max(2000)
/** Returned unchanged: some LMSs put a signed message there. */
const opaque = z.string().min(1).max(8000)
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)

/** OpenID Connect core, 4; LTI 1.3 security framework, 5.1.1.1. */
const LoginRequest = z.object({
  iss: text,
  login_hint: opaque,
  target_link_uri: text,
  client_id: lenient(z.string().min(1).max(255)),
  lti_message_hint: lenient(opaque),
  lti_deployment_id: lenient(z.string().min(1).max(255)),
  /** The frame that stores data for tools (LTI client side postMessages). */
  lti_storage_target: lenient(z.string().min(1).max(200)),
  /** Ours: set by the new-window button of our page. */
  assay_window: lenient(z.literal('1')),
})
export type LoginRequest = z.output<typeof LoginRequest>

/** @throws {LtiRefusal} naming what is missing or repeated */
export function parseLoginRequest(parameters: unknown): LoginRequest {
  const read = LoginRequest.safeParse(parameters)
  if (read.success) return read.data
  const fields = read.error.issues.map(({ path }) => path.join('.'))
  throw new LtiRefusal('login_incomplete', `missing or wrong: ${[...new Set(fields)].join(', ')}`)
}

/** In a new window our cookies are first-party. */
export function newWindowLoginUrl({ lti_storage_target: _, ...request }: LoginRequest): string {
  return `/lti/login?${new URLSearchParams({ ...request, assay_window: '1' })}`
}
