import { getCsrfToken, getMe, registerInstructor, registerStudent, signIn } from '@assay/shared/auth.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { SessionModel } from '../../records/people/session.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { buildPerson } from '../../testing/build-course.ts'
import { createTestApi, useServer } from '../../testing/server.ts'
import { createCsrfToken } from './session.service.ts'

const server = useServer({ LIMIT_SIGN_IN_ACCOUNT: '3', LIMIT_SIGN_IN_ADDRESS: '40', LIMIT_REGISTRATION: '30' })
const api = createTestApi(server)

const form = (name: string) => ({ username: name, email: `${name}@school.example`, password: 'Some-Good-7-Phrase' })

describe('registering', () => {
  it('creates an account that can sign in by username or address, in any case', async () => {
    const made = await api.nobody.send(registerInstructor, {
      body: { ...form('Grace'), role: 'instructor', full_name: ' Grace H. ', institution: 'Yale' },
    })
    expect(made).toMatchObject({
      status: 201,
      body: { role: 'instructor', full_name: 'Grace H.', institution: 'Yale' },
    })
    expect(made.text).not.toContain('argon2')
    for (const username of ['grace', 'GRACE@school.example']) {
      const reply = await api.nobody.send(signIn, { body: { username, password: form('').password } })
      expect(reply.status).toBe(200)
    }
    const stored = await UserModel.findOne({ username_key: 'grace' }).lean()
    expect(stored?.password_hash).toMatch(/^\$argon2id\$/)
  })

  it('ignores a role in a student’s registration', async () => {
    const body = { ...form('sly'), role: 'admin' }
    const made = await api.nobody.send(registerStudent, { body })
    expect(made.body.role).toBe('student')
    const refused = await api.nobody.send(registerInstructor, {
      body: { ...form('sly2'), role: 'admin' as 'instructor' },
    })
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'role'] }] } })
  })

  it('answers 409 at the field for a taken name, even in another case, whatever the address', async () => {
    await api.nobody.send(registerStudent, { body: form('taken') })
    const name = await api.nobody.send(registerStudent, { body: { ...form('x'), username: 'TAKEN' } })
    expect(name).toMatchObject({
      status: 409,
      body: { error_code: 'duplicate', validation_errors: [{ field: 'username' }] },
    })
    const both = await api.nobody.send(registerStudent, { body: form('Taken') })
    expect(both).toMatchObject({ status: 409, body: { validation_errors: [{ field: 'username' }] } })
  })

  it('accepts one of two who register the same name at the same moment', async () => {
    const twice = [1, 2].map((i) =>
      api.nobody.send(registerStudent, { body: { ...form('race'), email: `race${i}@school.example` } }),
    )
    expect((await Promise.all(twice)).map((reply) => reply.status).sort()).toEqual([201, 409])
  })
})

describe('a session', () => {
  it('ends when it expires, even before the database has deleted it', async () => {
    const ada = await buildPerson('student')
    const person = api.again(ada)
    await person.send(getMe)
    await SessionModel.updateMany({ user_id: ada.id }, { $set: { expires_at: new Date(Date.now() - 1000) } })
    expect((await person.send(getMe)).status).toBe(401)
  })

  it('needs a token signed with our key', async () => {
    const ada = await buildPerson('student')
    await api.again(ada).send(getMe)
    const session = await SessionModel.findOne({ user_id: ada.id }).lean()
    const claims = { sid: session?._id }
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('assay')
      .setAudience('assay-api')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('another key of more than 32 characters'))
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const none = `${encode({ alg: 'none' })}.${encode({ ...claims, iss: 'assay', aud: 'assay-api' })}.`
    for (const token of [forged, none, 'rubbish', '']) {
      const reply = await api.nobody.send(getMe, { headers: { authorization: `Bearer ${token}` } })
      expect(reply.status).toBe(401)
    }
  })
})

describe('the CSRF token', () => {
  it('is required on every change by a signed-in caller, and must be the session’s own', async () => {
    const teacher = api.again(await buildPerson('instructor'))
    const other = api.again(await buildPerson('instructor'))
    const token = await teacher.token()
    const { secretKey } = server.running.services.config
    const old = createCsrfToken('some-session', secretKey, new Date(Date.now() - 2 * 3600_000))
    const theirs = (
      await api.nobody.send(getCsrfToken, { headers: { authorization: `Bearer ${await other.token()}` } })
    ).body.csrf_token
    for (const csrf of ['', 'x.y', old, theirs]) {
      const reply = await api.nobody.send(createCourse, {
        body: { name: 'Stolen' },
        headers: { authorization: `Bearer ${token}`, 'x-csrf-token': csrf },
      })
      expect(reply).toMatchObject({ status: 403, body: { type: 'csrf_error', error_code: 'csrf_failed' } })
    }
    expect((await teacher.send(createCourse, { body: { name: 'Mine' } })).status).toBe(201)
  })
})

it('sends with somebody’s own profile a CSRF token of their session', async () => {
  const token = await api.again(await buildPerson('instructor')).token()
  const authorization = `Bearer ${token}`
  const csrf = (await api.nobody.send(getMe, { headers: { authorization } })).headers.get('x-csrf-token') ?? ''
  const headers = { authorization, 'x-csrf-token': csrf }
  expect((await api.nobody.send(createCourse, { body: { name: 'Mine' }, headers })).status).toBe(201)
})

describe('guessing passwords', () => {
  it('does not reveal which accounts exist', async () => {
    const ada = await buildPerson('student')
    const answer = async (username: string) => {
      const { status, body } = await api.nobody.send(signIn, { body: { username, password: 'wrong' } })
      return { status, code: body.error_code, message: body.message }
    }
    expect(await answer(ada.username)).toEqual(await answer('no-such-person'))
  })
})
