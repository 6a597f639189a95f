import { expect, it } from 'vitest'
import { parseMembersPage } from './parse-members-page.ts'

const read = (...members: unknown[]) => parseMembersPage(JSON.stringify({ id: 'x', members }))
const one = (fields: object) => read({ user_id: '7', roles: ['Learner'], ...fields }).members[0]

it('reads an entry with everything, and one with next to nothing', () => {
  const full = {
    status: 'Active',
    user_id: 4711,
    roles: ['http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant'],
    name: '  Ada   Mutombo ',
    email: 'ada@school.example',
    lis_person_sourcedid: 'S-12',
  }
  expect(read(full, { user_id: 'b', roles: [] }).members).toEqual([
    {
      sub: '4711',
      inactive: false,
      role: 'instructor',
      name: 'Ada Mutombo',
      email: 'ada@school.example',
      test_user: false,
      sis_id: 'S-12',
    },
    { sub: 'b', inactive: false, role: null, name: null, email: null, test_user: false, sis_id: null },
  ])
})

it('ignores invalid fields, and rejects an entry without the required ones', () => {
  expect(one({ name: 12, email: {}, given_name: 'Ada', family_name: 'M' })).toMatchObject({
    name: 'Ada M',
    email: null,
  })
  expect(one({ roles: 'Instructor' })).toMatchObject({ role: 'instructor' })
  expect(read({ user_id: '7', roles: 3, name: 'Ada' }).unreadable).toEqual([
    { sub: '7', message: 'Ada: “roles” is missing or wrong.' },
  ])
  expect(read(null).unreadable).toEqual([{ sub: null, message: 'Entry 1 is not a roster entry.' }])
})

it('recognizes inactive members, in any letter case, and test students', () => {
  expect(one({ status: 'INACTIVE' })?.inactive).toBe(true)
  expect(one({ status: 'Deleted' })?.inactive).toBe(true)
  expect(one({ status: 'Unheard of' })?.inactive).toBe(false)
  const role = 'http://purl.imsglobal.org/vocab/lti/system/person#TestUser'
  expect(one({ roles: ['Learner', role] })).toMatchObject({ role: 'student', test_user: true })
})

it('reads the launch data of a list by link', () => {
  const lis = { 'https://purl.imsglobal.org/spec/lti/claim/lis': { person_sourcedid: 'S-13' } }
  expect(one({ message: [{}, lis] })).toMatchObject({ sis_id: 'S-13' })
  expect(one({ message: 'none' })).toMatchObject({ sis_id: null })
})

it.each(['', '[]', '{"members": {}}', '<html>'])('takes %s for no roster', (body) => {
  expect(() => parseMembersPage(body)).toThrow(/did not return a list of members/)
})
