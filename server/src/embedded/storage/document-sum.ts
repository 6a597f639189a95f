import type { SQLOutputValue } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { damaged } from '../mongo-error.ts'

/** SQLite has no checksums: this finds a lost bit when it is read. */
export function sumOf(bytes: Uint8Array): number {
  return crc32(bytes)
}

/** Throws if the document is not what was stored. */
export function checkedDocument({ doc, sum }: Record<string, SQLOutputValue>, namespace: string): Uint8Array {
  if (doc instanceof Uint8Array && sumOf(doc) === sum) return doc
  throw damaged(`A document of ${namespace} is damaged: it does not match its checksum`)
}
