import { expect, it } from 'vitest'
import { decryptSecret, encryptSecret } from './secret-encryption.ts'

const key = 'k'.repeat(32)

it('gives a secret back to the same key and purpose alone, and not when it was changed', () => {
  const box = encryptSecret('smtp://user:größer@host', key, 'settings')
  expect(Buffer.from(box, 'base64').toString('latin1')).not.toContain('smtp')
  expect(decryptSecret(box, key, 'settings')).toBe('smtp://user:größer@host')
  expect(decryptSecret(box, 'x'.repeat(32), 'settings')).toBeNull()
  expect(decryptSecret(box, key, 'other')).toBeNull()
  const changed = Buffer.from(box, 'base64')
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  expect(decryptSecret(changed.toString('base64'), key, 'settings')).toBeNull()
  expect(decryptSecret('', key, 'settings')).toBeNull()
  expect(encryptSecret('a', key, 'settings')).not.toBe(encryptSecret('a', key, 'settings'))
})
