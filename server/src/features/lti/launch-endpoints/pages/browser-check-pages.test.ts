import { describe, expect, it } from 'vitest'
import { type LaunchOptions, parseForm, type Reply } from '../../../../../../tests/fake-lms/launches/launcher.ts'
import { LtiLaunchModel } from '../../../../records/lti/launch.model.ts'
import { LtiLaunchLogModel } from '../../../../records/lti/launch-log.model.ts'
import { LtiPlatformModel } from '../../../../records/lti/platform.model.ts'
import {
  createTestLink,
  type RegisteredLms,
  useLaunchRefusals,
  useRegisteredLms,
} from '../../../../testing/registered-lms.ts'
import { useServer } from '../../../../testing/server.ts'

const server = useServer()
const moodle = useRegisteredLms(server)
const canvas = useRegisteredLms(server, { kind: 'canvas' })
const { expectRefusal, resetBaseline } = useLaunchRefusals()

const framed = (school: RegisteredLms) => ({ 'sec-fetch-dest': 'iframe', referer: `${school.lms.url}/course` })
const topLevel = { 'sec-fetch-dest': 'document' }

async function loginUrl({ lms }: RegisteredLms, options: LaunchOptions): Promise<string> {
  return (await lms.launcher().login(options)).url
}

const begin = async (school: RegisteredLms, browser: ReturnType<RegisteredLms['lms']['launcher']>) =>
  browser.fetch(await loginUrl(school, createTestLink(school)), { headers: framed(school) })

const plain = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")
const dataAttribute = (page: Reply, name: string) =>
  plain(new RegExp(`data-${name}="([^"]*)"`).exec(page.text)?.[1] ?? '')
const buttonOf = (page: Reply) => plain(/<a class="button" href="([^"]*)"/.exec(page.text)?.[1] ?? '')
const launchOf = (reply: Reply) => LtiLaunchModel.findById(/\/l\/([\w-]+)\//.exec(reply.location ?? '')?.[1]).lean()

describe('in a frame whose browser has not shown that it returns cookies', () => {
  it('a page finds out before the LMS is asked, and goes on where the cookie is', async () => {
    const { lms } = moodle()
    const browser = lms.launcher()
    const asked = lms.requestsTo('authorization').length
    const page = await begin(moodle(), browser)
    expect(page.status).toBe(200)
    expect(page.text).toContain('data-step="login"')
    expect(page.headers.get('cache-control')).toBe('no-store')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/script-src 'sha256-[\w+/=]{44}'/)
    expect(policy).not.toContain('unsafe')
    expect(policy).toMatch(new RegExp(`frame-ancestors 'self' .*${lms.url}`))
    expect(page.headers.get('x-frame-options')).toBeNull()
    // Readable by the page's script, unlike the state's.
    const [probe] = page.headers.getSetCookie().filter((line) => line.startsWith('assay_cookie_check='))
    expect(probe).toMatch(/Partitioned/)
    expect(probe).not.toMatch(/HttpOnly/)
    expect(lms.requestsTo('authorization')).toHaveLength(asked)

    const back = parseForm((await browser.fetch(dataAttribute(page, 'onward'))).text)
    const reply = await browser.post(back?.url ?? '', back?.fields ?? {})
    expect(reply.status).toBe(303)
    expect(await launchOf(reply)).toMatchObject({ via: 'cookie' })
    await resetBaseline()
  })

  it('goes straight on once the browser has shown it', async () => {
    const browser = canvas().lms.launcher()
    const first = await begin(canvas(), browser)
    expect(first.status).toBe(200)
    const again = await begin(canvas(), browser)
    expect(again.status).toBe(302)
    expect(again.location).toContain(canvas().lms.authorizationUrl)
  })

  it('goes straight on where the LMS’s pages may not frame ours yet, and learns from the launch that they may', async () => {
    const { lms, platform } = canvas()
    // Canvas has one issuer for every school.
    await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { origins: [] } })
    const elsewhere = { 'sec-fetch-dest': 'iframe', referer: 'https://north.school.example/courses/1' }
    const browser = lms.launcher()
    const mutate: LaunchOptions['mutate'] = (claims) => {
      claims['https://purl.imsglobal.org/spec/lti/claim/launch_presentation'] = {
        return_url: 'https://north.school.example/courses/1/return',
      }
    }
    const url = await loginUrl(canvas(), { ...createTestLink(canvas()), mutate })
    const first = await browser.fetch(url, { headers: elsewhere })
    expect(first.status).toBe(302)
    const back = parseForm((await browser.fetch(first.location ?? '')).text)
    const reply = await browser.post(back?.url ?? '', back?.fields ?? {})
    expect(reply.status).toBe(303)
    expect((await LtiPlatformModel.findById(platform._id).lean())?.origins).toEqual(['https://north.school.example'])
    await resetBaseline()

    const other = await lms.launcher().fetch(url, { headers: elsewhere })
    expect(other.status).toBe(200)
    expect(other.headers.get('content-security-policy')).toContain('https://north.school.example')
    await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { origins: [] } })
  })
})

it('goes straight on in a frame of an LMS whose origin is unknown, until a launch has given it', async () => {
  const { lms, platform } = moodle()
  const silent = { 'sec-fetch-dest': 'iframe' }
  const url = await loginUrl(moodle(), createTestLink(moodle()))
  expect((await lms.launcher().fetch(url, { headers: silent })).status).toBe(200)
  const { deployments } = platform
  await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { deployments: [] } })
  const reply = await lms.launcher().fetch(url, { headers: silent })
  await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { deployments } })
  expect(reply.status).toBe(302)
})

