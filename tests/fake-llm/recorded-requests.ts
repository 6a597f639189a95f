import { promptHash, type ReceivedRequest } from './received-request.ts'

export interface RecordedRequest {
  asked: ReceivedRequest
  prompt: string
  idempotencyKey: string | null
  /** The API key, without `Bearer`. */
  key: string | null
  /** ms since 1970. */
  at: number
  /** Null until something is sent; 0 for a connection that was closed or stalled. */
  status: number | null
  billed: boolean
  /** The text of the answer; null when there is none, or when an earlier one was repeated. */
  answer: string | null
  /** Repeated from an earlier request with the same `Idempotency-Key`. */
  replayed: boolean
  input_tokens: number
  output_tokens: number
  abandoned: boolean
}

interface Counts {
  received: number
  answered: number
  billed: number
}

export class RecordedRequests {
  readonly all: RecordedRequest[] = []
  maxConcurrent = 0
  concurrent = 0

  add(
    record: Omit<
      RecordedRequest,
      'prompt' | 'status' | 'billed' | 'answer' | 'replayed' | 'input_tokens' | 'output_tokens' | 'abandoned'
    >,
  ): RecordedRequest {
    const one: RecordedRequest = {
      ...record,
      prompt: promptHash(record.asked),
      status: null,
      billed: false,
      answer: null,
      replayed: false,
      input_tokens: 0,
      output_tokens: 0,
      abandoned: false,
    }
    this.all.push(one)
    return one
  }

  counts(prompt?: string): Counts {
    const among = prompt === undefined ? this.all : this.all.filter((record) => record.prompt === prompt)
    return {
      received: among.length,
      answered: among.filter(({ status }) => status === 200).length,
      billed: among.filter(({ billed }) => billed).length,
    }
  }

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
