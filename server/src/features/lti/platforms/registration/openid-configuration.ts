import type { LmsKind } from '@assay/shared/lti/lti.ts'
import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { webAddress } from '@assay/shared/rules/web-address.ts'
import { z } from 'zod'
import type { LtiPlatformDoc } from '../../../../records/lti/platform.model.ts'
import {
  type AddressPolicy,
  addressError,
  PlatformRequestError,
  requestPlatform,
} from '../../platform-client/platform-request.ts'
import { LtiRefusal } from '../../refusals.ts'
import type { LmsCapabilities } from './tool-registration.ts'

const PLATFORM = 'https://purl.imsglobal.org/spec/lti-platform-configuration'
const MAX_BYTES = 200_000

/** Moodle lists names, the others objects. */
const Message = z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)])

/** LTI Dynamic Registration 1.0, 3.1. */
const OpenIdConfiguration = z.object({
  issuer: webAddress('issuer'),
  authorization_endpoint: webAddress('authorization_endpoint'),
  token_endpoint: webAddress('token_endpoint'),
  jwks_uri: webAddress('jwks_uri'),
  registration_endpoint: webAddress('registration_endpoint'),
  authorization_server: z.string().max(255).nullish().catch(null),
  scopes_supported: z.array(z.string()).catch([]),
  [PLATFORM]: z
    .object({
      product_family_code: z.string().catch(''),
      messages_supported: z.array(Message).nullish().catch(null),
      'https://canvas.instructure.com/lti/account_name': z.string().trim().min(1).max(120).nullish().catch(null),
    })
    .nullish()
    .catch(null),
})

type Stored = 'name' | 'issuer' | 'auth_endpoint' | 'token_endpoint' | 'token_audience' | 'jwks_url'
export type LmsConfiguration = LmsCapabilities & Pick<LtiPlatformDoc, Stored> & { registration_endpoint: string }

const productFamilies: [RegExp, LmsKind][] = [
  [/canvas/i, 'canvas'],
  [/moodle/i, 'moodle'],
  [/blackboard|anthology/i, 'blackboard'],
  [/d2l|desire2learn|brightspace/i, 'd2l'],
  [/sakai/i, 'sakai'],
]

/** Hosted LMSs share an issuer, by configuration domain; others must have the configuration's origin. */
const sharedIssuers: [RegExp, RegExp][] = [
  [/^https:\/\/canvas(\.beta|\.test)?\.instructure\.com$/, /(^|\.)(instructure|canvaslms)\.com$/],
  [/^https:\/\/blackboard\.com$/, /(^|\.)(blackboard|anthology)\.com$/],
]

export function issuerMatchesHost(issuer: string, configuration: URL): boolean {
  if (new URL(issuer).origin === configuration.origin) return true
  return (
    configuration.protocol === 'https:' &&
    sharedIssuers.some(([known, hosts]) => known.test(issuer) && hosts.test(configuration.hostname))
  )
}

/** @throws {LtiRefusal} `registration_address`, `registration_configuration`, `registration_issuer` */
export async function fetchOpenIdConfiguration(address: string, token: string | null, allowed: AddressPolicy) {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new LtiRefusal('registration_address', 'openid_configuration is not a web address')
  await requireAllowedAddress('openid_configuration', url.href, true, allowed)
  const reply = await requestPlatform(
    url.href,
    { headers: token ? { Authorization: `Bearer ${token}` } : {}, maxBytes: MAX_BYTES },
    allowed,
  ).catch((cause: unknown) => {
    if (!(cause instanceof PlatformRequestError)) throw cause
    const refused = cause.problem === 'private_address' || cause.problem === 'not_https'
    throw new LtiRefusal(refused ? 'registration_address' : 'registration_configuration', cause.message, { cause })
  })
  if (reply.status !== 200)
    throw new LtiRefusal('registration_configuration', `${url.host} answered with status ${reply.status}`)
  const read = OpenIdConfiguration.safeParse(parseJson(reply.body))
  if (!read.success) {
    const wrong = read.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
    throw new LtiRefusal('registration_configuration', wrong.slice(0, 5).join('; '))
  }
  if (!issuerMatchesHost(read.data.issuer, url))
    throw new LtiRefusal('registration_issuer', `issuer ${read.data.issuer} is claimed by ${url.host}`)
  const { authorization_endpoint, token_endpoint, jwks_uri, registration_endpoint } = read.data
  await requireAllowedAddress('authorization_endpoint', authorization_endpoint, false, allowed)
  for (const [name, endpoint] of Object.entries({ token_endpoint, jwks_uri, registration_endpoint }))
    await requireAllowedAddress(name, endpoint, true, allowed)
  return toLmsConfiguration(read.data, url)
}

async function requireAllowedAddress(name: string, address: string, called: boolean, allowed: AddressPolicy) {
  const wrong = await addressError(address, called, allowed)
  if (wrong) throw new LtiRefusal('registration_address', `${name}: ${wrong}`)
}

function toLmsConfiguration(configuration: z.output<typeof OpenIdConfiguration>, from: URL): LmsConfiguration {
  const platform = configuration[PLATFORM]
  const family = platform?.product_family_code ?? ''
  const { authorization_server: server } = configuration
  return {
    lms: productFamilies.find(([pattern]) => pattern.test(family))?.[1] ?? 'other',
    name: platform?.['https://canvas.instructure.com/lti/account_name'] ?? from.host,
    issuer: configuration.issuer,
    auth_endpoint: configuration.authorization_endpoint,
    token_endpoint: configuration.token_endpoint,
    // Canvas names its host there, but still expects the token endpoint as audience.
    token_audience: server && /^https?:\/\//.test(server) && server !== configuration.token_endpoint ? server : null,
    jwks_url: configuration.jwks_uri,
    registration_endpoint: configuration.registration_endpoint,
    messages: platform?.messages_supported ?? null,
    scopes: configuration.scopes_supported,
  }
}
