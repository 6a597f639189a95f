import type { ProtocolName, ReceivedRequest } from '../received-request.ts'

export interface AnswerContent {
  text: string
  ending: 'whole' | 'refused' | 'cut_off'
  /** Null for a server that does not report usage. */
  usage: { input: number; output: number } | null
}

export interface ProtocolError {
  status: number
  message: string
  code: string
}

export interface Protocol {
  name: ProtocolName
  /** Whether a POST to this path is an LLM request in this protocol. */
  owns(path: string): boolean
  /** Throws a ZodError for an invalid request. */
  read(body: unknown, path: string): ReceivedRequest
  answer(content: AnswerContent, asked: ReceivedRequest): unknown
  error(error: ProtocolError): unknown
  keyHeader: string
}
