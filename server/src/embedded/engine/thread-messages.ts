import type { Rest } from '../commands/command.ts'
import type { StoreOptions } from '../storage/store.ts'

export interface ThreadSettings extends StoreOptions {
  mode: 'read' | 'write'
  folder: string
}

export interface ToThread {
  message: Uint8Array
  cursorId: bigint
}

export interface ThreadAnswer {
  reply: Uint8Array
  rest: Rest | undefined
  namespace: string
}

export type FromThread = ({ kind: 'answer' } & ThreadAnswer) | { kind: 'log'; line: string }
