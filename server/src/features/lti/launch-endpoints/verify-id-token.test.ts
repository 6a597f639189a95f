import { describe, expect, it } from 'vitest'
import type { LaunchOptions } from '../../../../../tests/fake-lms/launches/launcher.ts'
import { AGS_CLAIM, CLAIM, type Claims, DL_CLAIM } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import { beginLaunch, createTestLink, useLaunchRefusals, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { useServer } from '../../../testing/server.ts'

const server = useServer()
const school = useRegisteredLms(server, { kind: 'canvas' })
const { expectRefusal, resetBaseline } = useLaunchRefusals()

const now = () => Math.floor(Date.now() / 1000)

async function replyTo(options: Partial<LaunchOptions>) {
  const launch = await school()
    .lms.launcher()
    .go({ ...createTestLink(school()), ...options })
  return launch.reply
}

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

const lesson = () => createTestLink(school())

const nothing: { url: string; fields: Record<string, string> } = { url: '', fields: {} }

describe('state and nonce serve once, and in one browser', () => {
  async function letIn() {
    const browser = school().lms.launcher()
    const options = lesson()
    const launch = await browser.go(options)
    expect(launch.reply?.status).toBe(303)
    await resetBaseline()
    return { browser, options, launch, posted: launch.posted ?? nothing }
  }

  it('a launch posted again', async () => {
    const { browser, posted, launch } = await letIn()
    browser.jar.store(posted.url, launch.login.headers.getSetCookie())
    const entry = await expectRefusal(
      await browser.post(posted.url, posted.fields),
      'state_unknown',
      400,
      /used before/,
    )
    expect(entry?.platform_id).toBe(school().platform._id)
  })

  it('a launch posted twice at the same moment is let in once', async () => {
    const { lms } = school()
    const browser = lms.launcher()
    const launches = await LtiLaunchModel.countDocuments()
    const { login, posted } = await beginLaunch(browser, lesson())
    browser.jar.store(posted.url, login.headers.getSetCookie())
    const replies = await Promise.all([1, 2, 3].map(() => browser.post(posted.url, posted.fields)))
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 400, 400])
    expect(await LtiLaunchModel.countDocuments()).toBe(launches + 1)
    await resetBaseline()
  })

  it('an old token under a new state', async () => {
    const { browser, options, launch } = await letIn()
    const { posted } = await beginLaunch(browser, options)
    const fields = { ...posted.fields, id_token: launch.idToken ?? '' }
    await expectRefusal(await browser.post(posted.url, fields), 'state_unknown', 400, /nonce/)
  })

  it('a state nobody was given', async () => {
    const { posted, browser } = await letIn()
    const fields = { ...posted.fields, state: 'a'.repeat(50) }
    await expectRefusal(await browser.post(posted.url, fields), 'state_unknown', 400, /no login/)
  })

  it('a state that was given to another browser', async () => {
    const { lms } = school()
    const { posted } = await beginLaunch(lms.launcher(), lesson())
    const reply = await lms.launcher().post(posted.url, posted.fields)
    const entry = await expectRefusal(reply, 'other_browser', 400)
    // It opens a window, so only the LMS's own pages may frame it.
    expect(reply.headers.get('content-security-policy')).toMatch(/frame-ancestors 'self' http/)
    expect(entry).toMatchObject({ platform_id: school().platform._id, via: null })
  })

  it('the value of another state’s cookie under this state’s name', async () => {
    const { lms } = school()
    const mine = lms.launcher()
    const own = await beginLaunch(mine, lesson())
    const theirs = await beginLaunch(lms.launcher(), lesson())
    const [line = ''] = own.login.headers.getSetCookie().filter((one) => one.startsWith('state'))
    const value = /=([^;]*)/.exec(line)?.[1]
    const name = `state${hashOf(theirs.posted.fields.state ?? '')}`
    mine.jar.store(theirs.posted.url, [`${name}=${value}; Path=/lti`])
    await expectRefusal(await mine.post(theirs.posted.url, theirs.posted.fields), 'other_browser', 400)
  })

  it('a state that was changed, or made by another server', async () => {
    const { posted, browser } = await letIn()
    const state = posted.fields.state ?? ''
    const last = state.endsWith('A') ? 'B' : 'A'
    const changed = {
      ...posted.fields,
      state: `${state.slice(0, 40)}${state[40] === 'A' ? 'B' : 'A'}${state.slice(41)}`,
    }
    await expectRefusal(await browser.post(posted.url, changed), 'state_unknown', 400, /no login/)
    await resetBaseline()
    const shorter = { ...posted.fields, state: `${state.slice(0, -5)}${last}` }
    await expectRefusal(await browser.post(posted.url, shorter), 'state_unknown', 400, /no login/)
  })

  it('a cookie that was not signed by us', async () => {
    const { lms } = school()
    const { posted } = await beginLaunch(lms.launcher(), lesson())
    const forger = lms.launcher()
    forger.jar.store(posted.url, [`state${hashOf(posted.fields.state ?? '')}=${'A'.repeat(43)}; Path=/lti`])
    await expectRefusal(await forger.post(posted.url, posted.fields), 'other_browser', 400)
  })
})
