import { deleteCourse } from '@assay/shared/courses.ts'
import {
  changeCourseLlm,
  changeSystemLlm,
  getCourseLlm,
  getSystemLlm,
  removeCourseLlm,
  testCourseLlm,
  testSystemLlm,
} from '@assay/shared/llm/llm.ts'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFakeLlm } from '../../../../tests/fake-llm/fake-llm.ts'
import { AuditModel } from '../../audit/audit.service.ts'
import { encryptSecret } from '../../lib/security/secret-encryption.ts'
import { LlmSettingsModel } from '../../records/llm/llm-settings.model.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { buildLlmSettings, smallLlmRequest, systemLlmSettings } from '../../testing/llm-settings.ts'
import { type Caller, type Person, useTestApi } from '../../testing/server.ts'
import { KEY_PURPOSE } from './resolve-llm.ts'

const { api, server } = useTestApi()
let admin: Caller
beforeAll(async () => {
  admin = api.as(await buildPerson('admin'))
})
beforeEach(async () => {
  await LlmSettingsModel.deleteMany({})
  await AuditModel.deleteMany({ action: /model/ })
})

const KEY = 'sk-very-secret-key-4711'
const openai = buildLlmSettings({ provider: 'openai', model: 'some-model' })
const elsewhere = buildLlmSettings({
  provider: 'openai-compatible',
  model: 'some-model',
  base_url: 'https://models.school.example/v1',
})
const change = (body: object) =>
  admin.send(changeSystemLlm, { body: { ...buildLlmSettings(), ...systemLlmSettings, ...body } })
const fieldsOf = (reply: { body: { validation_errors?: { field: string }[] | undefined } }) =>
  reply.body.validation_errors?.map(({ field }) => field)
const chosen = (courseId: number) => server.running.services.llm.chosenFor(courseId)

describe('a key', () => {
  it('is never sent back, stored in plain text or in the audit log; its last letters are', async () => {
    const stored = await change({ ...openai, api_key: KEY })
    expect(stored.body).toMatchObject({ has_key: true, key_ends: '4711', key_unreadable: false })
    const shown = await admin.send(getSystemLlm)
    expect(stored.text + shown.text).not.toContain('sk-very')
    expect(JSON.stringify(await LlmSettingsModel.find().lean())).not.toContain('sk-very')
    const audit = await AuditModel.find({ action: 'model.changed' }).lean()
    expect(audit).toMatchObject([{ after: { provider: 'openai', has_key: true, key_entered: true } }])
    expect(JSON.stringify(audit)).not.toContain('sk-very')
  })

  it('stays when other settings change, and is deleted when it is removed', async () => {
    await change({ ...elsewhere, api_key: KEY })
    expect((await change({ ...elsewhere, model: 'another' })).body).toMatchObject({ has_key: true })
    expect((await change({ ...elsewhere, api_key: null })).body).toMatchObject({ has_key: false })
  })

  it.each([
    ['another address', { base_url: 'https://thief.example/v1' }],
    ['another provider', { provider: 'anthropic' as const, base_url: null }],
  ])('must be entered again for %s, so that nobody has it sent where it was not meant for', async (_, to) => {
    await change({ ...elsewhere, api_key: KEY })
    const moved = await change({ ...elsewhere, ...to })
    expect(moved.status).toBe(422)
    expect(fieldsOf(moved)).toEqual(['api_key'])
    const again = await change({ ...elsewhere, ...to, api_key: 'sk-another-key-0815' })
    expect(again.body).toMatchObject({ has_key: true, key_ends: '0815' })
  })

  it('is reported as unreadable when SECRET_KEY was changed, also by requests', async () => {
    await change({ ...openai, api_key: KEY })
    const sealed = encryptSecret(KEY, 'another SECRET_KEY than the one of now', KEY_PURPOSE)
    await LlmSettingsModel.updateOne({}, { $set: { key_sealed: sealed } })
    expect((await admin.send(getSystemLlm)).body).toMatchObject({ has_key: true, key_unreadable: true })
    const { llm } = server.running.services
    const model = await llm.chosenFor(null)
    if (!model) throw new Error('no model')
    await expect(llm.clientFor(model, { course_id: null })(smallLlmRequest)).rejects.toMatchObject({
      code: 'key_refused',
      scope: 'settings',
    })
    expect(fieldsOf(await change(openai))).toEqual(['api_key'])
  })

  it('is required where the provider needs one, and may be missing where it does not', async () => {
    expect(fieldsOf(await change(openai))).toEqual(['api_key'])
    expect((await change(elsewhere)).status).toBe(200)
  })
})

