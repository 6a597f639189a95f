import { signIn } from '@assay/shared/auth.ts'
import { expect, it } from 'vitest'
import { createTestApi, type Person } from '../../testing/api.ts'
import { buildPerson } from '../../testing/build-course.ts'
import { useServer } from '../../testing/server.ts'

let passed = 0
const server = useServer(
  { LIMIT_SIGN_IN_ACCOUNT: '3', LIMIT_SIGN_IN_ADDRESS: '5', TRUST_PROXY: '1' },
  { clock: { now: () => new Date(Date.now() + passed) } },
)
const api = createTestApi(server)

/** Each test has an address of its own. */
let address = 0
const from = () => `10.0.0.${++address}`

async function attempt(ip: string, username: string, password = 'wrong'): Promise<number> {
  const reply = await api.nobody.send(signIn, {
    body: { username, password },
    headers: { 'x-forwarded-for': ip },
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
