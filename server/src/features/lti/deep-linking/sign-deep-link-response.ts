import { randomUUID } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import type { Services } from '../../../services.ts'
import type { AssignmentWithPoints } from '../../assignments/assignment-queries.ts'
import type { AddressPolicy } from '../platform-client/platform-request.ts'
import { getPrivateKey } from '../platforms/platform-keys.ts'
import { contentItemOf } from './content-items.ts'
import type { DeepLinkRequest } from './deep-link.service.ts'

const LTI = 'https://purl.imsglobal.org/spec/lti/claim'
const DEEP_LINK = 'https://purl.imsglobal.org/spec/lti-dl/claim'

/** Our key for this LMS is gone or was encrypted with another SECRET_KEY. */
export class SigningKeyUnavailable extends Error {
  override name = 'KeyMissing'
}

/** Only the protocol matters, as the browser posts there: plain http where the settings allow it for LMSs. */
export function isAllowedReturnUrl(address: string, { ltiPlainHttp }: Pick<AddressPolicy, 'ltiPlainHttp'>): boolean {
  const protocol = URL.parse(address)?.protocol
  return protocol === 'https:' || (protocol === 'http:' && ltiPlainHttp)
}

/** Deep linking 2.0, 4.5. By jose: ltijs signs only for launches it has stored. @throws {SigningKeyUnavailable} */
export async function signDeepLinkResponse(
  { launch, settings, platform }: DeepLinkRequest,
  assignments: AssignmentWithPoints[],
  { config }: Pick<Services, 'config'>,
): Promise<string> {
  const key = await getPrivateKey(platform.kid, config.secretKey)
  if (!key) throw new SigningKeyUnavailable('the key for this LMS cannot be decrypted')
  const claims = {
    [`${LTI}/message_type`]: 'LtiDeepLinkingResponse',
    [`${LTI}/version`]: '1.3.0',
    [`${LTI}/deployment_id`]: launch.deployment_id,
    [`${DEEP_LINK}/content_items`]: assignments.map((assignment) =>
      contentItemOf(assignment, settings, config.publicUrl),
    ),
    [`${DEEP_LINK}/msg`]: messageFor(assignments),
    [`${DEEP_LINK}/log`]: `assignments: ${assignments.map(({ _id }) => _id).join(', ') || 'none'}`,
    // Unchanged, or left out where there was none.
    ...(settings.data === null ? {} : { [`${DEEP_LINK}/data`]: settings.data }),
  }
  return (
    new SignJWT({ ...claims, nonce: randomUUID() })
      .setProtectedHeader({ alg: 'RS256', kid: platform.kid, typ: 'JWT' })
      .setIssuer(platform.client_id)
      .setAudience(platform.issuer)
      // The system clock, as the platform compares it with its own.
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(await importPKCS8(key, 'RS256'))
  )
}

function messageFor(assignments: AssignmentWithPoints[]): string {
  const [first, ...others] = assignments
  if (!first) return 'No assignment was chosen in Assay.'
  return others.length === 0
    ? `“${first.title}” was chosen in Assay.`
    : `${assignments.length} assignments were chosen in Assay.`
}
