import { describe, expect, it } from 'vitest'
import type { FakeLms } from '../../../../../tests/fake-lms/fake-lms.ts'
import { useRegisteredLms } from '../../../testing/registered-lms.ts'
import { useServer } from '../../../testing/server.ts'
import { LtiRefusal } from '../refusals.ts'
import { createJwksCache } from './jwks-cache.ts'

const server = useServer()
const school = useRegisteredLms(server)

function keySets() {
  let at = Date.now()
  const { config } = server.running.services
  const sets = createJwksCache({ config, clock: { now: () => new Date(at) } })
  const asked = school().lms.requestsTo('jwks').length
  return {
    keyOf: (kid: string) => sets.getKey(school().platform, kid),
    outcome: (kid: string) =>
      sets.getKey(school().platform, kid).then(
        (key) => key.kid,
        (error: unknown) => (error instanceof LtiRefusal ? error.code : error),
      ),
    pass: (seconds: number) => {
      at += seconds * 1000
    },
    calls: () => school().lms.requestsTo('jwks').length - asked,
  }
}

const currentKid = async (lms: FakeLms) => (await lms.keys.jwks()).keys[0]?.kid ?? ''

describe('a platform’s key set', () => {
  it('is fetched once for concurrent launches, and cached for ten minutes', async () => {
    const { keyOf, pass, calls } = keySets()
    const kid = await currentKid(school().lms)
    const keys = await Promise.all(Array.from({ length: 50 }, () => keyOf(kid)))
    expect(keys[0]).toMatchObject({ kty: 'RSA', kid, alg: 'RS256' })
    expect(calls()).toBe(1)
    pass(9 * 60)
    await keyOf(kid)
    expect(calls()).toBe(1)
    pass(2 * 60)
    await keyOf(kid)
    expect(calls()).toBe(2)
  })

  it('is requested again for a key it did not have, at most every 30 seconds', async () => {
    const { lms } = school()
    const { outcome, pass, calls } = keySets()
    const old = await currentKid(lms)
    await outcome(old)
    await lms.keys.rotate()
    const kid = await currentKid(lms)
    expect(await outcome(kid)).toBe('key_unknown')
    expect(calls()).toBe(1)
    pass(31)
    expect(await outcome(kid)).toBe(kid)
    for (let i = 0; i < 20; i++) expect(await outcome(`made up ${i}`)).toBe('key_unknown')
    expect(calls()).toBe(2)
    expect(await outcome(old)).toBe(old)
  })

  it('loses a key that the platform no longer publishes', async () => {
    const { lms } = school()
    const { outcome, pass } = keySets()
    const old = await currentKid(lms)
    expect(await outcome(old)).toBe(old)
    await lms.keys.rotate({ keepOld: false })
    pass(11 * 60)
    expect(await outcome(old)).toBe('key_unknown')
  })

  it('serves on for an hour while no newer one can be had', async () => {
    const { lms } = school()
    const { outcome, pass } = keySets()
    const kid = await currentKid(lms)
    await outcome(kid)
    const mended = lms.fail('jwks', { status: 503, times: 100 })
    pass(30 * 60)
    expect(await outcome(kid)).toBe(kid)
    pass(31 * 60)
    expect(await outcome(kid)).toBe('keys_unreachable')
    mended()
    pass(6)
    expect(await outcome(kid)).toBe(kid)
  })

  it('is not asked for again at once after it could not be had', async () => {
    const { lms } = school()
    const { outcome, pass, calls } = keySets()
    const kid = await currentKid(lms)
    lms.fail('jwks', { status: 500 })
    expect(await outcome(kid)).toBe('keys_unreachable')
    expect(await outcome(kid)).toBe('keys_unreachable')
    expect(calls()).toBe(1)
    pass(6)
    expect(await outcome(kid)).toBe(kid)
  })

  it.each([
    ['is not there', { status: 404 }],
    ['breaks off', { reset: 'before' as const }],
    ['sends us elsewhere', { redirect: 'http://127.0.0.1:9/keys' }],
    ['is no JSON', { status: 200, body: '<html>' }],
    ['is no key set', { status: 200, body: { keys: 'none' } }],
    ['never ends', { endless: true }],
  ])('that %s lets nobody in, and says so', async (_how, fault) => {
    const { lms } = school()
    const { outcome } = keySets()
    const mended = lms.fail('jwks', { ...fault, times: 100 })
    expect(await outcome(await currentKid(lms))).toBe('keys_unreachable')
    mended()
  })

  it('that never responds times out after five seconds', async () => {
    const { lms } = school()
    const { outcome } = keySets()
    const mended = lms.fail('jwks', { hang: true, times: 100 })
    expect(await outcome(await currentKid(lms))).toBe('keys_unreachable')
    mended()
  })

  it('is read for RSA keys to sign with alone', async () => {
    const { lms } = school()
    const { outcome } = keySets()
    const good = (await lms.keys.jwks()).keys[0]
    const keys = [
      { ...good, kid: 'to encrypt', use: 'enc' },
      { ...good, kid: 'other algorithm', alg: 'RS512' },
      { kty: 'oct', k: 'c2VjcmV0', kid: 'shared' },
      { kty: 'EC', crv: 'P-256', kid: 'curve' },
      'nonsense',
      good,
    ]
    const mended = lms.fail('jwks', { status: 200, body: { keys }, times: 100 })
    expect(await outcome(good?.kid ?? '')).toBe(good?.kid)
    for (const kid of ['to encrypt', 'other algorithm', 'shared', 'curve'])
      expect(await outcome(kid)).toBe('key_unknown')
    mended()
  })
})
