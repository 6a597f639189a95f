import { type BinaryToTextEncoding, createHash } from 'node:crypto'

/** The SHA-256 of a text (as UTF-8) or of bytes. */
export const hashOf = (content: string | Uint8Array, encoding: BinaryToTextEncoding = 'hex'): string =>
  createHash('sha256').update(content).digest(encoding)
