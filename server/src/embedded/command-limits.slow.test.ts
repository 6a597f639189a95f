import { expect, it } from 'vitest'
import { checkpoint, hasOneWay, NotQuick, notQuick, UNLIMITED, withLimits } from './command-limits.ts'

it.each(['', 'abc', '^Ann\\.Lee$', 'a.c', '[a-z][^0-9]\\d', '\\(x\\)\\{1\\}', '\\bword\\b'])(
  'tries /%s/ in any thread',
  (pattern) => expect(hasOneWay(pattern)).toBe(true),
)

it.each(['(a+)+$', 'a*', 'a?a?a?aaa', 'x{2}', 'a|b', '(a)\\1', '\\k<n>', '[', '(?=a)'])(
  'tries /%s/ only in a thread of its own',
  (pattern) => expect(hasOneWay(pattern)).toBe(false),
)

it('ends a command also where an expression took that for an error of its own', () => {
  const caught = () => {
    try {
      notQuick()
    } catch {
      return 'the value of onError'
    }
  }
  expect(() => withLimits({ ...UNLIMITED, quickUntil: 0 }, caught)).toThrow(NotQuick)
  expect(withLimits(UNLIMITED, caught)).toBeUndefined()
})

it('has no limits outside a command', () => {
  expect(() => withLimits({ ...UNLIMITED, endsAt: 0 }, () => checkpoint(1e6))).toThrow('operation exceeded time limit')
  expect(() => checkpoint(1e6)).not.toThrow()
})
