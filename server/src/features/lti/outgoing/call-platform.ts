import type { Services } from '../../../services.ts'
import type { LtiPlatformDoc } from '../platforms/platform.model.ts'
import { accessToken, forgetToken } from './access-token.ts'
import { callOut, type Outgoing, type OutgoingReply } from './request.ts'

/**
 * A service call (NRPS, AGS) with our token for those scopes; asked once more with a fresh one when the platform answers 401.
 * Every status is a reply.
 * @throws {TokenRefused | OutgoingError}
 */
export async function callPlatform(
  platform: LtiPlatformDoc,
  scopes: readonly string[],
  url: string,
  call: Outgoing,
  services: Pick<Services, 'config' | 'clock'>,
): Promise<OutgoingReply> {
  const attempt = async () => {
    const Authorization = `Bearer ${await accessToken(platform, scopes, services)}`
    return callOut(url, { ...call, headers: { ...call.headers, Authorization } }, services.config)
  }
  const reply = await attempt()
  if (reply.status !== 401) return reply
  forgetToken(platform, scopes)
  return attempt()
}
