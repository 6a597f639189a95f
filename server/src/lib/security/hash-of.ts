import { type BinaryToTextEncoding, createHash, timingSafeEqual } from 'node:crypto'

/** Texts as UTF-8. */
export const hashOf = (content: string | Uint8Array, encoding: BinaryToTextEncoding = 'hex'): string =>
  createHash('sha256').update(content).digest(encoding)

/** In a time that reveals nothing of either: their hashes have one length. */
export const isSameSecret = (one: string | Uint8Array, other: string | Uint8Array): boolean =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)))
