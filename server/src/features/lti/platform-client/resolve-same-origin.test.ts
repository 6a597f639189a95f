import { expect, it } from 'vitest'
import { resolveSameOrigin } from './platform-request.ts'

it.each([
  ['https://lms.example/a?page=2', 'https://lms.example/a?page=2'],
  ['/a/7', 'https://lms.example/a/7'],
  ['http://lms.example/a/7', 'https://lms.example/a/7'],
  ['http://lms.example:80/a/7', 'https://lms.example/a/7'],
  ['https://evil.example/a/7', null],
  ['https://lms.example.evil.example/a', null],
  ['https://lms.example:8443/a', null],
  ['https://lms.example@evil.example/a', null],
  ['https://a:b@lms.example/a', null],
  ['//evil.example/a', null],
  ['\\\\evil.example/a', null],
  ['javascript:alert(1)', null],
  ['http://[', null],
])('follows a reply of https://lms.example to where it came from alone: %s', (named, address) => {
  expect(resolveSameOrigin('https://lms.example/a', named)).toBe(address)
})
