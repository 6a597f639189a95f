import { expect, it } from 'vitest'
import { targetPath } from './hand-off-launch.ts'

const OURS = 'https://assay.school.example'
const wanted = (target: string | null, role: 'instructor' | 'student' = 'instructor', path?: string) =>
  targetPath({ targetLinkUri: target, custom: path === undefined ? {} : { path } }, role, OURS)

it.each([
  [`${OURS}/courses/7/analytics`, '/courses/7/analytics'],
  [`${OURS}/courses/7/gradebook`, '/courses/7/gradebook'],
  [`${OURS}/assignments/7/submissions/31`, '/assignments/7/submissions/31'],
  [`${OURS}/assignments/7/submissions?x=1#y`, '/assignments/7/submissions'],
])('goes to a page of ours by the target: %s', (target, path) => {
  expect(wanted(target)).toBe(path)
})

it.each([
  `${OURS}/lti/launch`,
  'https://evil.example/courses/7',
  'https://assay.school.example.evil.example/courses/7',
  'https://assay.school.example@evil.example/courses/7',
  'https://user:secret@assay.school.example/courses/7',
  'http://assay.school.example/courses/7',
  'https://assay.school.example:8443/courses/7',
  '//evil.example/courses/7',
  '/\\evil.example/courses/7',
  '/\t/evil.example/courses/7',
  'javascript:alert(1)',
  `${OURS}/admin/users`,
  `${OURS}/auth/login`,
  `${OURS}/courses/7/../../admin/users`,
  `${OURS}/courses/7%2f..%2fadmin`,
  `${OURS}/lti/choose`,
  'not an address',
  '',
])('goes nowhere but where it belongs for %j', (target) => {
  expect(wanted(target)).toBeNull()
  expect(wanted(null, 'instructor', target)).toBeNull()
})

it('asks a custom parameter before the target', () => {
  expect(wanted(`${OURS}/courses/7`, 'instructor', '/courses/8')).toBe('/courses/8')
  expect(wanted(`${OURS}/courses/7`, 'instructor', 'https://evil.example/')).toBe('/courses/7')
})

it('has each role’s own pages', () => {
  expect(wanted('/student/assignments/7', 'student')).toBe('/student/assignments/7')
  expect(wanted('/assignments/7/submissions', 'student')).toBeNull()
  expect(wanted('/student/assignments/7', 'instructor')).toBeNull()
})
