import type { AuditDoc } from './audit.service.ts'
import { type AuditSealDoc, hashSeal, proveEntry, type SealKey, splitProof } from './audit-seal.ts'

export interface AuditCheck {
  entries: number
  seals: number
  /** Entries younger than the last seal. */
  unsealed: number
  /** Entries without their words, as the person they were about was erased. */
  erased: number
  /** The newest seal's hash; null where there is none. */
  head: string | null
  /** Sentences; empty where nothing was changed. */
  problems: string[]
}

/** So many are told one by one. */
const MOST_TOLD = 20

/**
 * Compares every entry with its seal, and the seals with each other.
 * @param head a hash of a seal, noted earlier: it must still be there
 */
export async function checkAudit(
  seals: AsyncIterable<AuditSealDoc> | Iterable<AuditSealDoc>,
  entries: AsyncIterable<AuditDoc> | Iterable<AuditDoc>,
  key: SealKey,
  head?: string,
): Promise<AuditCheck> {
  const problems: string[] = []
  const inOrder: AuditSealDoc[] = []
  for await (const seal of seals) inOrder.push(seal)
  inOrder.sort((a, b) => a._id - b._id)
  const proofs = new Map<number, { proof: string; seal: number }>()
  let [previous, expected] = ['', 1]
  for (const seal of inOrder) {
    if (seal._id !== expected) problems.push(`${missing('Seal', expected, seal._id - 1)} missing.`)
    else if (seal.key !== key.id) problems.push(`Seal ${seal._id} was made with another SECRET_KEY.`)
    else if (seal.previous !== previous || seal.hash !== hashSeal(seal, key))
      problems.push(`Seal ${seal._id} was changed.`)
    for (const [i, id] of seal.entries.entries()) proofs.set(id, { proof: seal.proofs[i] ?? '', seal: seal._id })
    previous = seal.hash
    expected = seal._id + 1
  }
  if (head !== undefined && !inOrder.some(({ hash }) => hash === head))
    problems.push('No seal has that hash: seals were removed or made anew.')

  const [counted, unsealed, erased] = [new Set<number>(), new Set<number>(), new Set<number>()]
  for await (const entry of entries) {
    counted.add(entry._id)
    const sealed = proofs.get(entry._id)
    proofs.delete(entry._id)
    if (!sealed) {
      // Where the database has no snapshots, a newer seal may have come meanwhile.
      if (entry.seal === undefined || entry.seal >= expected) unsealed.add(entry._id)
      else problems.push(`Entry ${entry._id} is not in the seal it names, ${entry.seal}.`)
      continue
    }
    if (entry.erased) erased.add(entry._id)
    const [was, is] = [splitProof(sealed.proof), proveEntry(entry, key)]
    if (is.facts !== was.facts || (!entry.erased && is.words !== was.words))
      problems.push(`Entry ${entry._id} was changed after it was sealed.`)
  }
  for (const id of proofs.keys()) problems.push(`Entry ${id} was removed.`)
  const told = problems.slice(0, MOST_TOLD)
  if (problems.length > MOST_TOLD) told.push(`And ${problems.length - MOST_TOLD} more.`)
  return {
    entries: counted.size,
    seals: inOrder.length,
    unsealed: unsealed.size,
    erased: erased.size,
    head: inOrder.at(-1)?.hash ?? null,
    problems: told,
  }
}

const missing = (noun: string, from: number, to: number) =>
  from === to ? `${noun} ${from} is` : `${noun}s ${from} to ${to} are`
