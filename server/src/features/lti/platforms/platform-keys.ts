import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { decryptSecret, encryptSecret } from '../../../lib/security/secret-encryption.ts'
import { LtiPlatformKeyModel } from '../../../records/lti/platform-key.model.ts'

const SEAL_PURPOSE = 'lti-key'
/** Platforms may keep a key set for hours; ours stays published for a week after the last signature. */
const PUBLISHED_AFTER_RETIREMENT_MS = 7 * 24 * 60 * 60 * 1000

const generate = promisify(generateKeyPair)

/** Makes and stores a key pair for a platform; returns its `kid`. Off the main thread: it takes a good part of a second. */
export async function createPlatformKey(platformId: number, secretKey: string, now: Date): Promise<string> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const kid = randomBytes(16).toString('hex')
  await LtiPlatformKeyModel.create({
    _id: kid,
    platform_id: platformId,
    public_key: publicKey,
    private_key: encryptSecret(privateKey, secretKey, SEAL_PURPOSE),
    created_at: now,
    gone_at: null,
  })
  return kid
}

/** Signs no more, and is published for a week yet: what it signed may be on its way. */
export async function retirePlatformKey(kid: string, now: Date): Promise<void> {
  await LtiPlatformKeyModel.updateOne(
    { _id: kid },
    { $set: { private_key: null, gone_at: new Date(now.getTime() + PUBLISHED_AFTER_RETIREMENT_MS) } },
  )
}

/** @returns PKCS #8, PEM; null when there is none, or it was sealed under another SECRET_KEY */
export async function getPrivateKey(kid: string, secretKey: string): Promise<string | null> {
  const key = await LtiPlatformKeyModel.findById(kid).lean()
  return key?.private_key ? decryptSecret(key.private_key, secretKey, SEAL_PURPOSE) : null
}
