import {
  changeSystemLlm,
  getCourseLlmUsage,
  getSystemLlmUsage,
  type LlmTest,
  type LlmTestStep,
  testCourseLlm,
  testSystemLlm,
} from '@assay/shared/llm/llm.ts'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { passConnectionTest } from '../../../../../tests/fake-llm/pass-connection-test.ts'
import { LlmCallModel } from '../../../records/llm/llm-call.model.ts'
import { LlmSettingsModel } from '../../../records/llm/llm-settings.model.ts'
import { buildCourse, buildPerson } from '../../../testing/build-course.ts'
import {
  buildLlmSettings,
  chooseFakeLlm,
  fakeLlmSettings,
  systemLlmSettings,
  useFakeLlm,
} from '../../../testing/llm-settings.ts'
import { type Caller, type Person, useTestApi } from '../../../testing/server.ts'

const { api, server } = useTestApi({ AI_PRIVATE_ADDRESSES: 'on' })
const fake = useFakeLlm()
let admin: Caller
let teacher: Person
let courseId = 0
beforeAll(async () => {
  await passConnectionTest(fake)
  admin = api.as(await buildPerson('admin'))
  const course = await buildCourse(api, { students: 0 })
  teacher = course.instructor
  courseId = course.courseId
})
beforeEach(async () => {
  Object.assign(fake.settings, { takesPictures: true, key: null, model: null, counts: true })
  await LlmSettingsModel.deleteMany({})
})

const outcomes = (test: LlmTest) => test.checks.map(({ check, outcome }) => `${check} ${outcome}`)
const test = (more: object = {}) => admin.send(testSystemLlm, { body: { settings: fakeLlmSettings(fake, more) } })

