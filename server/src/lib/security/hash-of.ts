import { type BinaryToTextEncoding, createHash } from 'node:crypto'

/** Texts as UTF-8. */
export const hashOf = (content: string | Uint8Array, encoding: BinaryToTextEncoding = 'hex'): string =>
  createHash('sha256').update(content).digest(encoding)
