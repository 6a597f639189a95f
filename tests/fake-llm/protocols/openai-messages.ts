import { decodeDataUrl, type ProtocolError, type ReceivedRequest } from '../received-request.ts'

/** OpenAI's two protocols differ in the names of roles and content parts. */

interface Message<P> {
  role: string
  content: string | P[]
}

export function collectMessages<P>(
  asked: ReceivedRequest,
  messages: readonly Message<P>[],
  read: (part: P) => { text: string } | { picture: string },
): void {
  for (const { role, content } of messages) {
    const parts = typeof content === 'string' ? [{ text: content }] : content.map(read)
    if (role === 'user') asked.turns++
    for (const part of parts) {
      if ('picture' in part) asked.pictures.push(...[decodeDataUrl(part.picture)].filter((found) => found !== null))
      else if (role === 'user') asked.texts.push(part.text)
      else if (role !== 'assistant') asked.system += part.text
    }
  }
}

export const openaiError = ({ message, code }: ProtocolError) => ({ error: { message, type: code, param: null, code } })
