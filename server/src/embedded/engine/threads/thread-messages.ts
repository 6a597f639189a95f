import type { StoreOptions } from '../../storage/store.ts'

export interface ThreadSettings extends StoreOptions {
  folder: string
  /** Distinguishes the cursors of threads. */
  number: number
  /** How much of the file SQLite keeps in memory, beyond what the system does. */
  cacheKilobytes: number
  /** See `ControlSlot`. */
  control: SharedArrayBuffer
}

/** Numbers that both sides see at once, even while the thread is running a command. */
export const ControlSlot = {
  /** The call that has to end. */
  ended: 0,
  /** Changes with each step of a command. */
  progress: 1,
  /** Odd while a regular expression is being tried. */
  regex: 2,
  /** See `Phase`. */
  phase: 3,
} as const
export const CONTROL_SLOTS = 4

/** Who changes it from `open` first, prevails: a thread that commits is not ended, and one that is being ended does not commit. */
export const Phase = { open: 0, committing: 1, ending: 2 } as const

/** A command outside a transaction, or one in it. */
export type RunMode = 'read' | 'write' | 'transaction'

/** Of the connection: its transaction, or moving the write-ahead log into the file. */
export type ControlKind = 'begin' | 'commit' | 'rollback' | 'checkpoint'

export type Work =
  /** A command as the client sent it. `endsAt` is the time of day at which its maxTimeMS is over. */
  { kind: 'run'; mode: RunMode; message: Uint8Array; endsAt: number } | { kind: ControlKind }

export type ToThread =
  | { kind: 'call'; call: number; work: Work }
  | { kind: 'kill-cursor'; id: bigint }
  | { kind: 'stop' }

export interface Answer {
  reply: Uint8Array
  failed: boolean
}

export type FromThread = ({ kind: 'answer'; call: number; cursors: bigint[] } & Answer) | { kind: 'log'; line: string }
