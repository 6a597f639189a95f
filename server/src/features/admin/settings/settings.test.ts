import { registerInstructor, registerStudent } from '@assay/shared/auth.ts'
import {
  changeSystemSettings,
  getPublicSettings,
  getStorageUsage,
  getSystemSettings,
  sendTestMail,
} from '@assay/shared/settings.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AuditModel } from '../../../audit/audit.service.ts'
import { SettingsModel } from '../../../records/system/settings.model.ts'
import { buildAssignment, buildPerson } from '../../../testing/build-course.ts'
import { readMailsTo, startMailServer } from '../../../testing/mail-server.ts'
import { type Caller, useTestApi } from '../../../testing/server.ts'
import { createSettingsStore } from './settings-store.ts'

// In its own folder, whose size is measured.
const { api, server } = useTestApi({ SUPPORT_EMAIL: 'help@school.example', MONGODB_URL: '' })
let admin: Caller
let email = ''
beforeAll(async () => {
  const person = await buildPerson('admin')
  admin = api.as(person)
  email = `${person.username}@school.example`
})
beforeEach(async () => {
  await SettingsModel.deleteMany({})
})

const account = (username: string) => ({
  username,
  email: `${username}@school.example`,
  password: 'Some-Good-7-Phrase',
})
const change = (body: Parameters<typeof admin.send<typeof changeSystemSettings>>[1] & object) =>
  admin.send(changeSystemSettings, body)

describe('a setting', () => {
  it('comes from the environment, then the database, then the default; null resets it', async () => {
    const first = await admin.send(getSystemSettings)
    expect(first.body.values).toMatchObject({
      support_email: { value: 'help@school.example', source: 'environment' },
      instructor_registration: { value: 'open', source: 'default' },
    })
    const stored = await change({ body: { instructor_registration: 'closed' } })
    expect(stored.body.values.instructor_registration).toEqual({ value: 'closed', source: 'stored' })
    const back = await change({ body: { instructor_registration: null } })
    expect(back.body.values.instructor_registration).toEqual({ value: 'open', source: 'default' })
  })

  it('cannot be changed where the environment sets it, and the error names the variable', async () => {
    const refused = await change({ body: { support_email: 'me@x.example', mail_from: 'a@b.example' } })
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'support_email'] }] } })
    expect(refused.body.message).toBeDefined()
    expect(refused.text).toContain('SUPPORT_EMAIL is set by the server’s environment')
    const { values } = (await admin.send(getSystemSettings)).body
    expect(values.mail_from.source).toBe('default')
  })

  it('is the default where an older version stored an invalid value', async () => {
    await SettingsModel.create({ _id: 'system', values: { limit_upload: -3, instructor_registration: 'closed' } })
    const { values } = (await admin.send(getSystemSettings)).body
    expect(values.limit_upload).toEqual({ value: 600, source: 'default' })
    expect(values.instructor_registration.value).toBe('closed')
  })
})

describe('a change', () => {
  it('takes effect at once: who may register as an instructor', async () => {
    const register = async (name: string) =>
      (await api.nobody.send(registerInstructor, { body: { ...account(name), role: 'instructor' } })).status
    await change({ body: { instructor_registration: 'closed' } })
    expect(await register('too-late')).toBe(403)
    expect((await api.nobody.send(getPublicSettings)).body.instructor_registration).toBe('closed')
    await change({ body: { instructor_registration: 'open' } })
    expect(await register('in-time')).toBe(201)
  })

  it('takes effect at once: how often one may register', async () => {
    await change({ body: { limit_registration: 1 } })
    const register = async (name: string) => (await api.nobody.send(registerStudent, { body: account(name) })).status
    expect([await register('first-one'), await register('one-too-many')]).toContain(429)
    await change({ body: { limit_registration: 100 } })
    expect(await register('after-all')).toBe(201)
  })

  it('is rejected as a whole with the error at the field', async () => {
    const wrong = await change({
      body: { limit_upload: 0, smtp_url: 'mail.school.example', mail_from: 'x\r\nBcc: y@z.example' },
    })
    expect(wrong.status).toBe(422)
    expect(wrong.body.validation_errors?.map(({ field }) => field).sort()).toEqual([
      'limit_upload',
      'mail_from',
      'smtp_url',
    ])
    expect(await SettingsModel.countDocuments()).toBe(0)
  })

  it('is audited with before and after, for what really changed', async () => {
    await AuditModel.deleteMany({ action: 'settings.changed' })
    await change({ body: { limit_upload: 7 } })
    await change({ body: { limit_upload: 7 } })
    expect(await AuditModel.find({ action: 'settings.changed' }).lean()).toMatchObject([
      { before: { limit_upload: 600 }, after: { limit_upload: 7 } },
    ])
  })
})

