import { createHash } from 'node:crypto'
import type { ModelSettings } from '@assay/shared/model-settings.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import type { SharedWork } from './share-work.ts'

/** What this process has learnt about a provider under one key. Lost with the process, and soon learnt again. */
export interface Line {
  breaker: Breaker
  /** What is being asked, by identity. */
  asking: SharedWork<AnswerAsKept>
  /** Models that refused an answer's schema; they get it in words. */
  withoutSchema: Set<string>
}

/** An answer as the ledger has it. */
export interface AnswerAsKept {
  call_id: number
  raw: string
}

/** One line to each provider, address and key: keep one of these a process. */
export interface Lines {
  to(settings: Pick<ModelSettings, 'provider' | 'base_url'>, apiKey: string): Line
}

export function createLines(now: () => number = Date.now): Lines {
  const lines = new Map<string, Line>()
  return {
    to({ provider, base_url }, apiKey) {
      const key = createHash('sha256').update(apiKey).digest('base64url')
      const name = JSON.stringify([provider, base_url, key])
      let line = lines.get(name)
      if (!line) {
        line = { breaker: createBreaker(now), asking: new Map(), withoutSchema: new Set() }
        lines.set(name, line)
      }
      return line
    },
  }
}
