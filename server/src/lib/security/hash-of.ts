import { type BinaryToTextEncoding, createHash, timingSafeEqual } from 'node:crypto'

export const hashOf = (content: string | Uint8Array, encoding: BinaryToTextEncoding = 'hex'): string =>
  createHash('sha256').update(content).digest(encoding)

/** In constant time, as hashes have one length. */
export const isSameSecret = (one: string | Uint8Array, other: string | Uint8Array): boolean =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)))
