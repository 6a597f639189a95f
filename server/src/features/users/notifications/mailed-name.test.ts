import { expect, it } from 'vitest'
import { mailedName } from './mailed-name.ts'

it.each([
  ['Physics I (2026/27)', 'Physics I (2026/27)'],
  ['Dr. J.R.R. Müller-Ōtani', 'Dr. J.R.R. Müller-Ōtani'],
  ['Version 1.5 of B.Sc. Physics', 'Version 1.5 of B. Sc. Physics'],
  ['Win at https://evil.example/pay now', 'Win at now'],
  ['Write to pay＠evil.example', 'Write to'],
  ['See WWW.evil.example', 'See'],
  ['See evil.example/x', 'See'],
  ['See evil.example', 'See evil. example'],
  ['See evil。example and evil．example', 'See evil. example and evil. example'],
  ['See हिन्दी.भारत', 'See हिन्दी. भारत'],
  ['See i❤.ws', 'See i❤. ws'],
  ['See i❤.ws/x', 'See'],
  ['See evil.xn--p1ai', 'See evil. xn--p1ai'],
  ['J. R. Smith', 'J. R. Smith'],
  ['O’Neil jr.', 'O’Neil jr.'],
  ["O'Neil, Jr. (Hons.)", "O'Neil, Jr. (Hons.)"],
  ['One\r\nBcc: two\u2028three\u202e', 'One Bcc: two three'],
  ['x'.repeat(100), `${'x'.repeat(79)}…`],
])('mails %j as %j', (typed, mailed) => {
  expect(mailedName(typed)).toBe(mailed)
})

it('uses the fallback where nothing is left', () => {
  expect(mailedName('https://evil.example', 'your course')).toBe('your course')
})
