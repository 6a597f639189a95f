import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
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
      return failed('It is deactivated, so every launch is refused.', 'Reactivate it on this page.')
    return platform.proposed
      ? warning(
          'It is active. New values from its last registration are waiting for approval.',
          'Approve them on this page if they are correct.',
        )
      : passed('It is approved and active.')
  },

  async address({ platform, services: { config }, signal }) {
    const { https, jwks_url, public_url } = toolValues(config.publicUrl)
    const plain = https
      ? null
      : `${public_url} does not begin with https://. Most LMSs reject such an address, and browsers block its cookies inside an LMS.`
    const fix = 'Set PUBLIC_URL on the server to the https address people use.'
    try {
      const { status, body } = await requestPlatform(jwks_url, { signal }, config)
      const read = KeyIds.safeParse(parseJson(body))
      if (status !== 200 || !read.success)
        return failed(
          `${jwks_url} answered with status ${status} and no keys, so another program is running there.`,
          'PUBLIC_URL must lead to this Assay server; a proxy in front of it must forward /lti.',
        )
      if (!read.data.keys.some(({ kid }) => kid === platform.kid))
        return failed(
          `${jwks_url} publishes no key for this LMS, so it leads to another Assay server.`,
          'PUBLIC_URL must lead to this Assay server and its database.',
        )
      return plain
        ? warning(`${plain} Assay can reach it.`, fix)
        : passed(`${public_url} leads to this server, and its keys can be fetched.`)
    } catch (cause) {
      if (!(cause instanceof PlatformRequestError)) throw cause
      // A server behind a proxy often cannot call itself by its public name, so this proves nothing.
      if (cause.problem === 'private_address' || cause.problem === 'not_https')
        return warning(
          plain ?? `${public_url} is a private address, to which Assay may not connect. It was not checked.`,
          fix,
        )
      return warning(
        `${cause.message} This was checked from the server itself; the LMS may still be able to reach it.`,
        `Open ${jwks_url} in a browser outside your network. If it shows no keys, fix PUBLIC_URL or the proxy.`,
      )
    }
  },

  async signing_key({ platform, services: { config } }) {
    const key = await getPrivateKey(platform.kid, config.secretKey)
    if (!key)
      return failed(
        'It cannot be decrypted because SECRET_KEY has changed.',
        'Create a new key on this page. An LMS that has the key set URL picks it up automatically.',
      )
    return passed(`It works and is published with the ID ${platform.kid}.`)
  },
}