describe('a test of the connection', () => {
  it.each(['openai-compatible', 'openai', 'anthropic', 'google'] as const)(
    'says what works and what it costs, with what nobody has saved: %s',
    async (provider) => {
      const before = await LlmCallModel.countDocuments()
      const { body } = await test({ provider, api_key: 'sk-a-key-to-try-out' })
      expect(outcomes(body)).toEqual(['answer ok', 'structured ok', 'pictures ok', 'speed ok', 'cost ok'])
      expect(body).toMatchObject({ host: new URL(fake.url).host, spent: { calls: 3, failures: 0 } })
      expect(body.spent.dollars).toBeGreaterThan(0)
      expect(await LlmCallModel.countDocuments({ purpose: 'test' })).toBe(before + 3)
      expect(await LlmSettingsModel.countDocuments()).toBe(0)
      const used = await admin.send(getSystemLlmUsage)
      expect(used.body.by_purpose).toMatchObject([{ purpose: 'test', calls: before + 3 }])
    },
  )

  it('says what does not: pictures and lists the LLM gets wrong', async () => {
    fake.settings.takesPictures = false
    fake.script({ do: 'say', value: { criteria: [] }, when: /c1 \(0 to 2/, times: 2 })
    const { body } = await test()
    expect(outcomes(body).slice(0, 3)).toEqual(['answer ok', 'structured failed', 'pictures failed'])
    expect(body.checks[1]?.message).toContain('the list was not filled in')
    expect(body.checks[1]?.message).toContain('It wrote: “{"criteria":[]}”')
    expect(body.checks[2]?.message).toContain('cannot read images')
    expect(JSON.stringify(body)).not.toMatch(/grade (it|this paper) yourself/i)
  })

  it('detects an LLM that accepts the picture and makes something up', async () => {
    fake.script({ do: 'say', value: { text: 'A lovely picture.' }, when: /in this picture/ })
    const { body } = await test()
    expect(body.checks[2]).toMatchObject({ check: 'pictures', outcome: 'failed' })
    expect(body.checks[2]?.message).toContain('A lovely picture.')
  })

  it.each([
    ['the key is refused', { key: 'the-right-key' }, /does not accept the key/],
    ['there is no such model', { model: 'another' }, /no model called/],
  ])('says why nothing works, once: %s', async (_, settings, words) => {
    Object.assign(fake.settings, settings)
    const { body } = await test({ api_key: 'sk-a-wrong-key-0000' })
    expect(outcomes(body)).toEqual(['answer failed', 'structured skipped', 'pictures skipped'])
    expect(body.checks[0]?.message).toMatch(words)
    expect(JSON.stringify(body)).not.toContain('sk-a-wrong')
  })

  it('says that no server responds, and sends no pictures where they are off', async () => {
    const nobody = await test({ base_url: 'http://127.0.0.1:9/v1' })
    expect(nobody.body.checks[0]).toMatchObject({ outcome: 'failed' })
    expect(nobody.body.checks[0]?.message).toContain('Nothing is listening at 127.0.0.1:9')
    const blind = await test({ pictures: false })
    expect(outcomes(blind.body)).toContain('pictures skipped')
  })

  it('says what is wrong with an address without an LLM API, and what to try', async () => {
    const { port } = new URL(fake.url)
    const messageFor = async (base_url: string) => (await test({ base_url })).body.checks[0]?.message
    fake.script({ do: 'error', status: 404, body: '404 page not found' })
    expect(await messageFor(`http://localhost:${port}`)).toContain(`try http://localhost:${port}/v1.`)
    const itself = server.running.url
    expect(await messageFor(itself)).toMatch(/no model API at this address.*try .*\/v1\.$/)
    expect(await messageFor(`https://127.0.0.1:${port}/v1`)).toMatch(/does not use https on this port/)
    fake.script({ do: 'error', status: 307, headers: { location: 'https://other.example/v1?key=x' }, body: '' })
    expect(await messageFor(`http://localhost:${port}/v1`)).toContain('another address (https://other.example/v1)')
  })

  it('runs one step alone, and none after one that makes them pointless', async () => {
    const only = async (step: LlmTestStep) =>
      (await admin.send(testSystemLlm, { body: { settings: fakeLlmSettings(fake), only: step } })).body
    expect(outcomes(await only('answer'))).toEqual(['answer ok'])
    expect(outcomes(await only('pictures'))).toEqual(['pictures ok'])
    expect(await only('structured')).toMatchObject({ spent: { calls: 1 }, checks: [{ check: 'structured' }] })
    fake.script({ do: 'error', status: 401, message: 'no' })
    expect(outcomes(await only('answer'))).toEqual(['answer failed', 'structured skipped', 'pictures skipped'])
  })

  it('is stopped when the client disconnects: nothing more is requested', async () => {
    const called = await LlmCallModel.countDocuments()
    fake.script({ do: 'stall' })
    const away = new AbortController()
    const body = { settings: fakeLlmSettings(fake) }
    const asked = admin.send(testSystemLlm, { body, signal: away.signal })
    await expect.poll(() => fake.requests.length).toBe(1)
    away.abort()
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
    await expect.poll(() => fake.requests[0]?.abandoned).toBe(true)
    await expect.poll(() => LlmCallModel.countDocuments({ outcome: 'asking' })).toBe(0)
    expect(fake.requests).toHaveLength(1)
    expect(await LlmCallModel.countDocuments()).toBe(called + 1)
  })

  it('warns that there is no price', async () => {
    const { body } = await test({ price: null })
    expect(body.checks.at(-1)).toMatchObject({ check: 'cost', outcome: 'warn' })
    expect(body.spent.dollars).toBeNull()
  })

  it('does not send a stored key to a newly entered address', async () => {
    await admin.send(changeSystemLlm, {
      body: {
        ...fakeLlmSettings(fake),
        ...systemLlmSettings,
        base_url: 'https://8.8.8.8/v1',
        api_key: 'sk-the-stored-key',
      },
    })
    const stolen = await test()
    expect(stolen.status).toBe(422)
    expect(fake.requests).toEqual([])
  })

  it('of a course tests its own, or the school’s, and counts for the course', async () => {
    const as = api.as(teacher)
    const at = { params: { courseId } }
    expect((await as.send(testCourseLlm, { ...at, body: {} })).status).toBe(409)
    await chooseFakeLlm(admin, fake)
    expect(outcomes((await as.send(testCourseLlm, { ...at, body: {} })).body)).toContain('answer ok')
    const own = await as.send(testCourseLlm, { ...at, body: { settings: fakeLlmSettings(fake, { model: 'fake-2' }) } })
    expect(own.body.name).toBe('openai-compatible/fake-2')
    expect((await as.send(getCourseLlmUsage, at)).body.total).toMatchObject({ calls: 6 })
    const system = await admin.send(getSystemLlmUsage)
    expect(system.body.courses.find(({ id }) => id === courseId)).toMatchObject({ calls: 3 })
    expect((await as.send(testCourseLlm, { ...at, body: { settings: buildLlmSettings() } })).status).toBe(409)
  })
})
