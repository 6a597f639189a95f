import { decodeProtectedHeader, errors, type JWK, type JWTPayload, jwtVerify } from 'jose'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import { LaunchClaims, type LaunchFacts, launchFactsOf } from '../launch-claims.ts'
import { LtiRefusal } from '../refusals.ts'
import type { JwksCache } from './jwks-cache.ts'
import { TOKEN_MAX_AGE_SECONDS } from './ltijs/ltijs-provider.ts'

const CLOCK_SKEW_SECONDS = 60

export interface VerifiedToken {
  facts: LaunchFacts
  key: JWK
}

interface ExpectedToken {
  platform: LtiPlatformDoc
  nonce: string
  now: Date
  jwksCache: JwksCache
  /** In seconds: how far `iat` is ahead of our clock. */
  onClockOffset: (offset: number) => void
}

/** OpenID Connect core, 3.1.3.7; LTI security framework, 5.1.3; LTI 1.3, 5.3. @throws {LtiRefusal} */
export async function verifyIdToken(token: string, expected: ExpectedToken): Promise<VerifiedToken> {
  const { platform, nonce, now, jwksCache } = expected
  const key = await jwksCache.getKey(platform, parseKeyId(token))
  const payload = await verifySignature(token, key, expected)
  const { client_id } = platform
  if (Array.isArray(payload.aud) && payload.aud.length > 1 && payload.azp !== client_id)
    throw new LtiRefusal('token_invalid', 'aud names several, and azp is not our client ID')
  if (payload.azp !== undefined && payload.azp !== client_id)
    throw new LtiRefusal('token_invalid', 'azp is not our client ID')
  checkIssuedAt(payload, now)
  const claims = LaunchClaims.safeParse(payload)
  if (!claims.success) throw missingClaims(claims.error.issues.map(({ path }) => String(path[0])))
  if (claims.data.nonce !== nonce) throw new LtiRefusal('state_unknown', 'the nonce is not this login’s')
  const facts = launchFactsOf(claims.data)
  const absent = claimsRequiredBy[facts.messageType](facts)
  if (absent.length > 0) throw missingClaims(absent)
  return { facts, key }
}

function parseKeyId(token: string): string {
  try {
    const { alg, kid } = decodeProtectedHeader(token)
    if (alg !== 'RS256') throw new LtiRefusal('token_invalid', `signed with ${String(alg).slice(0, 20)}, not RS256`)
    if (typeof kid !== 'string' || kid === '') throw new LtiRefusal('token_invalid', 'its header names no kid')
    return kid
  } catch (cause) {
    if (cause instanceof LtiRefusal) throw cause
    throw new LtiRefusal('token_invalid', 'it is not a JWT', { cause })
  }
}

async function verifySignature(token: string, key: JWK, { platform, now, onClockOffset }: ExpectedToken) {
  const reportOffset = ({ iat }: JWTPayload) => {
    if (typeof iat === 'number') onClockOffset(Math.round(iat - now.getTime() / 1000))
  }
  try {
    // jose caches the imported key by JWK object.
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['RS256'],
      issuer: platform.issuer,
      audience: platform.client_id,
      requiredClaims: ['exp', 'iat'],
      currentDate: now,
    })
    reportOffset(payload)
    return payload
  } catch (cause) {
    if (cause instanceof errors.JWTExpired || cause instanceof errors.JWTClaimValidationFailed) {
      reportOffset(cause.payload)
      const timely = cause.claim !== 'exp' && cause.claim !== 'nbf'
      if (cause.reason === 'missing') throw missingClaims([cause.claim])
      throw new LtiRefusal(timely ? 'token_invalid' : 'token_time', `${cause.claim} is wrong`, { cause })
    }
    throw new LtiRefusal('token_invalid', verificationErrorMessage(cause), { cause })
  }
}

function verificationErrorMessage(cause: unknown): string {
  if (cause instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong'
  return cause instanceof errors.JOSEError ? cause.code : 'it cannot be read'
}

/** A login is open for ten minutes, so an older token belongs to another one. */
function checkIssuedAt({ iat = Number.NaN }: JWTPayload, now: Date): void {
  const age = now.getTime() / 1000 - iat
  if (!(age >= -CLOCK_SKEW_SECONDS)) throw new LtiRefusal('token_time', 'iat is in the future')
  if (!(age <= TOKEN_MAX_AGE_SECONDS)) throw new LtiRefusal('token_time', 'iat is more than ten minutes ago')
}

const claimsRequiredBy: Record<LaunchFacts['messageType'], (facts: LaunchFacts) => string[]> = {
  LtiResourceLinkRequest: ({ targetLinkUri, resourceLink }) => [
    ...(targetLinkUri ? [] : ['target_link_uri']),
    ...(resourceLink ? [] : ['resource_link']),
  ],
  LtiDeepLinkingRequest: ({ deepLinking }) => (deepLinking ? [] : ['deep_linking_settings']),
  // Without a link the line item says what is reviewed.
  LtiSubmissionReviewRequest: ({ forUser, resourceLink, assignmentAndGrades }) => [
    ...(forUser ? [] : ['for_user']),
    ...(resourceLink || assignmentAndGrades?.lineitem ? [] : ['resource_link']),
  ],
}

function missingClaims(claims: string[]): LtiRefusal {
  const names = claims.map((claim) => claim.split('/').at(-1) ?? claim)
  return new LtiRefusal('claims_missing', `missing or wrong: ${[...new Set(names)].join(', ')}`)
}
