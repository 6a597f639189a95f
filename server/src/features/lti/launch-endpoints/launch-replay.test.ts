import { describe, expect, it } from 'vitest'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import { beginLaunch, createTestLink, useLaunchRefusals } from '../../../testing/launch-refusals.ts'
import { useRegisteredLms } from '../../../testing/registered-lms.ts'
import { useServer } from '../../../testing/server.ts'

const server = useServer()
const school = useRegisteredLms(server, { kind: 'canvas' })
const { expectRefusal, resetBaseline } = useLaunchRefusals()
const lesson = () => createTestLink(school())

const nothing: { url: string; fields: Record<string, string> } = { url: '', fields: {} }

describe('state and nonce serve once, and in one browser', () => {
  /** Lets one launch in, and looks only at what comes after. */
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
    // It opens a window, so it is for the LMS's own pages alone.
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
