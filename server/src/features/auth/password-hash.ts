import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { createBoundedQueue, QueueFull } from '../../lib/bounded-queue.ts'
import { tooManyRequests } from '../../lib/http/app-error.ts'

/** `memoryCost` in KiB. */
export interface PasswordCost {
  memoryCost: number
  timeCost: number
}

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. */
const RECOMMENDED: PasswordCost = { memoryCost: 19_456, timeCost: 2 }
const ARGON2ID = { algorithm: 2 satisfies Algorithm as Algorithm, parallelism: 1 }

let cost = RECOMMENDED

export function setPasswordCost(given: PasswordCost = RECOMMENDED): void {
  cost = given
}

/** Each takes a core for 20 ms; more would keep Node's four threads from other work. 500 wait at most ten seconds. */
const hashing = createBoundedQueue({ max: 2, maxWaiting: 500 })
const BUSY_SECONDS = 10

async function inTurn<T>(call: () => Promise<T>, first = false): Promise<T> {
  try {
    return await hashing.run(call, { first })
  } catch (error) {
    throw error instanceof QueueFull ? tooManyRequests(BUSY_SECONDS) : error
  }
}

export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(password, { ...ARGON2ID, ...cost }))

let dummyHash: Promise<string> | undefined

/** Takes as long without an account, so that the time does not reveal which exist. `first`: skips the queue. */
export async function verifyPassword(
  password: string,
  stored: string | null,
  { first = false } = {},
): Promise<boolean> {
  dummyHash ??= hash('an account that does not exist', { ...ARGON2ID, ...cost })
  const against = stored ?? (await dummyHash)
  const matches = await inTurn(() => verify(against, password), first)
  return stored !== null && matches
}