describe('the mail server', () => {
  const listening: Awaited<ReturnType<typeof startMailServer>>[] = []
  afterEach(() => {
    for (const one of listening.splice(0)) one.close()
  })

  async function start(refuses = false) {
    const one = await startMailServer({ refuses })
    listening.push(one)
    return { ...one, smtp_url: one.url.replace('//', '//postman:top-secret-7@') }
  }

  it('is used from then on, shown without its password, and stored encrypted', async () => {
    const { url, smtp_url, heard } = await start()
    const reply = await change({ body: { smtp_url, mail_from: 'Assay <assay@school.example>' } })
    expect(reply.body.values.smtp_url).toEqual({ value: url, source: 'stored' })
    const sent = await admin.send(sendTestMail)
    expect(sent.body).toEqual({ outcome: 'sent', message: `The mail server accepted the email to ${email}.` })
    expect(heard.join('\n')).toMatch(/MAIL FROM:<assay@school\.example>[\s\S]*A test from Assay/)
    const stored = JSON.stringify([await SettingsModel.find().lean(), await AuditModel.find().lean()])
    expect([stored, reply.text].join()).not.toMatch(/top-secret-7|postman/)
  })

  it('has its error message shown, without the password', async () => {
    const { smtp_url } = await start(true)
    await change({ body: { smtp_url } })
    const sent = await admin.send(sendTestMail)
    expect(sent.body).toMatchObject({ outcome: 'failed', message: expect.stringContaining('535') })
    expect(sent.text).not.toContain('top-secret-7')
  })

  it('that is missing leaves mail in the outbox', async () => {
    const sent = await admin.send(sendTestMail)
    expect(sent.body.outcome).toBe('written')
    expect(await readMailsTo(server.running.services.config.dataDir, email)).toHaveLength(1)
  })

  it('encrypted with another SECRET_KEY counts as missing, and that is reported', async () => {
    const { config } = server.running.services
    await createSettingsStore({ ...config, secretKey: 'another'.repeat(6) }).change({
      smtp_url: 'smtp://user:secret@127.0.0.1:1',
    })
    const { body } = await admin.send(getSystemSettings)
    expect(body).toMatchObject({ smtp_unreadable: true, values: { smtp_url: { value: null, source: 'default' } } })
  })
})

it('measures the space papers take, each content once', async () => {
  const before = (await admin.send(getStorageUsage)).body
  const instructor = await buildPerson('instructor')
  const bytes = Buffer.from('%PDF-1.4\nnot much of a paper')
  const papers = ['one.pdf', 'two.pdf'].map((name) => ({ name, bytes }))
  await buildAssignment(api, { instructor }, papers)
  const after = (await admin.send(getStorageUsage)).body
  expect(after.papers - before.papers).toBe(3) // Blank, key and two submissions with the same content.
  expect(after.paper_bytes).toBeGreaterThan(before.paper_bytes + bytes.length)
  expect(after.free_bytes).toBeGreaterThan(0)
  expect(after.database_bytes).toBeGreaterThan(0)
})
