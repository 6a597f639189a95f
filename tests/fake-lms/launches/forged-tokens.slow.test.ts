import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeLms, startFakeLms } from '../fake-lms.ts'
import { CLAIM } from '../lti-constants.ts'
import { type MinimalTool, startMinimalTool } from '../minimal-tool.ts'
import { forgeries, requiredClaims, unusualButValid } from './forged-tokens.ts'

describe('tampering', () => {
  let lms: FakeLms
  let tiny: MinimalTool
  beforeAll(async () => {
    lms = await startFakeLms({ kind: 'canvas' })
    tiny = await startMinimalTool(lms)
  })
  afterAll(async () => {
    await tiny?.close()
    await lms?.close()
  })
  const aLink = () => {
    const { course, teacher } = lms.classOf(0)
    return { as: teacher, link: lms.addLink(course, { deployment: lms.deploymentOf(tiny.tool) }) }
  }

  /** What the tiny tool does not look at, as it is no more than a verified signature needs. */
  const unseen = ['azp', 'authorized', 'version', 'message', 'roles', 'link', 'deployment', 'sub', 'exp', 'iat']
  const seen = Object.entries(forgeries).filter(([name]) => !unseen.some((part) => name.includes(part)))

  it.each(seen)('makes a token %s, which no tool takes', async (_, tampering) => {
    const before = tiny.launched.length
    const { reply } = await lms.launcher().go({ ...aLink(), ...tampering })
    expect(reply?.status).toBe(401)
    expect(tiny.launched).toHaveLength(before)
  })

  it.each(Object.entries(unusualButValid))('makes a token with %s, which tools take', async (_, tampering) => {
    const { reply } = await lms.launcher().go({ ...aLink(), ...tampering })
    expect(reply?.status).toBe(200)
  })

  it('leaves out each claim that a launch needs', async () => {
    const { claims } = await lms.launcher().collect(aLink())
    for (const name of requiredClaims) {
      expect(claims).toHaveProperty([name])
      const spoilt = { ...claims }
      forgeries[`without ${name.split('/').at(-1)}`]?.mutate?.(spoilt)
      expect(spoilt).not.toHaveProperty([name])
    }
    expect(claims[`${CLAIM}/version`]).toBe('1.3.0')
  })

  it('sends the same token and state twice, or from another browser', async () => {
    const browser = lms.launcher()
    const { posted } = await browser.collect(aLink())
    const { url, fields } = posted ?? { url: '', fields: {} }
    // Not with the victim's cookie: the state is not this browser's.
    expect((await lms.launcher().post(url, fields)).status).toBe(401)
    const second = await browser.collect(aLink())
    expect((await browser.post(second.posted?.url ?? '', second.posted?.fields ?? {})).status).toBe(200)
    expect((await browser.post(second.posted?.url ?? '', second.posted?.fields ?? {})).status).toBe(401)
  })
})
