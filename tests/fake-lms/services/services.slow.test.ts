import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type FakeLms, startFakeLms } from '../fake-lms.ts'
import { allScopes, CLAIM, MEDIA, SCOPE } from '../lti-constants.ts'
import { type MinimalTool, startMinimalTool } from '../minimal-tool.ts'

const Members = z.object({
  members: z.array(z.looseObject({ user_id: z.string(), message: z.array(z.unknown()).optional() })),
})
const Made = z.object({ id: z.string() })

for (const kind of ['moodle', 'canvas'] as const) {
  describe(`the services of ${kind}`, () => {
    let lms: FakeLms
    let tiny: MinimalTool
    beforeAll(async () => {
      lms = await startFakeLms({ kind })
      tiny = await startMinimalTool(lms)
    })
    afterAll(async () => {
      await tiny?.close()
      await lms?.close()
    })

    describe('the token endpoint', () => {
      it('gives a token for a good assertion, once', async () => {
        const claims = tiny.assertion()
        const first = await tiny.askForToken(allScopes, claims)
        expect(first).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } })
        expect(await tiny.askForToken(allScopes, claims)).toMatchObject({
          status: 400,
          body: { error: 'invalid_client' },
        })
      })

      const bad: [string, (good: Record<string, unknown>) => object][] = [
        ['of another audience', () => ({ aud: `${lms.url}/elsewhere` })],
        ['of another issuer', () => ({ iss: 'somebody' })],
        ['of a tool nobody knows', () => ({ sub: 'somebody', iss: 'somebody' })],
        ['that has run out', ({ exp }) => ({ exp: Number(exp) - 600 })],
        ['without an id of its own', () => ({ jti: undefined })],
      ]
      it.each(bad)('refuses an assertion %s', async (_, spoil) => {
        const good = tiny.assertion()
        expect(await tiny.askForToken(allScopes, { ...good, ...spoil(good) })).toMatchObject({
          status: 400,
          body: { error: 'invalid_client' },
        })
      })

      it('gives no scope that the tool was not granted', async () => {
        tiny.tool.scopes = [SCOPE.members]
        expect(await tiny.askForToken([SCOPE.scores])).toMatchObject({
          status: 400,
          body: { error: 'invalid_scope' },
        })
        tiny.tool.scopes = [...allScopes]
      })

      it('lets nobody in with a token that has run out, was taken back or is for something else', async () => {
        const { course } = lms.classOf(1)
        const address = lms.membersUrl(course, tiny.tool)
        const token = await tiny.token(SCOPE.members)
        expect((await tiny.call(address, { token })).status).toBe(200)
        const other = await tiny.token(SCOPE.scores)
        expect((await tiny.call(address, { token: other })).status).toBe(401)
        lms.settings.clock = () => new Date(Date.now() + 3_601_000)
        expect((await tiny.call(address, { token })).status).toBe(401)
        lms.settings.clock = () => new Date()
        lms.tokens.revokeAll()
        expect((await tiny.call(address, { token })).status).toBe(401)
      })
    })

    describe('the roster', () => {
      it('gives everybody, over as many pages as it takes', async () => {
        const { course } = lms.classOf(7)
        const token = await tiny.token(SCOPE.members)
        const seen: string[] = []
        let address: string | undefined = `${lms.membersUrl(course, tiny.tool)}?limit=3`
        while (address) {
          const page = await tiny.call(address, { token })
          seen.push(...Members.parse(page.body).members.map((member) => member.user_id))
          address = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
        }
        expect(seen).toEqual([...course.members.keys()])
      })

      it('says roles in its own way, and who is no longer active', async () => {
        const { course, students } = lms.classOf(1)
        const gone = students[0] ?? lms.addUser()
        lms.enrol(course, gone, 'Learner', 'Inactive')
        const token = await tiny.token(SCOPE.members)
        const { body } = await tiny.call(`${lms.membersUrl(course, tiny.tool)}?role=Learner`, { token })
        const learner = kind === 'moodle' ? 'Learner' : 'http://purl.imsglobal.org/vocab/lis/v2/membership#Learner'
        expect(Members.parse(body).members).toMatchObject([{ user_id: gone.id, status: 'Inactive', roles: [learner] }])
      })

      it('gives what a launch of one link would say when asked about that link', async () => {
        const { course } = lms.classOf(1)
        const custom = { paper: '7' }
        const link = lms.addLink(course, { deployment: lms.deploymentOf(tiny.tool), custom })
        const token = await tiny.token(SCOPE.members)
        const address = lms.membersUrl(course, tiny.tool)
        const { body } = await tiny.call(`${address}?rlid=${link.id}`, { token })
        expect(Members.parse(body).members[0]?.message?.[0]).toMatchObject({ [`${CLAIM}/custom`]: custom })
        const unknown = await tiny.call(`${address}?rlid=none`, { token })
        expect(unknown.status).toBe(404)
      })

      it('is endless when configured so', async () => {
        const { course } = lms.classOf(1)
        lms.settings.endlessRoster = true
        const { headers } = await tiny.call(lms.membersUrl(course, tiny.tool), {
          token: await tiny.token(SCOPE.members),
        })
        lms.settings.endlessRoster = false
        expect(headers.get('link')).toContain('rel="next"')
      })
    })

    describe('line items', () => {
      it('are made, found, changed and deleted', async () => {
        const { course } = lms.classOf(0)
        const link = lms.addLink(course, { deployment: lms.deploymentOf(tiny.tool) })
        const token = await tiny.token(SCOPE.lineItems)
        const address = lms.lineItemsUrl(course, tiny.tool)
        const body = {
          label: 'Quiz',
          scoreMaximum: 10,
          resourceId: 'a-7',
          tag: 'grade',
          resourceLinkId: link.id,
        }
        const made = await tiny.call(address, { token, method: 'POST', type: MEDIA.lineItem, body })
        expect(made).toMatchObject({ status: 201, body })
        const { id } = Made.parse(made.body)
        const filter = (query: string) => tiny.call(`${address}${address.includes('?') ? '&' : '?'}${query}`, { token })
        for (const query of ['resource_id=a-7', 'tag=grade', `resource_link_id=${link.id}`])
          expect((await filter(query)).body).toMatchObject([{ id }])
        expect((await filter('tag=other')).body).toEqual([])
        const changed = { label: 'Quiz 1', scoreMaximum: 20 }
        await tiny.call(id, { token, method: 'PUT', type: MEDIA.lineItem, body: changed })
        expect((await tiny.call(id, { token })).body).toMatchObject(changed)
        expect((await tiny.call(id, { token, method: 'DELETE' })).status).toBe(204)
        expect((await tiny.call(id, { token })).status).toBe(404)
      })

      it('of a link cannot be deleted without it', async () => {
        const { course } = lms.classOf(0)
        const link = lms.addLink(course, { deployment: lms.deploymentOf(tiny.tool), scoreMaximum: 5 })
        const [item] = lms.lineItemsOf(link)
        const token = await tiny.token(SCOPE.lineItems)
        const { status } = await tiny.call(item ? lms.lineItemUrl(item) : '', { token, method: 'DELETE' })
        expect(status).toBe(kind === 'moodle' ? 403 : 401)
        expect(lms.lineItemsOf(link)).toHaveLength(1)
      })

      it('of another tool are not there', async () => {
        const { course } = lms.classOf(0)
        const other = await startMinimalTool(lms)
        const item = lms.addLineItem(course, { deployment: lms.deploymentOf(other.tool) })
        const { pathname } = new URL(lms.lineItemUrl(item))
        const token = await tiny.token(SCOPE.lineItems)
        expect((await tiny.call(`${lms.url}${pathname}`, { token })).status).toBe(404)
        await other.close()
      })

      it('are given a page at a time to who asks for it', async () => {
        const { course } = lms.classOf(0)
        for (const label of ['one', 'two', 'three'])
          lms.addLineItem(course, { deployment: lms.deploymentOf(tiny.tool), label })
        const token = await tiny.token(SCOPE.lineItemsRead)
        const address = lms.lineItemsUrl(course, tiny.tool)
        const page = await tiny.call(`${address}${address.includes('?') ? '&' : '?'}limit=2`, { token })
        expect(page.body).toHaveLength(2)
        const next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
        expect((await tiny.call(next, { token })).body).toMatchObject([{ label: 'three' }])
      })
    })
  })
}
