import { changePassword, signIn } from '@assay/shared/auth.ts'
import { describe, expect, it } from 'vitest'
import { SignInFailureModel } from '../../records/people/sign-in-failure.model.ts'
import { buildPerson } from '../../testing/build-course.ts'
import { createTestApi, type Person, useServer } from '../../testing/server.ts'
import { createPasswordCheck } from './check-password.ts'

let passed = 0
const server = useServer(
  { LIMIT_SIGN_IN_ACCOUNT: '3', LIMIT_SIGN_IN_ADDRESS: '5', TRUST_PROXY: '1' },
  { clock: { now: () => new Date(Date.now() + passed) } },
)
const api = createTestApi(server)

let address = 0
const from = () => `10.0.0.${++address}`

async function attempt(ip: string, username: string, password = 'wrong', cookie = ''): Promise<number> {
  const reply = await api.nobody.send(signIn, {
    body: { username, password },
    headers: { 'x-forwarded-for': ip, ...(cookie ? { cookie } : {}) },
  })
  return reply.status
}
const signInFrom = (ip: string, { username, password }: Person) => attempt(ip, username, password)
const people = (count: number) => Promise.all(Array.from({ length: count }, () => buildPerson('student')))

it('accepts a whole lecture hall that signs in at the same moment', async () => {
  const [hall, students] = [from(), await people(12)]
  const statuses = await Promise.all(students.map((student) => signInFrom(hall, student)))
  expect(statuses).toEqual(students.map(() => 200))
})

it('refunds the address an account’s failures when that account signs in, and no others', async () => {
  const [hall, students] = [from(), await people(4)]
  const [stranger] = await people(1)
  if (!stranger) throw new Error('one was built')
  for (let i = 0; i < 2; i++) expect(await attempt(hall, stranger.username)).toBe(401)
  for (const student of students) {
    for (let i = 0; i < 2; i++) expect(await attempt(hall, student.username)).toBe(401)
    expect(await signInFrom(hall, student)).toBe(200)
  }
  for (const name of ['nobody-1', 'nobody-2', 'nobody-3']) expect(await attempt(hall, name)).toBe(401)
  expect(await signInFrom(hall, stranger)).toBe(429)
  expect(await signInFrom(from(), stranger)).toBe(200)
  passed += 16 * 60_000
  expect(await signInFrom(hall, stranger)).toBe(200)
})

it('still counts an account’s failures when it signs in: somebody else may have caused them', async () => {
  const [hall, [ada]] = [from(), await people(1)]
  if (!ada) throw new Error('one was built')
  for (let i = 0; i < 2; i++) expect(await attempt(hall, ada.username)).toBe(401)
  expect(await signInFrom(hall, ada)).toBe(200)
  expect(await attempt(hall, ada.username)).toBe(401)
  expect(await signInFrom(hall, ada)).toBe(429)
})

it('checks no more passwords than the limit, however many come at once', async () => {
  const [room, [ada]] = [from(), await people(1)]
  if (!ada) throw new Error('one was built')
  const statuses = await Promise.all(Array.from({ length: 10 }, () => attempt(room, ada.username)))
  expect(statuses.filter((status) => status === 401)).toHaveLength(3)
  expect(statuses.filter((status) => status === 429)).toHaveLength(7)
})

it('recognizes a name in any case and Unicode form', async () => {
  const [room, [ada]] = [from(), await people(1)]
  if (!ada) throw new Error('one was built')
  const wide = [...ada.username]
    .map((letter) => (/[a-z]/.test(letter) ? String.fromCodePoint(letter.charCodeAt(0) + 0xfee0) : letter))
    .join('')
  for (const name of [ada.username, wide, ` ${ada.username.toUpperCase()}`]) expect(await attempt(room, name)).toBe(401)
  expect(await signInFrom(room, ada)).toBe(429)
})

