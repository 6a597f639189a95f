import { randomUUID } from 'node:crypto'
import {
  approveUser,
  changeUserRole,
  createManagedUser,
  deactivateUser,
  listUsers,
  reactivateUser,
  sendUserLink,
} from '@assay/shared/admin.ts'
import { getMe, registerInstructor, signIn } from '@assay/shared/auth.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { io } from 'socket.io-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { readMailsTo, waitForMail } from '../../testing/mail-server.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { startSession } from '../auth/session.service.ts'
import { requireUser } from '../users/user.service.ts'

const { api, server } = useTestApi({ INSTRUCTOR_REGISTRATION: 'approval' })
let admin: Person
beforeAll(async () => {
  admin = await buildPerson('admin')
})

const of = (person: Person) => ({ params: { userId: person.id } })
const fresh = () => `u-${randomUUID().slice(0, 8)}`
const auditOf = (person: { id: number }) => AuditModel.find({ 'subject.user_id': person.id }).sort({ _id: 1 }).lean()

describe('the list', () => {
  it('finds people by part of a username, address or full name, or by id, and treats patterns as text', async () => {
    const unique = fresh()
    const person = await buildPerson('student', { username: unique, full_name: `Zoë ${unique}` })
    const find = async (search: string) =>
      (await api.as(admin).send(listUsers, { query: { search } })).body.map((user) => user.id)
    expect(await find(unique.toUpperCase())).toEqual([person.id])
    expect(await find(`${unique}@school`)).toEqual([person.id])
    expect(await find(`zoë ${unique}`)).toEqual([person.id])
    expect(await find(String(person.id))).toContain(person.id)
    expect(await find(`${unique}.*`)).toEqual([])
  })

  it('filters, sorts, pages and returns the total', async () => {
    const tag = fresh()
    const [b, a, c] = [
      await buildPerson('student', { username: `B${tag}` }),
      await buildPerson('student', { username: `a${tag}` }),
      await buildPerson('instructor', { username: `c${tag}` }),
    ]
    const query = { search: tag, sort: 'username', direction: 'asc' } as const
    const all = await api.as(admin).send(listUsers, { query })
    expect(all.body.map((user) => user.id)).toEqual([a.id, b.id, c.id])
    const second = await api.as(admin).send(listUsers, { query: { ...query, skip: 1, limit: 1 } })
    expect(second.body.map((user) => user.id)).toEqual([b.id])
    expect(second.headers.get('x-total-count')).toBe('3')
    const teachers = await api.as(admin).send(listUsers, { query: { ...query, role: 'instructor' } })
    expect(teachers.body.map((user) => user.id)).toEqual([c.id])
    await api.as(admin).send(deactivateUser, of(a))
    const off = await api.as(admin).send(listUsers, { query: { ...query, account: 'deactivated' } })
    expect(off.body.map((user) => user.id)).toEqual([a.id])
  })

  it('shows when someone was last active and what they teach, and never a password', async () => {
    const { instructor } = await buildCourse(api, { students: 0 })
    const search = String(instructor.username)
    const seen = async () => (await api.as(admin).send(listUsers, { query: { search } })).body[0]
    await expect.poll(async () => (await seen())?.last_seen_at).not.toBeNull()
    expect(await seen()).toMatchObject({ courses_taught: 1, account: 'active' })
    expect(JSON.stringify(await seen())).not.toMatch(/password|argon2/)
  })
})

