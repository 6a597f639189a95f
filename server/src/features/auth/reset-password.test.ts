import { forgotPassword, getMailedLink, getMe, resetPassword, signIn } from '@assay/shared/auth.ts'
import { describe, expect, it } from 'vitest'
import { SessionModel } from '../../records/people/session.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { buildPerson } from '../../testing/build-course.ts'
import { readMailsTo, waitForMail } from '../../testing/mail-server.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { requireUser } from '../users/user.service.ts'
import { startSession } from './session.service.ts'

const { api, server } = useTestApi({ LIMIT_RESET: '4' })
const NEW = 'Slate-kite 19'

const addressOf = (person: Person) => `${person.username}@school.example`
const forget = (email: string) => api.nobody.send(forgotPassword, { body: { email } })
const reset = (token: string, new_password = NEW) => api.nobody.send(resetPassword, { body: { token, new_password } })
const signInWith = async (person: Person, password: string) =>
  (await api.nobody.send(signIn, { body: { username: person.username, password } })).status

async function linkFor(person: Person, count = 1) {
  await forget(addressOf(person))
  return waitForMail(server.running.services.config.dataDir, addressOf(person), count)
}

describe('a forgotten password', () => {
  it('is reset by the mailed link, once; all sessions end, and the address is confirmed', async () => {
    const ada = await buildPerson('student', { email_verified: false })
    const before = api.again(ada)
    expect((await before.send(getMe)).body.email_verified).toBe(false)
    const mail = await linkFor(ada)
    expect(mail.link).toContain('/auth/reset-password?token=')
    expect(new URLSearchParams(mail.link.split('?')[1]).get('email')).toBe(addressOf(ada))

    expect((await reset(mail.token)).status).toBe(200)
    expect((await before.send(getMe)).status).toBe(401)
    expect(await signInWith(ada, ada.password)).toBe(401)
    expect(await signInWith(ada, NEW)).toBe(200)
    expect((await api.again({ ...ada, password: NEW }).send(getMe)).body.email_verified).toBe(true)
    const again = await reset(mail.token, 'Other-Slate 20')
    expect(again).toMatchObject({
      status: 400,
      body: { error_code: 'link_invalid', detail: 'Invalid reset link. Please request a new password reset.' },
    })
    expect(await signInWith(ada, NEW)).toBe(200)
  })

  it('leaves no session that started from the old password just before', async () => {
    const ada = await buildPerson('student')
    const known = await requireUser(ada.id)
    await reset((await linkFor(ada)).token)
    await expect(startSession(known, server.running.services)).rejects.toMatchObject({ code: 'conflict' })
    expect(await SessionModel.countDocuments({ user_id: ada.id })).toBe(0)
  })

  it('answers the same for an unknown address, and mails nothing there', async () => {
    const ada = await buildPerson('student')
    const [known, unknown] = [await forget(addressOf(ada)), await forget('nobody.at.all@school.example')]
    expect(unknown).toMatchObject({ status: 200, body: known.body })
    const { dataDir } = server.running.services.config
    await waitForMail(dataDir, addressOf(ada))
    // Mails are sent in order, so by now the other would have been sent too.
    await linkFor(await buildPerson('student'))
    expect(await readMailsTo(dataDir, 'nobody.at.all@school.example')).toEqual([])
  })

  it('accepts one of two who follow the same link at once', async () => {
    const { token } = await linkFor(await buildPerson('student'))
    const both = await Promise.all([reset(token), reset(token, 'Other-Slate 20')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('accepts only the last link, within an hour, and to the account’s present address', async () => {
    const ada = await buildPerson('student')
    const first = await linkFor(ada)
    const second = await linkFor(ada, 2)
    expect((await reset(first.token)).status).toBe(400)
    const look = () => api.nobody.send(getMailedLink, { body: { token: second.token } })
    expect((await look()).body).toMatchObject({ purpose: 'reset', username: ada.username })
    await UserModel.updateOne({ _id: ada.id }, { $set: { email_key: 'moved@school.example' } })
    expect((await look()).status).toBe(400)
    expect((await reset(second.token)).status).toBe(400)
    expect(await signInWith(ada, ada.password)).toBe(200)
  })

  it.each([
    ['', 'New password is required'],
    ['Ab1-xyz', 'Password must be at least 8 characters'],
    ['alllowercase', 'Password is too weak. Please use a stronger password.'],
    [`Aa1${'x'.repeat(130)}`, 'Password must not exceed 128 characters'],
  ])('rejects %j at its field and leaves the link valid', async (password, message) => {
    const reply = await reset('whatever', password)
    expect(reply).toMatchObject({ status: 422, body: { validation_errors: [{ field: 'new_password', message }] } })
  })

  it('mails one mailbox a few times an hour, then answers how long to wait', async () => {
    const email = 'flooded@school.example'
    for (let i = 0; i < 4; i++) expect((await forget(email)).status).toBe(200)
    const stopped = await forget(email.toUpperCase())
    expect(stopped).toMatchObject({ status: 429, body: { error_code: 'rate_limit_exceeded' } })
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await forget('somebody.else@school.example')).status).toBe(200)
  })
})
