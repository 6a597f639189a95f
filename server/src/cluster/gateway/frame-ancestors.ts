import { z } from 'zod'
import type { Log } from '../../lib/log.ts'
import type { FrameAncestors } from '../../lib/security/security-headers.ts'
import { StaleWhileRevalidate } from '../../lib/stale-while-revalidate.ts'

const MAX_AGE_MS = 30_000
const TIMEOUT_MS = 3_000

/** Characters that are safe in a header. */
const FrameAncestorsReply = z.object({ origins: z.array(z.string().regex(/^https?:\/\/[^\s;,'"]+$/)).max(1000) })

/** Asks the API server whose pages may frame ours; none until it has answered. */
export function createFrameAncestorsCache(target: string, log: Log): StaleWhileRevalidate<FrameAncestors> {
  return new StaleWhileRevalidate<FrameAncestors>(
    [],
    async () => {
      const reply = await fetch(new URL('/lti/frame-ancestors', target), {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (!reply.ok) throw new Error(`the API answered ${reply.status}`)
      return FrameAncestorsReply.parse(await reply.json()).origins
    },
    {
      maxAgeMs: MAX_AGE_MS,
      failed: (error) => log.warn({ err: error }, 'could not fetch frame ancestors from the API'),
    },
  )
}
