import type { OpenFailureCode } from './storage/open-failure.ts'
import type { StoreOptions } from './storage/store.ts'
import type { Address } from './wire/listen.ts'

export interface WorkerSettings extends StoreOptions {
  folder: string
  address: Address
  /** How long a command may take in the thread that serves everybody; longer ones go to another. */
  quickMs: number
  /** How often expired documents are removed and free pages given back. */
  sweepMs: number
}

export type FromWorker =
  | { kind: 'ready'; port: number | undefined }
  | { kind: 'failed'; code: OpenFailureCode; message: string }
  | { kind: 'log'; line: string }
  | { kind: 'stopped' }
