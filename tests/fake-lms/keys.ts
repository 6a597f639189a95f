import { randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose'
import type { Claims } from './lms-kinds.ts'

interface SigningKey {
  kid: string
  privateKey: CryptoKey
  publicKey: CryptoKey
}

/** Making a key takes up to half a second. None is used twice before all others were. */
const POOL_SIZE = 8
const pool: ReturnType<typeof generateKeyPair>[] = []
let taken = 0

async function makeKey(): Promise<SigningKey> {
  const index = taken++ % POOL_SIZE
  pool[index] ??= generateKeyPair('RS256', { extractable: true })
  return { kid: randomUUID(), ...(await pool[index]) }
}

let foreign: Promise<SigningKey> | undefined
function foreignKey(): Promise<SigningKey> {
  foreign ??= generateKeyPair('RS256').then((keys) => ({ kid: randomUUID(), ...keys }))
  return foreign
}

/** `hs256`: with the public key as secret, which careless verifiers accept. */
export type Signing = 'right' | 'none' | 'hs256' | 'unknown-kid' | 'no-kid' | 'other-key' | 'broken'

export class PlatformKeys {
  #current: SigningKey
  #published: SigningKey[]

  private constructor(first: SigningKey) {
    this.#current = first
    this.#published = [first]
  }

  static async create(): Promise<PlatformKeys> {
    return new PlatformKeys(await makeKey())
  }

  /** `keepOld`: stays published. */
  async rotate({ keepOld = true } = {}): Promise<void> {
    this.#current = await makeKey()
    this.#published = [this.#current, ...(keepOld ? this.#published : [])]
  }

  async jwks(): Promise<{ keys: JWK[] }> {
    const keys = this.#published.map(async ({ kid, publicKey }) => ({
      ...(await exportJWK(publicKey)),
      kid,
      alg: 'RS256',
      use: 'sig',
    }))
    return { keys: await Promise.all(keys) }
  }

  async sign(claims: Claims, signing: Signing = 'right', header: Record<string, unknown> = {}): Promise<string> {
    const { kid, privateKey, publicKey } = this.#current
    const signed = (key: CryptoKey, id: string | undefined) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(id ? { kid: id } : {}), ...header })
        .sign(key)
    switch (signing) {
      case 'right':
        return signed(privateKey, kid)
      case 'unknown-kid':
        return signed((await foreignKey()).privateKey, randomUUID())
      case 'no-kid':
        return signed(privateKey, undefined)
      case 'other-key':
        return signed((await foreignKey()).privateKey, kid)
      case 'none':
        return `${[{ alg: 'none', typ: 'JWT', kid, ...header }, claims]
          .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
          .join('.')}.`
      case 'hs256': {
        const secret = new TextEncoder().encode(await exportSPKI(publicKey))
        return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid, ...header }).sign(secret)
      }
      case 'broken': {
        const token = await signed(privateKey, kid)
        const [head, body, signature = ''] = token.split('.')
        return [head, body, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`].join('.')
      }
    }
  }
}
