import {
  changeSystemModel,
  getCourseModelUsage,
  getSystemModelUsage,
  type ModelTest,
  testCourseModel,
  testSystemModel,
} from '@assay/shared/model.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FakeModel, startFakeModel } from '../../../../tests/fake-model/fake-model.ts'
import { passTests } from '../../../../tests/fake-model/pass-tests.ts'
import { apiOf, type Caller, type Person } from '../../testing/api.ts'
import { buildCourse, buildPerson } from '../../testing/build.ts'
import { forSystem, modelSettings, settingsOfFake } from '../../testing/model.ts'
import { useServer } from '../../testing/server.ts'
import { ModelCallModel } from './model-call.model.ts'
import { ModelSettingsModel } from './model-settings.model.ts'

const server = useServer({ AI_PRIVATE_ADDRESSES: 'on' })
const api = apiOf(server)
let fake: FakeModel
let admin: Caller
let teacher: Person
let courseId = 0
beforeAll(async () => {
  fake = await startFakeModel()
  await passTests(fake)
  admin = api.as(await buildPerson('admin'))
  const course = await buildCourse(api, { students: 0 })
  teacher = course.instructor
  courseId = course.courseId
})
afterAll(() => fake.stop())
beforeEach(async () => {
  fake.reset()
  Object.assign(fake.settings, { takesPictures: true, key: null, model: null, counts: true })
  await ModelSettingsModel.deleteMany({})
})

const outcomes = (test: ModelTest) => test.checks.map(({ check, outcome }) => `${check} ${outcome}`)
const test = (more: object = {}) =>
  admin.send(testSystemModel, { body: { settings: settingsOfFake(fake, more) } })

describe('a test of the connection', () => {
  it.each(['openai-compatible', 'openai', 'anthropic', 'google'] as const)(
    'says what works and what it costs, with what nobody has saved: %s',
    async (provider) => {
      const before = await ModelCallModel.countDocuments()
      const { body } = await test({ provider, api_key: 'sk-a-key-to-try-out' })
      expect(outcomes(body)).toEqual(['answer ok', 'structured ok', 'pictures ok', 'speed ok', 'cost ok'])
      expect(body).toMatchObject({ host: new URL(fake.url).host, spent: { calls: 3, failures: 0 } })
      expect(body.spent.dollars).toBeGreaterThan(0)
      // Counted as a test, and nothing stored of the settings.
      expect(await ModelCallModel.countDocuments({ purpose: 'test' })).toBe(before + 3)
      expect(await ModelSettingsModel.countDocuments()).toBe(0)
      const used = await admin.send(getSystemModelUsage)
      expect(used.body.by_purpose).toMatchObject([{ purpose: 'test', calls: before + 3 }])
    },
  )

  it('says what does not: pictures and lists that the model makes a mess of', async () => {
    fake.settings.takesPictures = false
    fake.script({ do: 'say', value: { criteria: [] }, when: /c1 \(0 to 2/, times: 2 })
    const { body } = await test()
    expect(outcomes(body).slice(0, 3)).toEqual(['answer ok', 'structured failed', 'pictures failed'])
    expect(body.checks[1]?.message).toContain('exactly the criteria c1 and c2')
    expect(body.checks[2]?.message).toContain('cannot look at pictures')
  })

  it('is not taken in by a model that takes the picture and makes something up', async () => {
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

  it('says that nobody is there, and does not ask for pictures where they are off', async () => {
    const nobody = await test({ base_url: 'http://127.0.0.1:9/v1' })
    expect(nobody.body.checks[0]).toMatchObject({ outcome: 'failed' })
    expect(nobody.body.checks[0]?.message).toContain('could not be reached')
    const blind = await test({ pictures: false })
    expect(outcomes(blind.body)).toContain('pictures skipped')
  })

  it('warns that there is no price', async () => {
    const { body } = await test({ price: null })
    expect(body.checks.at(-1)).toMatchObject({ check: 'cost', outcome: 'warn' })
    expect(body.spent.dollars).toBeNull()
  })

  it('does not send a stored key to an address that somebody types', async () => {
    await admin.send(changeSystemModel, {
      body: {
        ...settingsOfFake(fake),
        ...forSystem,
        base_url: 'https://8.8.8.8/v1',
        api_key: 'sk-the-stored-key',
      },
    })
    const stolen = await test()
    expect(stolen.status).toBe(422)
    expect(fake.requests).toEqual([])
  })

  it('of a course tries its own, or the school’s, and counts for the course', async () => {
    const as = api.as(teacher)
    const at = { params: { courseId } }
    expect((await as.send(testCourseModel, { ...at, body: {} })).status).toBe(409)
    await admin.send(changeSystemModel, { body: { ...settingsOfFake(fake), ...forSystem } })
    expect(outcomes((await as.send(testCourseModel, { ...at, body: {} })).body)).toContain('answer ok')
    const own = await as.send(testCourseModel, {
      ...at,
      body: { settings: settingsOfFake(fake, { model: 'fake-2' }) },
    })
    expect(own.body.name).toBe('openai-compatible/fake-2')
    expect((await as.send(getCourseModelUsage, at)).body.total).toMatchObject({ calls: 6 })
    const system = await admin.send(getSystemModelUsage)
    expect(system.body.courses.find(({ id }) => id === courseId)).toMatchObject({ calls: 3 })
    expect((await as.send(testCourseModel, { ...at, body: { settings: modelSettings() } })).status).toBe(409)
  })
})
