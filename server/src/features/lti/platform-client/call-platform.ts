import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { discardToken, getAccessToken } from './access-token.ts'
import { type PlatformRequestOptions, type PlatformResponse, requestPlatform } from './platform-request.ts'

/** Renews the token once after a 401; resolves for any status. @throws {TokenRequestError | PlatformRequestError} */
export async function callPlatform(
  platform: LtiPlatformDoc,
  scopes: readonly string[],
  url: string,
  call: PlatformRequestOptions,
  services: Pick<Services, 'config' | 'clock'>,
): Promise<PlatformResponse> {
  const attempt = async () => {
    const Authorization = `Bearer ${await getAccessToken(platform, scopes, services)}`
    return requestPlatform(url, { ...call, headers: { ...call.headers, Authorization } }, services.config)
  }
  const reply = await attempt()
  if (reply.status !== 401) return reply
  discardToken(platform, scopes)
  return attempt()
}
