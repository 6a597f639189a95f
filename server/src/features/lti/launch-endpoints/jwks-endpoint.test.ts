import { createLocalJWKSet, importPKCS8, jwtVerify, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { LtiPlatformKeyModel } from '../../../records/lti/platform-key.model.ts'
import { useServer } from '../../../testing/server.ts'
import { createPlatform } from '../platforms/platform.service.ts'
import { createPlatformKey, getPrivateKey, retirePlatformKey } from '../platforms/platform-keys.ts'

const server = useServer()
const KeySet = z.object({
  keys: z.array(
    z.object({
      kid: z.string(),
      kty: z.literal('RSA'),
      use: z.literal('sig'),
      alg: z.literal('RS256'),
      n: z.string(),
      e: z.string(),
    }),
  ),
})

async function publishedKeys() {
  const reply = await fetch(`${server.running.url}/lti/keys`)
  expect(reply.status).toBe(200)
  return KeySet.parse(await reply.json())
}

it('publishes no key before there is a platform', async () => {
  expect((await publishedKeys()).keys).toEqual([])
})

it('publishes each platform’s key, and a retired one until it is gone', async () => {
  const { services } = server.running
  const platform = await createPlatform(
    {
      name: 'School',
      lms: 'other',
      issuer: 'https://lms.example',
      client_id: 'assay',
      auth_endpoint: 'https://lms.example/auth',
      token_endpoint: 'https://lms.example/token',
      token_audience: null,
      jwks_url: 'https://lms.example/jwks',
      status: 'active',
    },
    services,
  )
  const { secretKey } = services.config
  const pem = await getPrivateKey(platform.kid, secretKey)
  const signed = await new SignJWT({ sub: 'assay' })
    .setProtectedHeader({ alg: 'RS256', kid: platform.kid })
    .sign(await importPKCS8(pem ?? '', 'RS256'))

  const next = await createPlatformKey(platform._id, secretKey, new Date())
  await retirePlatformKey(platform.kid, new Date())
  const keys = await publishedKeys()
  expect(keys.keys.map(({ kid }) => kid)).toEqual([platform.kid, next])
  await expect(jwtVerify(signed, createLocalJWKSet(keys))).resolves.toMatchObject({ payload: { sub: 'assay' } })

  await LtiPlatformKeyModel.updateOne({ _id: platform.kid }, { $set: { gone_at: new Date(Date.now() - 1000) } })
  expect((await publishedKeys()).keys.map(({ kid }) => kid)).toEqual([next])
})

it('publishes nothing private', async () => {
  const text = await (await fetch(`${server.running.url}/lti/keys`)).text()
  expect(text).toMatch(/"n":/)
  expect(text).not.toMatch(/"(d|p|q|dp|dq|qi)":/)
})
