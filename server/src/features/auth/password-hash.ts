import { type Algorithm, hash, verify } from '@node-rs/argon2'

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. */
const ARGON2_OPTIONS = {
  algorithm: 2 satisfies Algorithm as Algorithm,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}

export function hashPassword(password: string): Promise<string> {
  return hash(password, ARGON2_OPTIONS)
}

let dummyHash: Promise<string> | undefined

/** Takes as long for an account that does not exist, so that the time does not reveal which accounts do. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  dummyHash ??= hashPassword('an account that does not exist')
  const matches = await verify(stored ?? (await dummyHash), password)
  return stored !== null && matches
}
