import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

/** One key per purpose, so that a value sealed for one cannot pass as another's. */
export const deriveKey = (secretKey: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secretKey, 'assay', purpose, 32))

export function encryptSecret(secret: string, secretKey: string, purpose: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secretKey, purpose), iv)
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/** Null for another key or purpose, or a changed value. */
export function decryptSecret(box: string, secretKey: string, purpose: string): string | null {
  const bytes = Buffer.from(box, 'base64')
  try {
    const decipher = createDecipheriv('aes-256-gcm', deriveKey(secretKey, purpose), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const rest = bytes.subarray(IV_BYTES + TAG_BYTES)
    return Buffer.concat([decipher.update(rest), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
