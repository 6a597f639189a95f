import { expect, it } from 'vitest'
import { seal, unseal } from './secret-box.ts'

const key = 'k'.repeat(32)

it('gives a secret back to the same key and purpose alone, and not when it was changed', () => {
  const box = seal('smtp://user:größer@host', key, 'settings')
  expect(Buffer.from(box, 'base64').toString('latin1')).not.toContain('smtp')
  expect(unseal(box, key, 'settings')).toBe('smtp://user:größer@host')
  expect(unseal(box, 'x'.repeat(32), 'settings')).toBeNull()
  expect(unseal(box, key, 'other')).toBeNull()
  const changed = Buffer.from(box, 'base64')
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  expect(unseal(changed.toString('base64'), key, 'settings')).toBeNull()
  expect(unseal('', key, 'settings')).toBeNull()
  expect(seal('a', key, 'settings')).not.toBe(seal('a', key, 'settings'))
})
