import type { OpenFailureCode } from './storage/open-failure.ts'
import type { Address } from './wire/listen.ts'

export interface WorkerSettings {
  folder: string
  address: Address
  /** How long a write waits for another client's transaction. */
  waitMs: number
  /** How often expired documents are removed. */
  sweepMs: number
  /** For tests: the file size at which the disk counts as full. */
  maxPages: number | undefined
  /** False for tests of something else: a commit does not wait for the disk. */
  durable: boolean
}

export type FromWorker =
  | { kind: 'ready'; port: number | undefined }
  | { kind: 'failed'; code: OpenFailureCode; message: string }
  | { kind: 'log'; line: string }
  | { kind: 'stopped' }
