import type { Asked, WireName } from './asked.ts'

/** An answer before it takes a protocol's shape. */
export interface Said {
  text: string
  ending: 'whole' | 'refused' | 'cut_off'
  /** Null for a server that does not count. */
  usage: { input: number; output: number } | null
}

/** An error before it takes a protocol's shape. */
export interface Trouble {
  status: number
  message: string
  code: string
}

/** One provider's protocol. */
export interface Wire {
  name: WireName
  /** Whether a POST to this path is a question in this protocol. */
  owns(path: string): boolean
  /** Throws a ZodError for what is not a question. */
  read(body: unknown, path: string): Asked
  answer(said: Said, asked: Asked): unknown
  error(trouble: Trouble): unknown
  /** The header its key comes in. */
  keyHeader: string
}
