import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeLms, startFakeLms } from '../fake-lms.ts'
import { AGS_CLAIM, CLAIM, type Claims, DL_CLAIM } from '../lti-constants.ts'
import { type MinimalTool, startMinimalTool } from '../minimal-tool.ts'

describe('deep linking', () => {
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

  /** A teacher's “Add from …”, and a way to bring items back as the tool would, or not quite. */
  async function choosing(deepLinking: Claims = {}) {
    const { course, teacher } = lms.classOf(1)
    const deployment = lms.deploymentOf(tiny.tool)
    const message = 'LtiDeepLinkingRequest'
    const launcher = lms.launcher()
    const { claims } = await launcher.go({ as: teacher, course, deployment, message, deepLinking })
    const settings = claims[`${DL_CLAIM}/deep_linking_settings`] as Record<string, string>
    const bring = async (items: unknown, changes: Claims = {}) => {
      const now = Math.floor(Date.now() / 1000)
      const answer = {
        iss: tiny.tool.clientId,
        aud: lms.issuer,
        iat: now,
        exp: now + 60,
        nonce: randomUUID(),
        [`${CLAIM}/message_type`]: 'LtiDeepLinkingResponse',
        [`${CLAIM}/version`]: '1.3.0',
        [`${CLAIM}/deployment_id`]: deployment.id,
        [`${DL_CLAIM}/data`]: settings.data,
        [`${DL_CLAIM}/content_items`]: items,
        ...changes,
      }
      return launcher.post(settings.deep_link_return_url ?? '', { JWT: await tiny.sign(answer) })
    }
    const links = () => [...lms.links.values()].filter((link) => link.course === course)
    return { course, teacher, launcher, settings, bring, links }
  }

  const quiz = {
    type: 'ltiResourceLink',
    title: 'Quiz 3',
    text: 'On cells',
    custom: { assignment_id: '31' },
    lineItem: { label: 'Quiz 3', scoreMaximum: 20, resourceId: '31', tag: 'grade' },
    available: { startDateTime: '2026-03-01T08:00:00Z' },
    submission: { endDateTime: '2026-03-08T22:00:00Z' },
  }

  it('makes links with their columns, values and dates, which launches then have', async () => {
    const { course, teacher, bring, links, launcher } = await choosing()
    expect((await bring([quiz, { type: 'ltiResourceLink', title: 'Reading' }])).status).toBe(200)
    const [link, reading] = links()
    expect(link).toMatchObject({
      title: 'Quiz 3',
      description: 'On cells',
      custom: { assignment_id: '31' },
      submission: { endDateTime: '2026-03-08T22:00:00Z' },
    })
    expect(reading && lms.lineItemsOf(reading)).toEqual([])
    const { claims } = await launcher.go({ as: teacher, link: link ?? null })
    expect(claims[`${CLAIM}/custom`]).toEqual({ assignment_id: '31' })
    const [item] = link ? lms.lineItemsOf(link) : []
    expect(item).toMatchObject({ course, label: 'Quiz 3', scoreMaximum: 20, resourceId: '31', tag: 'grade' })
    expect(claims[AGS_CLAIM]).toMatchObject({ lineitem: item && lms.lineItemUrl(item) })
  })

  it('makes nothing when a teacher comes back without a choice', async () => {
    const { bring, links } = await choosing()
    expect((await bring([])).status).toBe(200)
    expect(links()).toEqual([])
  })

  const wrong: [string, unknown, Claims, RegExp][] = [
    ['another audience', [quiz], { aud: 'elsewhere' }, /"aud" claim/],
    ['another tool’s name', [quiz], { iss: 'somebody' }, /no tool has somebody/],
    ['a token that ran out', [quiz], { exp: 1000 }, /"exp" claim/],
    ['other data', [quiz], { [`${DL_CLAIM}/data`]: 'made up' }, /data must be/],
    ['another deployment', [quiz], { [`${CLAIM}/deployment_id`]: 'none' }, /deployment_id must be/],
    ['another message', [quiz], { [`${CLAIM}/message_type`]: 'LtiResourceLinkRequest' }, /message_type/],
    ['an item of another type', [quiz, { type: 'file' }], {}, /\[1\]\.type must be/],
    ['values that are no text', [{ ...quiz, custom: { id: 31 } }], {}, /custom\.id must be text/],
    ['a column without points', [{ ...quiz, lineItem: { label: 'Quiz' } }], {}, /scoreMaximum/],
    ['a date without a zone', [{ ...quiz, submission: { endDateTime: '2026-03-08T22:00' } }], {}, /ISO 8601/],
  ]
  it.each(wrong)('refuses %s, says so, and makes nothing', async (_, items, changes, words) => {
    const { bring, links } = await choosing()
    const { status, text } = await bring(items, changes)
    expect(status).toBe(400)
    expect(lms.deepLinked.at(-1)?.problem).toMatch(words)
    expect(text).toContain('This did not work')
    expect(links()).toEqual([])
  })

  it('refuses several items where it said it takes one', async () => {
    const { bring, links } = await choosing({ accept_multiple: false })
    expect((await bring([quiz, quiz])).status).toBe(400)
    expect(links()).toEqual([])
    expect((await bring([quiz])).status).toBe(200)
  })

  it('takes an answer once', async () => {
    const { bring, links } = await choosing()
    expect((await bring([quiz])).status).toBe(200)
    expect((await bring([quiz])).status).toBe(400)
    expect(links()).toHaveLength(1)
  })
})