describe('a role', () => {
  it('changes and ends the sessions, so that the next sign-in has it', async () => {
    const person = await buildPerson('student')
    const before = api.again(person)
    expect((await before.send(createCourse, { body: { name: 'Mine' } })).status).toBe(403)
    const changed = await api.as(admin).send(changeUserRole, { ...of(person), body: { role: 'instructor' } })
    expect(changed.body).toMatchObject({ role: 'instructor' })
    expect((await before.send(getMe)).status).toBe(401)
    expect((await api.again(person).send(createCourse, { body: { name: 'Mine' } })).status).toBe(201)
  })

  it('cannot be changed on one’s own account, which cannot be deactivated either', async () => {
    const role = await api.as(admin).send(changeUserRole, { ...of(admin), body: { role: 'student' } })
    const off = await api.as(admin).send(deactivateUser, of(admin))
    expect([role.status, role.body.error_code]).toEqual([409, 'own_account'])
    expect([off.status, off.body.error_code]).toEqual([409, 'own_account'])
    expect((await api.as(admin).send(getMe)).body.role).toBe('admin')
  })

  it('stays with at least one administrator, even when two demote each other at once', async () => {
    const [one, two] = [await buildPerson('admin'), await buildPerson('admin')]
    const callers = [api.as(one), api.as(two)]
    await Promise.all(callers.map((caller) => caller.send(getMe)))
    await UserModel.updateMany({ role: 'admin', _id: { $nin: [one.id, two.id] } }, { $set: { account: 'pending' } })
    try {
      await Promise.all([
        callers[0]?.send(changeUserRole, { ...of(two), body: { role: 'student' } }),
        callers[1]?.send(changeUserRole, { ...of(one), body: { role: 'student' } }),
      ])
      expect(await UserModel.countDocuments({ role: 'admin', account: 'active' })).toBeGreaterThan(0)
    } finally {
      await UserModel.updateMany({ role: 'admin' }, { $set: { account: 'active' } })
    }
  })
})

describe('deactivating an account', () => {
  it('ends its sessions and connections at once; reactivated, it can sign in again', async () => {
    const person = await buildPerson('instructor')
    const caller = api.again(person)
    const socket = io(server.running.url, { auth: { token: await caller.token() }, reconnection: false })
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    const gone = new Promise<string>((resolve) => socket.once('disconnect', resolve))
    const off = await api.as(admin).send(deactivateUser, of(person))
    expect(off.body).toMatchObject({ account: 'deactivated' })
    expect(await gone).toBe('io server disconnect')
    expect((await caller.send(getMe)).status).toBe(401)
    const login = { body: { username: person.username, password: person.password } }
    expect((await api.nobody.send(signIn, login)).body.error_code).toBe('account_deactivated')
    await api.as(admin).send(reactivateUser, of(person))
    expect((await api.nobody.send(signIn, login)).status).toBe(200)
    expect((await auditOf(person)).map((entry) => entry.action)).toEqual(['user.deactivated', 'user.reactivated'])
  })

  it('leaves no session that started from a password checked just before', async () => {
    const person = await buildPerson('student')
    const known = await requireUser(person.id)
    await api.as(admin).send(deactivateUser, of(person))
    await expect(startSession(known, server.running.services)).rejects.toMatchObject({ code: 'account_deactivated' })
  })
})

describe('an account created by an LMS', () => {
  const lmsAccount = async () => {
    const person = await buildPerson('student', { email_verified: false })
    const fields = { from_lms: true, email_key: `lti:${person.id}`, password_hash: null }
    await UserModel.updateOne({ _id: person.id }, { $set: fields })
    return person
  }

  it('cannot become an administrator, is mailed no link, and is reactivated without one', async () => {
    const person = await lmsAccount()
    const role = await api.as(admin).send(changeUserRole, { ...of(person), body: { role: 'admin' } })
    expect(role.status).toBe(409)
    expect(await api.as(admin).send(sendUserLink, of(person))).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('LMS') },
    })
    expect(await auditOf(person)).toEqual([])
    await api.as(admin).send(deactivateUser, of(person))
    const again = await api.as(admin).send(reactivateUser, of(person))
    expect(again.body).toMatchObject({ account: 'active', from_lms: true })
  })

  it('stays deactivated once it was merged into another account', async () => {
    const [person, other] = [await lmsAccount(), await buildPerson('student')]
    const fields = { account: 'deactivated', joined_into: other.id }
    await UserModel.updateOne({ _id: person.id }, { $set: fields })
    expect((await api.as(admin).send(reactivateUser, of(person))).status).toBe(409)
    expect(await requireUser(person.id)).toMatchObject({ account: 'deactivated' })
  })
})