describe('a device that has signed in before', () => {
  async function deviceOf(person: Person, ip = from(), cookie = ''): Promise<string> {
    const reply = await api.nobody.send(signIn, {
      body: { username: person.username, password: person.password },
      headers: { 'x-forwarded-for': ip, cookie },
    })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('set-cookie')).toMatch(/HttpOnly.*SameSite=Strict/i)
    expect(reply.headers.get('set-cookie')).toContain('Path=/api/v1;')
    return cookieOf(reply.headers)
  }
  const cookieOf = (headers: Headers) => headers.get('set-cookie')?.split(';')[0] ?? ''

  async function attackFromManyAddresses({ username }: Person): Promise<void> {
    for (let i = 0; i < 5; i++) for (const ip of [from()]) for (let n = 0; n < 2; n++) await attempt(ip, username)
  }

  it('signs in while its account is attacked from many addresses, and another does not', async () => {
    const [ada] = await people(1)
    if (!ada) throw new Error('one was built')
    const device = await deviceOf(ada)
    await attackFromManyAddresses(ada)
    expect(await signInFrom(from(), ada)).toBe(429)
    expect(await attempt(from(), ada.username, ada.password, device)).toBe(200)
    expect(await attempt(from(), `${ada.username}@school.example`, ada.password, device)).toBe(200)
  })

  it('signs in where others have used up the limit of its address', async () => {
    const [[ada], hall] = [await people(1), from()]
    if (!ada) throw new Error('one was built')
    const device = await deviceOf(ada)
    for (let i = 0; i < 5; i++) await attempt(hall, `nobody-in-the-hall-${i}`)
    expect(await signInFrom(hall, ada)).toBe(429)
    expect(await attempt(hall, ada.username, ada.password, device)).toBe(200)
  })

  it('is known for its accounts alone, and no longer once the password has changed', async () => {
    const [ada, ben] = await people(2)
    if (!ada || !ben) throw new Error('two were built')
    const both = await deviceOf(ben, from(), await deviceOf(ada))
    const bens = await deviceOf(ben)
    const session = api.again(ada)
    await session.token()
    const forged = both.replace(/\.[^.~]+(~|$)/g, `.${'A'.repeat(43)}$1`)
    await attackFromManyAddresses(ada)
    for (const cookie of [bens, forged, 'assay-device=~~..~x.y.z.w'])
      expect(await attempt(from(), ada.username, ada.password, cookie)).toBe(429)
    expect(await attempt(from(), ada.username, ada.password, both)).toBe(200)
    const new_password = 'Another-Good-7-Phrase'
    const body = { current_password: ada.password, new_password }
    expect((await session.send(changePassword, { body })).status).toBe(429)
    const changed = await session.send(changePassword, { body, headers: { cookie: both } })
    expect(await attempt(from(), ada.username, new_password, both)).toBe(429)
    expect(await attempt(from(), ada.username, new_password, cookieOf(changed.headers))).toBe(200)
  })

  it('may guess no more often than others', async () => {
    const [ada] = await people(1)
    if (!ada) throw new Error('one was built')
    const device = await deviceOf(ada)
    await attackFromManyAddresses(ada)
    for (let i = 0; i < 3; i++) expect(await attempt(from(), ada.username, 'wrong', device)).toBe(401)
    expect(await attempt(from(), ada.username, ada.password, device)).toBe(429)
  })
})

it('counts an account’s failures over all addresses, by its username and its address together', async () => {
  const [ada] = await people(1)
  if (!ada) throw new Error('one was built')
  const names = [ada.username, `${ada.username}@school.example`]
  const statuses: number[] = []
  for (let i = 0; i < 12; i++) statuses.push(await attempt(from(), names[i % 2] ?? ''))
  expect(statuses).toEqual([...Array(9).fill(401), ...Array(3).fill(429)])
})

it('slows an address down instead of locking it out: one more attempt as each failure leaks', async () => {
  const [hall, [ada]] = [from(), await people(1)]
  if (!ada) throw new Error('one was built')
  for (let i = 0; i < 5; i++) expect(await attempt(hall, `somebody-${i}`)).toBe(401)
  const refused = await api.nobody.send(signIn, {
    body: { username: ada.username, password: ada.password },
    headers: { 'x-forwarded-for': hall },
  })
  expect(refused.status).toBe(429)
  expect(refused.body.retry_after).toBeLessThanOrEqual(180)
  passed += (refused.body.retry_after ?? 0) * 1000
  expect(await attempt(hall, 'somebody-else')).toBe(401)
  expect(await signInFrom(hall, ada)).toBe(429)
  passed += 180_000
  expect(await signInFrom(hall, ada)).toBe(200)
})

it('counts together with other processes', async () => {
  const { services } = server.running
  const processes = [createPasswordCheck(services), createPasswordCheck(services)]
  const [room, [ada]] = [{ address: from(), device: null }, await people(1)]
  if (!ada) throw new Error('one was built')
  const wrong = { username: ada.username, password: 'wrong' }
  for (let i = 0; i < 3; i++) expect(await processes[i % 2]?.(room, wrong)).toBeNull()
  for (const check of processes) await expect(check(room, wrong)).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
})

it('stores neither names nor addresses, and forgets what has leaked', async () => {
  const room = from()
  await attempt(room, 'a-very-special-name')
  const rows = await SignInFailureModel.find().lean()
  expect(JSON.stringify(rows)).not.toMatch(/special|10\.0\./)
  for (const { expires_at } of rows) expect(expires_at).toBeInstanceOf(Date)
})