it('goes straight on at the top level, where cookies are nobody’s third party', async () => {
  const { lms } = moodle()
  const reply = await lms.launcher().fetch(await loginUrl(moodle(), createTestLink(moodle())), { headers: topLevel })
  expect(reply.status).toBe(302)
})

describe('a new window', () => {
  it('begins the same login again at the top level, before the request to the LMS', async () => {
    const { lms } = moodle() // Its launches can be asked for once.
    const page = await begin(moodle(), lms.launcher({ cookies: false }))
    expect(page.text).toMatch(/<a class="button" href="[^"]+" target="_blank" rel="noopener">Open in a new window</)
    const browser = lms.launcher()
    const login = await browser.fetch(server.running.url + buttonOf(page), { headers: topLevel })
    const back = parseForm((await browser.fetch(login.location ?? '')).text)
    const reply = await browser.post(back?.url ?? '', back?.fields ?? {})
    expect(reply.status).toBe(303)
    expect(await launchOf(reply)).toMatchObject({ via: 'window' })
    expect(await LtiLaunchLogModel.findOne().sort({ _id: -1 }).lean()).toMatchObject({ via: 'window' })
    await resetBaseline()
  })

  it('is offered once more to a browser that lost its cookie on the way', async () => {
    const { lms } = canvas()
    const browser = lms.launcher()
    const { location } = await browser.login(createTestLink(canvas()))
    const back = parseForm((await browser.fetch(location ?? '')).text)
    browser.jar.clear()
    const reply = await browser.post(back?.url ?? '', back?.fields ?? {})
    await expectRefusal(reply, 'other_browser', 400)
    expect(buttonOf(reply)).toMatch(/^\/lti\/login\?.*assay_window=1/)
    const second = lms.launcher()
    const login = await second.fetch(server.running.url + buttonOf(reply), { headers: topLevel })
    const posted = parseForm((await second.fetch(login.location ?? '')).text)
    second.jar.clear()
    await resetBaseline()
    const lost = await second.post(posted?.url ?? '', posted?.fields ?? {})
    await expectRefusal(lost, 'other_browser', 400)
    expect(buttonOf(lost)).toBe('')
  })
})

describe('the platform’s storage', () => {
  async function beginWithout() {
    const { lms } = canvas()
    const browser = lms.launcher({ cookies: false })
    const page = await begin(canvas(), browser)
    const back = parseForm((await browser.fetch(dataAttribute(page, 'onward'))).text)
    if (!back) throw new Error('the LMS posts nothing')
    return { browser, page, back }
  }

  it('is offered where the platform has one, and asked for the stored secret', async () => {
    const { lms } = canvas()
    const { browser, page, back } = await beginWithout()
    expect(dataAttribute(page, 'frame')).toBe(lms.settings.storageTarget)
    expect(dataAttribute(page, 'origin')).toBe(new URL(lms.authorizationUrl).origin)
    const secret = dataAttribute(page, 'secret')
    expect(secret).toMatch(/^[\w-]{43}$/)

    const asking = await browser.post(back.url, back.fields)
    expect(asking.status).toBe(200)
    expect(dataAttribute(asking, 'step')).toBe('launch')
    expect(dataAttribute(asking, 'key')).toBe(dataAttribute(page, 'key'))
    expect(asking.text).not.toContain(secret)
    expect(asking.headers.get('content-security-policy')).toContain("form-action 'self'")
    const form = parseForm(asking.text)
    expect(form?.fields).toMatchObject({ id_token: back.fields.id_token, state: back.fields.state, secret: '' })

    const reply = await browser.post(back.url, { ...form?.fields, secret })
    expect(reply.status).toBe(303)
    expect(await launchOf(reply)).toMatchObject({ via: 'storage' })
    expect(await LtiLaunchLogModel.findOne().sort({ _id: -1 }).lean()).toMatchObject({
      outcome: 'accepted',
      via: 'storage',
    })
    await resetBaseline()
    const replay = await browser.post(back.url, { ...form?.fields, secret })
    await expectRefusal(replay, 'state_unknown', 400)
  })

  it.each([
    ['nothing', ''],
    ['something else', 'a'.repeat(43)],
  ])('that stored %s lets nobody in', async (_what, secret) => {
    const { browser, back } = await beginWithout()
    await expectRefusal(await browser.post(back.url, { ...back.fields, secret }), 'other_browser', 400)
  })

  it('accepts one login’s secret for that login only', async () => {
    const first = await beginWithout()
    const second = await beginWithout()
    const secret = dataAttribute(first.page, 'secret')
    const reply = await second.browser.post(second.back.url, { ...second.back.fields, secret })
    await expectRefusal(reply, 'other_browser', 400)
  })

  it('is not asked where it was not offered: no page of ours takes part in a launch of another browser', async () => {
    const { lms } = canvas()
    const { location } = await lms.launcher().login(createTestLink(canvas()))
    const other = lms.launcher({ cookies: false })
    const back = parseForm((await other.fetch(location ?? '')).text)
    await expectRefusal(await other.post(back?.url ?? '', back?.fields ?? {}), 'other_browser', 400)
  })
})
