import { promptHash, type ReceivedRequest } from './received-request.ts'

/** One question as it came and what became of it. */
export interface RecordedRequest {
  asked: ReceivedRequest
  prompt: string
  idempotencyKey: string | null
  /** The key it came with, without `Bearer`. */
  key: string | null
  /** ms since 1970. */
  at: number
  /** Null until something is sent; 0 for a connection ended or left hanging. */
  status: number | null
  billed: boolean
  /** The answer's words, before they take a protocol's shape; null when there is none, or an earlier one was given again. */
  said: string | null
  /** From an earlier answer under the same `Idempotency-Key`. */
  replayed: boolean
  input_tokens: number
  output_tokens: number
  /** Whether the asker went away first. */
  abandoned: boolean
}

export interface Counts {
  received: number
  answered: number
  billed: number
}

/** What it was asked, for a test to look at. */
export class RecordedRequests {
  readonly all: RecordedRequest[] = []
  /** How many were being answered at once, at the most. */
  maxConcurrent = 0
  concurrent = 0

  add(
    heard: Omit<
      RecordedRequest,
      'prompt' | 'status' | 'billed' | 'said' | 'replayed' | 'input_tokens' | 'output_tokens' | 'abandoned'
    >,
  ): RecordedRequest {
    const one: RecordedRequest = {
      ...heard,
      prompt: promptHash(heard.asked),
      status: null,
      billed: false,
      said: null,
      replayed: false,
      input_tokens: 0,
      output_tokens: 0,
      abandoned: false,
    }
    this.all.push(one)
    return one
  }

  /** Of everything, or of one prompt. */
  counts(prompt?: string): Counts {
    const among = prompt === undefined ? this.all : this.all.filter((heard) => heard.prompt === prompt)
    return {
      received: among.length,
      answered: among.filter(({ status }) => status === 200).length,
      billed: among.filter(({ billed }) => billed).length,
    }
  }

  /** The prompts that were billed more than once. */
  billedTwice(): string[] {
    const times = new Map<string, number>()
    for (const { prompt, billed } of this.all) if (billed) times.set(prompt, (times.get(prompt) ?? 0) + 1)
    return [...times].filter(([, n]) => n > 1).map(([prompt]) => prompt)
  }

  clear(): void {
    this.all.length = 0
    this.maxConcurrent = this.concurrent
  }
}
