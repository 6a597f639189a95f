import { access, readdir, readFile } from 'node:fs/promises'
import { selfTestTitles } from '@assay/shared/lti/lti-self-test.ts'
import { describe, expect, it } from 'vitest'
import { CanvasConfiguration } from '../../../testing/lti-config-schemas.ts'
import { useServer } from '../../../testing/server.ts'
import { refusalCodes } from '../refusals.ts'
import { ltiConfigFiles, withRefusalTable } from './lti-config-files.ts'
import { canvasConfiguration, toolRegistration, toolValues } from './registration/tool-registration.ts'

const folder = new URL('../../../../../lti-config/', import.meta.url)
const server = useServer()

describe('lti-config/', () => {
  it('has the configuration of the present code; else run scripts/write-lti-config.ts', async () => {
    const files = ltiConfigFiles()
    expect((await readdir(folder)).sort()).toEqual([...files.keys()].sort())
    for (const [name, text] of files) expect(await readFile(new URL(name, folder), 'utf8'), name).toBe(text)
  })

  it('has a Canvas configuration as Canvas documents it', async () => {
    const text = await readFile(new URL('canvas.json', folder), 'utf8')
    expect(CanvasConfiguration.safeParse(JSON.parse(text)).error).toBeUndefined()
  })

  it.each(['canvas', 'moodle', 'blackboard', 'd2l', 'sakai'])(
    'has a registration for %s, all on one domain',
    async (lms) => {
      const read = JSON.parse(await readFile(new URL(`${lms}.registration.json`, folder), 'utf8'))
      const { domain, messages } = read['https://purl.imsglobal.org/spec/lti-tool-configuration']
      const targets: string[] = messages.map(({ target_link_uri }: { target_link_uri: string }) => target_link_uri)
      const addresses = [read.initiate_login_uri, read.jwks_uri, ...read.redirect_uris, ...targets]
      expect(new Set(addresses.map((url) => new URL(url).host))).toEqual(new Set([domain]))
      expect(read.redirect_uris).toEqual(expect.arrayContaining(targets))
    },
  )

  it('names nothing but placeholders', async () => {
    for (const text of ltiConfigFiles().values()) expect(text).not.toMatch(/localhost|127\.0\.0\.1/)
  })
})

it('serves Canvas its configuration, with this server’s address, to anyone', async () => {
  const response = await fetch(`${server.running.url}/lti/canvas.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/application\/json/)
  const { publicUrl } = server.running.services.config
  expect(await response.json()).toEqual(canvasConfiguration(toolValues(publicUrl)))
})

it('asks for submission reviews and for its registration where an LMS has them, and else for neither', () => {
  const tool = toolValues('https://assay.school.example')
  const asked = (messages: string[] | null, scopes: string[]) => {
    const { scope, ...body } = toolRegistration(tool, { lms: 'other', messages, scopes }, 'help@school.example')
    expect(body.contacts).toEqual(['help@school.example'])
    const config = body['https://purl.imsglobal.org/spec/lti-tool-configuration']
    return { types: config.messages.map(({ type }) => type), update: scope.includes('lti-reg') }
  }
  const all = ['LtiResourceLinkRequest', 'LtiDeepLinkingRequest', 'LtiSubmissionReviewRequest']
  expect(asked(null, [])).toEqual({ types: all, update: false })
  expect(asked(all, ['https://purl.imsglobal.org/spec/lti-reg/scope/registration'])).toEqual({
    types: all,
    update: true,
  })
  expect(asked(['LtiDeepLinkingRequest', 'LtiEulaRequest'], [])).toEqual({ types: all.slice(0, 2), update: false })
})

describe('docs/lms', () => {
  const docs = new URL('../../../../../docs/lms/', import.meta.url)
  const read = (name: string) => readFile(new URL(name, docs), 'utf8')

  it('explains every refusal by the message people see; else run scripts/write-lti-config.ts', async () => {
    const page = await read('troubleshooting.md')
    for (const code of refusalCodes) expect(page).toContain(`| \`${code}\` |`)
    expect(withRefusalTable(page)).toBe(page)
  })

  it('explains every part of the self-test under its own name', async () => {
    const page = await read('troubleshooting.md')
    for (const title of Object.values(selfTestTitles)) expect(page).toContain(`### ${title}\n`)
  })

  it('leads to files and pictures that are there', async () => {
    for (const name of await readdir(docs)) {
      const links = [...(await read(name)).matchAll(/\]\(([^)#]+)/g)].map(([, to = '']) => to)
      const own = links.filter((to) => !to.startsWith('http'))
      expect(own.length).toBeGreaterThan(0)
      for (const to of own) await expect(access(new URL(to, docs)), `${name}: ${to}`).resolves.toBeUndefined()
    }
  })
})
