import { expect, it } from 'vitest'
import { nextPageUrl } from './roster-page-reader.ts'

const here = 'https://lms.example/members?limit=50'

it.each([
  ['<https://lms.example/members?page=2>; rel="next"', 'https://lms.example/members?page=2'],
  // Canvas: several, and commas within an address.
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
