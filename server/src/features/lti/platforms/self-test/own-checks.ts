import { z } from 'zod'
import { parseJson } from '../../outgoing/access-token.ts'
import { callOut, OutgoingError } from '../../outgoing/request.ts'
import { privateKeyOf } from '../platform-keys.ts'
import { toolValues } from '../tool.ts'
import { type Checks, ok, warn, wrong } from './check.ts'

const KeyIds = z.object({ keys: z.array(z.object({ kid: z.string() })) })

/** What Assay itself must have right. */
export const ownChecks: Checks = {
  async status({ platform }) {
    if (platform.status === 'pending')
      return wrong(
        'It waits to be approved: every launch is refused.',
        'Look at its values and approve it on this page.',
      )
    if (platform.status === 'off')
      return wrong('It was switched off: every launch is refused.', 'Switch it on again on this page.')
    return platform.proposed
      ? warn(
          'It may launch. New values from its last registration wait.',
          'Approve them on this page, if they are right.',
        )
      : ok('It was approved and is switched on.')
  },

  async address({ platform, services: { config }, signal }) {
    const { https, jwks_url, public_url } = toolValues(config.publicUrl)
    const plain = https
      ? null
      : `${public_url} does not begin with https://. Most LMSs refuse such an address, and browsers give it no cookies inside an LMS.`
    const mend = 'Whoever runs Assay’s server sets PUBLIC_URL to the https address people use.'
    try {
      const { status, body } = await callOut(jwks_url, { signal }, config)
      const read = KeyIds.safeParse(parseJson(body))
      if (status !== 200 || !read.success)
        return wrong(
          `${jwks_url} answered with status ${status} and no keys, so something else stands there.`,
          'PUBLIC_URL must lead to this Assay; a proxy in front of it must pass /lti on.',
        )
      if (!read.data.keys.some(({ kid }) => kid === platform.kid))
        return wrong(
          `${jwks_url} publishes no key of this LMS: it leads to another Assay.`,
          'PUBLIC_URL must lead to this Assay and its database.',
        )
      return plain
        ? warn(`${plain} It can be reached from here.`, mend)
        : ok(`${public_url} leads here, and its keys can be fetched.`)
    } catch (cause) {
      if (!(cause instanceof OutgoingError)) throw cause
      // A server behind a proxy often cannot call itself by the name the world uses: no proof that it is wrong.
      if (cause.problem === 'private_address' || cause.problem === 'not_https')
        return warn(
          plain ??
            `${public_url} is an address of this network, which Assay does not call. It was not tried.`,
          mend,
        )
      return warn(
        `${cause.message} From this server, that is; the LMS may have another way.`,
        `Open ${jwks_url} in a browser outside your network. If it shows no keys, mend PUBLIC_URL or the proxy.`,
      )
    }
  },

  async signing_key({ platform, services: { config } }) {
    const key = await privateKeyOf(platform.kid, config.secretKey)
    if (!key)
      return wrong(
        'It cannot be opened: SECRET_KEY was changed since it was made.',
        'Make a new key on this page. An LMS that fetches the key set by its URL sees it by itself.',
      )
    return ok(`It is at hand, and published under the ID ${platform.kid}.`)
  },
}