describe('approving', () => {
  it('activates a registered instructor and no deactivated account', async () => {
    const form = { username: fresh(), email: `${fresh()}@school.example`, password: 'Some-Good-7-Phrase' }
    const made = await api.nobody.send(registerInstructor, { body: { ...form, role: 'instructor' } })
    const login = { body: { username: form.username, password: form.password } }
    expect((await api.nobody.send(signIn, login)).body.error_code).toBe('account_pending')
    const approved = await api.as(admin).send(approveUser, { params: { userId: made.body.id } })
    expect(approved.body).toMatchObject({ account: 'active' })
    expect((await api.nobody.send(signIn, login)).status).toBe(200)
    expect((await auditOf(made.body)).map((entry) => entry.action)).toEqual(['user.approved'])
    const off = await buildPerson('instructor')
    await api.as(admin).send(deactivateUser, of(off))
    expect((await api.as(admin).send(approveUser, of(off))).status).toBe(409)
  })
})

describe('a new account', () => {
  it('is claimed by a mailed link, which can be sent again', async () => {
    const [username, email] = [fresh(), `${fresh()}@school.example`]
    const body = { username, email, role: 'instructor', hand_over: 'mail' } as const
    const made = await api.as(admin).send(createManagedUser, { body })
    expect(made).toMatchObject({ status: 201, body: { password: null, user: { account: 'invited' } } })
    const { dataDir } = server.running.services.config
    expect((await waitForMail(dataDir, email)).link).toContain('/auth/accept-invitation?token=')
    const again = await api.as(admin).send(sendUserLink, { params: { userId: made.body.user.id } })
    expect(again.body.message).toBe(`The invitation is on its way to ${email}.`)
    await waitForMail(dataDir, email, 2)
  })

  it('can get a password that is shown once and stored only as a hash', async () => {
    const [username, email] = [fresh(), `${fresh()}@school.example`]
    const body = { username, email, role: 'admin', hand_over: 'once' } as const
    const made = await api.as(admin).send(createManagedUser, { body })
    const password = made.body.password ?? ''
    expect((await api.nobody.send(signIn, { body: { username, password } })).status).toBe(200)
    const stored = JSON.stringify([await UserModel.find().lean(), await AuditModel.find().lean()])
    expect(stored).not.toContain(password)
    expect(await readMailsTo(server.running.services.config.dataDir, email)).toEqual([])
    expect(await auditOf(made.body.user)).toMatchObject([{ action: 'user.created', after: { role: 'admin' } }])
  })

  it('reports at the field what is taken or invalid', async () => {
    const body = { username: admin.username, email: 'no address', role: 'student', hand_over: 'once' } as const
    const wrong = await api.as(admin).send(createManagedUser, { body })
    expect(wrong).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'email'] }] } })
    const taken = { ...body, email: `${fresh()}@school.example` }
    expect(await api.as(admin).send(createManagedUser, { body: taken })).toMatchObject({
      status: 409,
      body: { validation_errors: [{ field: 'username' }] },
    })
  })
})

it('mails a reset link to accounts with a password, and nothing to deactivated ones', async () => {
  const person = await buildPerson('student')
  const sent = await api.as(admin).send(sendUserLink, of(person))
  const email = `${person.username}@school.example`
  expect(sent.body.message).toBe(`A link to set a new password is on its way to ${email}.`)
  expect((await waitForMail(server.running.services.config.dataDir, email)).token).not.toBe('')
  await api.as(admin).send(deactivateUser, of(person))
  expect((await api.as(admin).send(sendUserLink, of(person))).status).toBe(409)
})
