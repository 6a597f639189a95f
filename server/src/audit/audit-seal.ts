import { createHmac } from 'node:crypto'
import mongoose from 'mongoose'
import { deriveKey } from '../lib/security/secret-encryption.ts'
import type { AuditDoc } from './audit.service.ts'
import { withoutWords } from './without-words.ts'

/**
 * Entries of the audit log that no change goes unnoticed in: each has a proof here, and each seal names the one before it. Who can write to
 * the database and does not know SECRET_KEY can make no other seal.
 */
export interface AuditSealDoc {
  /** 1, 2, … */
  _id: number
  /** The hash of the seal before it; empty for the first. */
  previous: string
  sealed_at: Date
  entries: number[]
  /** Of each entry, in the same order. */
  proofs: string[]
  /** Which key it was made with. */
  key: string
  hash: string
}

const sealSchema = new mongoose.Schema<AuditSealDoc>(
  {
    _id: Number,
    previous: { type: String, default: '' },
    sealed_at: { type: Date, required: true },
    entries: { type: [Number], required: true },
    proofs: { type: [String], required: true },
    key: { type: String, required: true },
    hash: { type: String, required: true },
  },
  { versionKey: false },
)
// Whether an entry is in a seal already.
sealSchema.index({ entries: 1 })
export const AuditSealModel = mongoose.model('AuditSeal', sealSchema, 'audit_seals')

export interface SealKey {
  secret: Buffer
  /** Tells keys apart, and nothing of what they are. */
  id: string
}

/** 128 bits of an HMAC-SHA-256, in hex. */
const PROOF_CHARS = 32

export function createSealKey(secretKey: string): SealKey {
  const secret = deriveKey(secretKey, 'audit seal')
  return { secret, id: hmac('which key', secret).slice(0, 8) }
}

const hmac = (content: string, secret: Buffer) => createHmac('sha256', secret).update(content).digest('hex')

/** Of an entry's facts, which stay when a person is erased, and of its words, which go then. */
export function proveEntry(entry: AuditDoc, { secret }: SealKey): { facts: string; words: string } {
  const { _id, at, actor_id, actor_role, session_id = null, action, subject, before = null, after = null } = entry
  const facts = { _id, at, actor_id, actor_role, session_id, action, subject }
  const left = { before: withoutWords(before), after: withoutWords(after) }
  const prove = (content: unknown) => hmac(JSON.stringify(inOrder(content)), secret).slice(0, PROOF_CHARS)
  return { facts: prove({ ...facts, ...left }), words: prove({ _id, before, after }) }
}

export const joinProof = ({ facts, words }: { facts: string; words: string }): string => facts + words
export const splitProof = (proof: string) => ({
  facts: proof.slice(0, PROOF_CHARS),
  words: proof.slice(PROOF_CHARS),
})

export const hashSeal = (
  { _id, previous, sealed_at, entries, proofs, key }: Omit<AuditSealDoc, 'hash'>,
  { secret }: SealKey,
): string => hmac(JSON.stringify([_id, previous, sealed_at, entries, proofs, key]), secret)

/** Databases keep the order of an object's fields, and programs need not. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, inOrder(one)]))
}
