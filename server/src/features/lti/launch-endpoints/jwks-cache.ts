import { parseJson } from '@assay/shared/rules/parse-json.ts'
import type { JWK } from 'jose'
import { z } from 'zod'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { PlatformRequestError, requestPlatform } from '../platform-client/platform-request.ts'
import { LtiRefusal } from '../refusals.ts'

const FRESH_MS = 10 * 60_000
/** An LMS may fail just when everybody launches. */
const MAX_STALE_MS = 60 * 60_000
/** Anybody can send a token with an unknown `kid`. */
const REFETCH_INTERVAL_MS = 30_000
const RETRY_AFTER_FAILURE_MS = 5_000
const TIMEOUT_MS = 5_000
const MAX_BYTES = 256_000

const SigningKey = z.object({
  kty: z.literal('RSA'),
  kid: z.string().min(1).max(500),
  n: z.string(),
  e: z.string(),
  use: z.literal('sig').optional(),
  alg: z.literal('RS256').optional(),
})
const KeySet = z.object({ keys: z.array(z.unknown()).max(200) })

interface CachedKeySet {
  keys: ReadonlyMap<string, JWK>
  loadedAt: number
  triedAt: number
  problem: string | null
  loading: Promise<void> | null
}

export interface JwksCache {
  /** @throws {LtiRefusal} when the platform publishes no such key or cannot be reached */
  getKey(platform: LtiPlatformDoc, kid: string): Promise<JWK>
}

export function createJwksCache({ config, clock }: Pick<Services, 'config' | 'clock'>): JwksCache {
  const sets = new Map<string, CachedKeySet>()
  const now = () => clock.now().getTime()

  async function load(url: string, known: CachedKeySet): Promise<void> {
    known.triedAt = now()
    try {
      const reply = await requestPlatform(url, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }, config)
      known.keys = parseKeySet(reply.status, reply.body)
      known.loadedAt = now()
      known.problem = null
    } catch (error) {
      if (!(error instanceof PlatformRequestError || error instanceof InvalidKeySet)) throw error
      known.problem = error.message
    }
  }

  function mayFetch(known: CachedKeySet): boolean {
    const since = now() - known.triedAt
    if (known.problem) return since >= RETRY_AFTER_FAILURE_MS
    return since >= REFETCH_INTERVAL_MS || now() - known.loadedAt >= FRESH_MS
  }

  return {
    async getKey(platform, kid) {
      const url = platform.jwks_url
      const known = sets.get(url) ?? emptyEntry()
      sets.set(url, known)
      const cached = known.keys.get(kid)
      if (cached && now() - known.loadedAt < FRESH_MS) return cached
      if (!known.loading && mayFetch(known))
        known.loading = load(url, known).finally(() => {
          known.loading = null
        })
      await known.loading
      const found = known.keys.get(kid)
      if (found && now() - known.loadedAt < MAX_STALE_MS) return found
      if (known.problem) throw new LtiRefusal('keys_unreachable', known.problem)
      throw new LtiRefusal('key_unknown', `kid ${JSON.stringify(kid.slice(0, 100))}`)
    },
  }
}

const emptyEntry = (): CachedKeySet => ({
  keys: new Map(),
  loadedAt: Number.NEGATIVE_INFINITY,
  triedAt: Number.NEGATIVE_INFINITY,
  problem: null,
  loading: null,
})

class InvalidKeySet extends Error {
  override name = 'InvalidKeySet'
}

function parseKeySet(status: number, body: string): Map<string, JWK> {
  if (status !== 200) throw new InvalidKeySet(`The key set URL answered with status ${status}.`)
  const read = KeySet.safeParse(parseJson(body))
  if (!read.success) throw new InvalidKeySet('The key set URL did not return a key set.')
  const keys = read.data.keys.flatMap((key) => SigningKey.safeParse(key).data ?? [])
  return new Map(keys.map(({ kty, n, e, kid }) => [kid, { kty, n, e, kid, alg: 'RS256', use: 'sig' }]))
}
