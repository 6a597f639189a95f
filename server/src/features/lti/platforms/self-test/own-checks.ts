import { z } from 'zod'
import { parseJson } from '../../platform-client/access-token.ts'
import { PlatformRequestError, requestPlatform } from '../../platform-client/platform-request.ts'
import { getPrivateKey } from '../platform-keys.ts'
import { toolValues } from '../tool-values.ts'
import { failed, passed, type SelfTestCheckers, warning } from './self-test-check.ts'

const KeyIds = z.object({ keys: z.array(z.object({ kid: z.string() })) })

/** What Assay itself must have right. */
export const ownChecks: SelfTestCheckers = {
  async status({ platform }) {
    if (platform.status === 'pending')
      return failed(
        'It is waiting for approval, so every launch is refused.',
        'Check its values and approve it on this page.',
      )
    if (platform.status === 'off')
      return failed('It is switched off, so every launch is refused.', 'Switch it on again on this page.')
    return platform.proposed
      ? warning(
          'It may launch. New values from its last registration are waiting.',
          'Approve them on this page if they are right.',
        )
      : passed('It was approved and is switched on.')
  },

  async address({ platform, services: { config }, signal }) {
    const { https, jwks_url, public_url } = toolValues(config.publicUrl)
    const plain = https
      ? null
      : `${public_url} does not begin with https://. Most LMSs refuse such an address, and browsers give it no cookies inside an LMS.`
    const mend = 'The server operator sets PUBLIC_URL to the https address people use.'
    try {
      const { status, body } = await requestPlatform(jwks_url, { signal }, config)
      const read = KeyIds.safeParse(parseJson(body))
      if (status !== 200 || !read.success)
        return failed(
          `${jwks_url} answered with status ${status} and no keys, so something else is running there.`,
          'PUBLIC_URL must lead to this Assay; a proxy in front of it must pass /lti on.',
        )
      if (!read.data.keys.some(({ kid }) => kid === platform.kid))
        return failed(
          `${jwks_url} publishes no key for this LMS, so it leads to another Assay.`,
          'PUBLIC_URL must lead to this Assay and its database.',
        )
      return plain
        ? warning(`${plain} Assay can reach it.`, mend)
        : passed(`${public_url} leads here, and its keys can be fetched.`)
    } catch (cause) {
      if (!(cause instanceof PlatformRequestError)) throw cause
      // A server behind a proxy often cannot call itself by its public name, so this proves nothing.
      if (cause.problem === 'private_address' || cause.problem === 'not_https')
        return warning(
          plain ?? `${public_url} is an address in a private network, which Assay must not call. It was not tried.`,
          mend,
        )
      return warning(
        `${cause.message} That is from this server; the LMS may reach it another way.`,
        `Open ${jwks_url} in a browser outside your network. If it shows no keys, fix PUBLIC_URL or the proxy.`,
      )
    }
  },

  async signing_key({ platform, services: { config } }) {
    const key = await getPrivateKey(platform.kid, config.secretKey)
    if (!key)
      return failed(
        'It cannot be decrypted: SECRET_KEY has changed since it was made.',
        'Make a new key on this page. An LMS that fetches the key set by its URL finds it by itself.',
      )
    return passed(`It can be used, and is published under the ID ${platform.kid}.`)
  },
}
