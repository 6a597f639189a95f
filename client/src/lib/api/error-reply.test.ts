import { ErrorReply, errorKinds } from '@assay/shared/http/errors.ts'
import { describe, expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { isErrorReply, readDetail } from './error-reply.ts'

const { reply } = ApiError.of('validation_failed')
const full: ErrorReply = {
  ...reply,
  detail: [{ loc: ['body', 0], msg: 'Too long', type: 'too_long' }],
  retry_after: 3,
  validation_errors: [{ field: 'body.name', message: 'Too long', constraint: 'too_long' }],
  type: 'csrf_error',
  lms: 'Canvas',
}
const wrong: unknown[] = [null, 7, {}, [], 'text']

describe('a reply in the contract’s shape', () => {
  it.each([reply, full, ...Object.keys(errorKinds).map((code) => ({ ...reply, error_code: code }))])('%j', (one) => {
    expect(ErrorReply.safeParse(one).success).toBe(true)
    expect(isErrorReply(one)).toBe(true)
  })

  it.each(Object.keys(full) as (keyof ErrorReply)[])('is told from others by %s', (field) => {
    const { [field]: _, ...without } = full
    expect(isErrorReply(without)).toBe(ErrorReply.safeParse(without).success)
    for (const value of wrong) {
      const other = { ...full, [field]: value }
      expect([field, value, isErrorReply(other)]).toEqual([field, value, ErrorReply.safeParse(other).success])
    }
  })
})

it.each<[unknown, string | null]>([
  [{ detail: 'Not here' }, 'Not here'],
  [{ detail: '' }, null],
  [{ detail: [{ msg: 'One' }, { msg: 'two' }] }, 'One, two'],
  [{ detail: [{ detail: 'Nested' }] }, 'Nested'],
  [{ detail: [{ detail: [{ msg: 'Deep' }, { msg: 'down' }] }] }, 'Deep, down'],
  [{ detail: { message: 'Wrong', validation_details: { warnings: ['a', 'b'] } } }, 'Wrong\nWarnings:\na\nb'],
  [{ detail: { message: 'Wrong' } }, 'Wrong'],
  [{ detail: [] }, null],
  [{ detail: [7] }, null],
  ['<html>', null],
  [null, null],
])('the words of a failed reply %j', (body, words) => {
  expect(readDetail(body)).toBe(words)
})
