import { describe, expect, it } from 'vitest'
import { parseMembersPage } from './parse-members-page.ts'
import { nextPageUrl } from './roster-page-reader.ts'

const read = (...members: unknown[]) => parseMembersPage(JSON.stringify({ id: 'x', members }))
const one = async (fields: object) => (await read({ user_id: '7', roles: ['Learner'], ...fields })).members[0]

it('reads an entry with everything, and one with next to nothing', async () => {
  const full = {
    status: 'Active',
    user_id: 4711,
    roles: ['http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant'],
    name: '  Ada   Mutombo ',
    email: 'ada@school.example',
    lis_person_sourcedid: 'S-12',
    group_enrollments: [{ group_id: 'g-1' }],
  }
  expect((await read(full, { user_id: 'b', roles: [] })).members).toEqual([
    {
      sub: '4711',
      group_ids: ['g-1'],
      inactive: false,
      role: 'instructor',
      name: 'Ada Mutombo',
      email: 'ada@school.example',
      test_user: false,
      sis_id: 'S-12',
    },
    { sub: 'b', group_ids: [], inactive: false, role: null, name: null, email: null, test_user: false, sis_id: null },
  ])
})

it('ignores invalid fields, and rejects an entry without the required ones', async () => {
  expect(await one({ name: 12, email: {}, given_name: 'Ada', family_name: 'M' })).toMatchObject({
    name: 'Ada M',
    email: null,
  })
  expect(await one({ roles: 'Instructor' })).toMatchObject({ role: 'instructor' })
  expect((await read({ user_id: '7', roles: 3, name: 'Ada' })).unreadable).toEqual([
    { sub: '7', message: 'Ada: “roles” is missing or wrong.' },
  ])
  expect((await read(null)).unreadable).toEqual([{ sub: null, message: 'Entry 1 is not a roster entry.' }])
})

it('recognizes inactive members, in any letter case, and test students', async () => {
  expect((await one({ status: 'INACTIVE' }))?.inactive).toBe(true)
  expect((await one({ status: 'Deleted' }))?.inactive).toBe(true)
  expect((await one({ status: 'Unheard of' }))?.inactive).toBe(false)
  const role = 'http://purl.imsglobal.org/vocab/lti/system/person#TestUser'
  expect(await one({ roles: ['Learner', role] })).toMatchObject({ role: 'student', test_user: true })
})

it('reads the launch data of a list by link', async () => {
  const lis = { 'https://purl.imsglobal.org/spec/lti/claim/lis': { person_sourcedid: 'S-13' } }
  expect(await one({ message: [{}, lis] })).toMatchObject({ sis_id: 'S-13' })
  expect(await one({ message: 'none' })).toMatchObject({ sis_id: null })
})

it.each(['', '[]', '{"members": {}}', '<html>'])('takes %s for no roster', async (body) => {
  await expect(parseMembersPage(body)).rejects.toThrow(/did not return a list of members/)
})

const member = (i: number) => ({ user_id: `${i}`, roles: ['Learner'] })
const many = (count: number, build: (i: number) => unknown) => Array.from({ length: count }, (_, i) => build(i))

describe('a page that would hold up the server', () => {
  const tooLong = /more than 50,000 entries on one page/

  it('is refused for its length, readable or not', async () => {
    await expect(read(...many(60_000, () => ({})))).rejects.toThrow(tooLong)
    await expect(read(...many(50_001, member))).rejects.toThrow(tooLong)
  })

  it('is refused before it is parsed where one entry holds a million values', async () => {
    const zeros = `[${'0,'.repeat(1_000_000)}0]`
    await expect(parseMembersPage(`{"members": [{"user_id": "7", "roles": ${zeros}}]}`)).rejects.toThrow(tooLong)
    await expect(parseMembersPage(`{"members": ${'['.repeat(1_000_001)}`)).rejects.toThrow(tooLong)
  })

  it('is given up after a hundred unreadable entries, or a tenth of a long one', async () => {
    const mostly = /too many of its entries are unreadable. Entry 1: “user_id” is missing or wrong./
    await expect(read(...many(101, () => ({})))).rejects.toThrow(mostly)
    await expect(read(...many(5_000, (i) => (i < 501 ? {} : member(i))))).rejects.toThrow(mostly)
    expect((await read(...many(100, () => ({})))).unreadable).toHaveLength(100)
    const long = await read(...many(5_000, (i) => (i < 500 ? {} : member(i))))
    expect([long.members.length, long.unreadable.length]).toEqual([4_500, 500])
  })

  it('lets others have their turn, and ends with the wait of whoever asked', async () => {
    const stop = new AbortController()
    setImmediate(() => stop.abort())
    const body = JSON.stringify({ members: many(50_000, member) })
    await expect(parseMembersPage(body, stop.signal)).rejects.toThrow('could not be read in time')
  })

  it('is read to the end where it is as long as may be', async () => {
    expect((await read(...many(50_000, member))).members).toHaveLength(50_000)
  })

  it('has no list or text of an entry read to its end', async () => {
    const roles = many(101, () => 0)
    expect((await read({ user_id: '7', roles })).unreadable).toMatchObject([{ sub: '7' }])
    expect(await one({ name: `${' '.repeat(10_000)}Ada` })).toMatchObject({ name: null })
  })
})

const here = 'https://lms.example/members?limit=50'

it.each([
  ['<https://lms.example/members?page=2>; rel="next"', 'https://lms.example/members?page=2'],
  [
    '<https://lms.example/m?a=1,2>; rel="current",<https://lms.example/m?a=2,3>; rel="next",<https://lms.example/m>; rel="first"',
    'https://lms.example/m?a=2,3',
  ],
  ['<https://lms.example/m?p=2>;rel=next', 'https://lms.example/m?p=2'],
  ['<https://lms.example/m?p=2>; title="a; b"; REL="last Next"', 'https://lms.example/m?p=2'],
  ['</members?page=2>; rel="next"', 'https://lms.example/members?page=2'],
  ['<https://lms.example/m?since=1>; rel="differences"', null],
  ['<https://lms.example/nextpage>; rel="prev"', null],
  ['rel="next"', null],
  [undefined, null],
])('finds in %s the page %s', (header, next) => {
  expect(nextPageUrl(header, here)).toBe(next)
})
