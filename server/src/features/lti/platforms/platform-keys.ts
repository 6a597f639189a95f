import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { importPKCS8, type JWTPayload, SignJWT } from 'jose'
import { decryptSecret, encryptSecret } from '../../../lib/security/secret-encryption.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import { LtiPlatformKeyModel } from '../../../records/lti/platform-key.model.ts'

export const PLATFORM_KEY_PURPOSE = 'lti-key'
/** Platforms may cache a key set for hours. */
const PUBLISHED_AFTER_RETIREMENT_MS = 7 * 24 * 60 * 60 * 1000

/** PEM; the private key in PKCS #8. */
export interface RsaKeys {
  publicKey: string
  privateKey: string
}

const generate = promisify(generateKeyPair)

/** Takes a good part of a second, so off the main thread. */
export function generateRsaKeys(): Promise<RsaKeys> {
  return generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}

let makeKeys = generateRsaKeys

/** For tests, which register hundreds of platforms. */
export function setKeySource(given = generateRsaKeys): void {
  makeKeys = given
}

/** Returns its `kid`. */
export async function createPlatformKey(platformId: number, secretKey: string, now: Date): Promise<string> {
  const { publicKey, privateKey } = await makeKeys()
  const kid = randomBytes(16).toString('hex')
  await LtiPlatformKeyModel.create({
    _id: kid,
    platform_id: platformId,
    public_key: publicKey,
    private_key: encryptSecret(privateKey, secretKey, PLATFORM_KEY_PURPOSE),
    created_at: now,
    gone_at: null,
  })
  return kid
}

/** Stays published for a week: what it signed may be in transit. */
export async function retirePlatformKey(kid: string, now: Date): Promise<void> {
  await LtiPlatformKeyModel.updateOne(
    { _id: kid },
    { $set: { private_key: null, gone_at: new Date(now.getTime() + PUBLISHED_AFTER_RETIREMENT_MS) } },
  )
}

/** @returns PKCS #8, PEM; null when there is none, or it was encrypted with another SECRET_KEY */
export async function getPrivateKey(kid: string, secretKey: string): Promise<string | null> {
  const key = await LtiPlatformKeyModel.findById(kid).lean()
  return key?.private_key ? decryptSecret(key.private_key, secretKey, PLATFORM_KEY_PURPOSE) : null
}

/** Our JWT; null without a key that can be decrypted. By the system clock, as the LMS compares it with its own. */
export async function signForPlatform(
  { kid, client_id }: Pick<LtiPlatformDoc, 'kid' | 'client_id'>,
  claims: JWTPayload,
  { audience, expiresIn, secretKey }: { audience: string; expiresIn: string; secretKey: string },
): Promise<string | null> {
  const key = await getPrivateKey(kid, secretKey)
  if (!key) return null
  const jwt = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
  jwt.setIssuer(client_id).setAudience(audience).setIssuedAt().setExpirationTime(expiresIn)
  return jwt.sign(await importPKCS8(key, 'RS256'))
}
