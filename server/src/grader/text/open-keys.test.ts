import { expect, it } from 'vitest'
import { isCode, isOpenKey } from './open-keys.ts'

it.each([
  ['e.g. a lever, a ramp', true],
  ['A lever (any sensible example)', true],
  ['Answers will vary', true],
  ['A lever, for which any load is lighter', false],
  ['friction', false],
  [`${'A model answer says much of levers. '.repeat(12)} Any correct lever counts.`, false],
])('whether “%s” leaves the answer open: %s', (key, open) => {
  expect(isOpenKey(key)).toBe(open)
})

it.each([
  ['def area(r):\n  return 3.14 * r ** 2\nprint(area(2))', true],
  ['SELECT town FROM places WHERE size > 3', true],
  ['int n = 0; while (n < 3) { n++; }', true],
  ['If it rains, the rivers rise (floods), while the fields (clay) stay wet; for farms this is bad.', false],
  ['f(x) = 2x', false],
])('whether “%s” is code: %s', (key, code) => {
  expect(isCode(key)).toBe(code)
})
