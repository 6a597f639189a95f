import { describe, it } from 'vitest'
import type { LaunchOptions } from '../../../../../tests/fake-lms/launches/launcher.ts'
import { AGS_CLAIM, CLAIM, type Claims, DL_CLAIM } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { createTestLink, useLaunchRefusals } from '../../../testing/launch-refusals.ts'
import { useRegisteredLms } from '../../../testing/registered-lms.ts'
import { useServer } from '../../../testing/server.ts'

const server = useServer()
const school = useRegisteredLms(server, { kind: 'canvas' })
const { expectRefusal } = useLaunchRefusals()

const now = () => Math.floor(Date.now() / 1000)

async function replyTo(options: Partial<LaunchOptions>) {
  const launch = await school()
    .lms.launcher()
    .go({ ...createTestLink(school()), ...options })
  return launch.reply
}

/** Claims put over those of a good launch; `undefined` leaves one out. */
const saying = (claims: Claims | (() => Claims)): Partial<LaunchOptions> => ({
  mutate: (good) => Object.assign(good, typeof claims === 'function' ? claims() : claims),
})
const us = () => school().platform.client_id
const bringing = { jku: 'https://evil.example/jwks', jwk: { kty: 'RSA' } }

describe('a token that is not signed by the platform is refused', () => {
  it.each<[string, Partial<LaunchOptions>, RegExp]>([
    ['unsigned', { signing: 'none' }, /signed with none/],
    ['signed with the platform’s public key as a secret', { signing: 'hs256' }, /signed with HS256/],
    ['that names no key', { signing: 'no-kid' }, /no kid/],
    ['by another key under a published name', { signing: 'other-key' }, /signature/],
    ['by a key it brings itself', { signing: 'other-key', header: bringing }, /signature/],
    ['with a broken signature', { signing: 'broken' }, /signature/],
  ])('%s', async (_how, options, detail) => {
    await expectRefusal(await replyTo(options), 'token_invalid', 401, detail)
  })
  it('by a key nobody publishes', async () => {
    await expectRefusal(await replyTo({ signing: 'unknown-kid' }), 'key_unknown', 401, /kid/)
  })
})

describe('a token that was not made out to us is refused', () => {
  it.each<[string, () => Claims, RegExp]>([
    ['issued by somebody else', () => ({ iss: 'https://other.example' }), /iss is wrong/],
    ['for somebody else', () => ({ aud: 'somebody' }), /aud is wrong/],
    ['for several, made out to another of them', () => ({ aud: [us(), 'somebody'], azp: 'somebody' }), /azp/],
    ['for several, made out to nobody', () => ({ aud: [us(), 'somebody'] }), /azp/],
    ['for us, made out to somebody else', () => ({ azp: 'somebody' }), /azp/],
  ])('%s', async (_how, claims, detail) => {
    await expectRefusal(await replyTo(saying(claims)), 'token_invalid', 401, detail)
  })
})

describe('a token of another time is refused', () => {
  it.each<[string, () => Claims, RegExp]>([
    ['expired', () => ({ iat: now() - 120, exp: now() - 60 }), /exp/],
    ['issued in the future', () => ({ iat: now() + 300 }), /future/],
    ['too old, although it has not run out', () => ({ iat: now() - 11 * 60 }), /ten minutes/],
    ['not good yet', () => ({ nbf: now() + 300 }), /nbf/],
  ])('%s', async (_how, claims, detail) => {
    await expectRefusal(await replyTo(saying(claims)), 'token_time', 401, detail)
  })
})

describe('a message that lacks what it must have is refused', () => {
  it.each([
    'sub',
    'iat',
    'exp',
    'nonce',
    'iss',
    'aud',
    `${CLAIM}/message_type`,
    `${CLAIM}/version`,
    `${CLAIM}/deployment_id`,
    `${CLAIM}/target_link_uri`,
    `${CLAIM}/resource_link`,
    `${CLAIM}/roles`,
  ])('%s', async (claim) => {
    const detail = new RegExp(`missing or wrong: ${claim.split('/').at(-1)}`)
    await expectRefusal(await replyTo(saying({ [claim]: undefined })), 'claims_missing', 400, detail)
  })

  it.each([
    ['version', '1.1.0'],
    ['message_type', 'LtiStartProctoring'],
    ['roles', 'Instructor'],
    ['deployment_id', ''],
    ['resource_link', { id: '' }],
  ])('a good %s', async (name, value) => {
    const reply = await replyTo(saying({ [`${CLAIM}/${name}`]: value }))
    await expectRefusal(reply, 'claims_missing', 400, new RegExp(`missing or wrong: ${name}`))
  })

  it('the settings of deep linking', async () => {
    const { as, link } = createTestLink(school())
    const reply = await replyTo({
      as,
      link: null,
      course: link.course,
      deployment: link.deployment,
      message: 'LtiDeepLinkingRequest',
      ...saying({ [`${DL_CLAIM}/deep_linking_settings`]: undefined }),
    })
    await expectRefusal(reply, 'claims_missing', 400, /deep_linking_settings/)
  })

  it('whose submission is to be reviewed', async () => {
    const reply = await replyTo({ message: 'LtiSubmissionReviewRequest' })
    await expectRefusal(reply, 'claims_missing', 400, /for_user/)
  })

  it('which submission is to be reviewed', async () => {
    const reply = await replyTo({
      message: 'LtiSubmissionReviewRequest',
      forUser: school().lms.addUser(),
      ...saying({ [`${CLAIM}/resource_link`]: undefined, [AGS_CLAIM]: undefined }),
    })
    await expectRefusal(reply, 'claims_missing', 400, /resource_link/)
  })
})
