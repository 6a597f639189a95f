import type { OpenFailureCode } from './storage/open-failure.ts'
import type { StoreOptions } from './storage/store.ts'
import type { Address } from './wire/listen.ts'

export interface WorkerSettings extends StoreOptions {
  folder: string
  address: Address
  quickMs: number
  sweepMs: number
}

export type FromWorker =
  | { kind: 'ready'; port: number | undefined }
  | { kind: 'failed'; code: OpenFailureCode; message: string }
  | { kind: 'log'; line: string }
  | { kind: 'stopped' }
