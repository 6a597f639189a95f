import type { ProtocolName, ReceivedRequest } from './received-request.ts'

/** An answer before it takes a protocol's shape. */
export interface AnswerContent {
  text: string
  ending: 'whole' | 'refused' | 'cut_off'
  /** Null for a server that does not count. */
  usage: { input: number; output: number } | null
}

/** An error before it takes a protocol's shape. */
export interface ProtocolError {
  status: number
  message: string
  code: string
}

/** One provider's protocol. */
export interface Protocol {
  name: ProtocolName
  /** Whether a POST to this path is a question in this protocol. */
  owns(path: string): boolean
  /** Throws a ZodError for what is not a question. */
  read(body: unknown, path: string): ReceivedRequest
  answer(said: AnswerContent, asked: ReceivedRequest): unknown
  error(trouble: ProtocolError): unknown
  /** The header its key comes in. */
  keyHeader: string
}