describe('settings', () => {
  it.each([
    ['a name and a password', 'https://user:pass-4711@models.school.example/v1'],
    ['a query', 'https://models.school.example/v1?key=pass-4711'],
    ['what follows a “#”', 'https://models.school.example/v1#pass-4711'],
  ])('refuse an address with %s, which the audit log would tell', async (_, base_url) => {
    expect(fieldsOf(await change({ ...elsewhere, base_url }))).toEqual(['base_url'])
    const tested = await admin.send(testSystemLlm, { body: { settings: { ...elsewhere, base_url } } })
    expect(fieldsOf(tested)).toEqual(['base_url'])
    expect(await AuditModel.countDocuments({ action: 'model.changed' })).toBe(0)
  })

  it('say at the field what is missing', async () => {
    expect(fieldsOf(await change({ ...openai, model: ' ', api_key: KEY }))).toEqual(['model'])
    expect(fieldsOf(await change({ ...elsewhere, base_url: null }))).toEqual(['base_url'])
    const second = await change({ ...elsewhere, second_opinion: 'other' })
    expect(fieldsOf(second)).toEqual(['second_model'])
  })

  it('apply at once, and the offline grader grades until there are any', async () => {
    expect(await server.running.services.llm.chosenFor(null)).toBeNull()
    await change({ ...elsewhere, at_once: 3 })
    expect(await server.running.services.llm.chosenFor(null)).toMatchObject({
      source: 'system',
      name: 'openai-compatible/some-model',
      at_once: 3,
    })
  })
})

describe('a course’s own LLM', () => {
  let teacher: Person
  let courseId = 0
  beforeAll(async () => {
    const course = await buildCourse(api, { students: 0 })
    teacher = course.instructor
    courseId = course.courseId
  })
  const own = (body: object) =>
    api.as(teacher).send(changeCourseLlm, { params: { courseId }, body: { ...elsewhere, ...body } })

  it('overrides the system’s for that course alone, until it is removed', async () => {
    await change({ ...openai, api_key: KEY })
    // No name is looked up for an address in numbers.
    const set = await own({ base_url: 'https://8.8.8.8/v1', api_key: 'sk-course-key-1234' })
    expect(set.body).toMatchObject({ in_force: 'course', own: { has_key: true, key_ends: '1234' } })
    expect(set.text).not.toContain('sk-course')
    expect(await chosen(courseId)).toMatchObject({ source: 'course', provider: 'openai-compatible' })
    expect(await chosen(courseId + 1000)).toMatchObject({ source: 'system', provider: 'openai' })
    const removed = await api.as(teacher).send(removeCourseLlm, { params: { courseId } })
    expect(removed.body).toMatchObject({ in_force: 'school', own: null })
    expect(await chosen(courseId)).toMatchObject({ source: 'system' })
    expect(await AuditModel.distinct('action', { 'subject.course_id': courseId, action: /model/ })).toEqual([
      'course.model_changed',
      'course.model_removed',
    ])
  })

  it('may be the offline grader, which sends nothing anywhere', async () => {
    await change({ ...openai, api_key: KEY })
    await own({ ...buildLlmSettings() })
    expect(await chosen(courseId)).toBeNull()
  })

  it('is not used while the administrator has switched teachers’ keys off', async () => {
    await own({ base_url: 'https://8.8.8.8/v1' })
    await change({ teachers_keys: false })
    expect(await chosen(courseId)).toBeNull()
    expect((await own({ base_url: 'https://8.8.8.8/v1' })).status).toBe(409)
    const shown = await api.as(teacher).send(getCourseLlm, { params: { courseId } })
    expect(shown.body).toMatchObject({ may_have_own: false, in_force: 'school' })
  })

  it.each([
    ['without TLS', 'http://8.8.8.8/v1'],
    ['on this machine', 'https://127.0.0.1:11434/v1'],
    ['on this machine by name', 'https://localhost/v1'],
    ['in the network inside', 'https://192.168.1.20/v1'],
    ['with the cloud’s own data', 'https://169.254.169.254/latest'],
    ['with a password in it', 'https://a:b@8.8.8.8/v1'],
    ['with a query', 'https://8.8.8.8/v1?key=x'],
  ])('does not stand at an address %s', async (_, base_url) => {
    expect(fieldsOf(await own({ base_url }))).toEqual(['base_url'])
    const tested = await api
      .as(teacher)
      .send(testCourseLlm, { params: { courseId }, body: { settings: { ...elsewhere, base_url } } })
    expect(fieldsOf(tested)).toEqual(['base_url'])
    expect(await LlmSettingsModel.countDocuments({ course_id: courseId })).toBe(0)
  })

  it('gets no request in the private network, whatever its name resolved to when it was entered', async () => {
    const fake = await startFakeLlm()
    try {
      await own({ base_url: 'https://8.8.8.8/v1', api_key: KEY })
      // As if the name resolved to another address since.
      const moved = { 'values.base_url': fake.baseUrlOf('openai-compatible').replace('http:', 'https:') }
      await LlmSettingsModel.updateOne({ course_id: courseId }, { $set: moved })
      const { llm } = server.running.services
      const model = await llm.chosenFor(courseId)
      if (!model) throw new Error('no model')
      await expect(llm.clientFor(model, { course_id: courseId })(smallLlmRequest)).rejects.toMatchObject({
        scope: 'settings',
        message: expect.stringContaining('private address'),
      })
      expect(fake.requests).toEqual([])
    } finally {
      await fake.stop()
    }
  })

  it('is deleted with the course, and its key with it', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const as = api.as(instructor)
    await as.send(changeCourseLlm, {
      params: { courseId },
      body: { ...elsewhere, base_url: 'https://8.8.8.8/v1', api_key: KEY },
    })
    expect(await LlmSettingsModel.countDocuments({ course_id: courseId })).toBe(1)
    await as.send(deleteCourse, { params: { courseId } })
    expect(await LlmSettingsModel.countDocuments({ course_id: courseId })).toBe(0)
  })
})
