import { isDeepStrictEqual } from 'node:util'
import type { AuditDoc } from './audit.service.ts'
import { type AuditSealDoc, hashSeal, proveEntry, type SealKey, splitProof } from './audit-seal.ts'
import { withoutWords } from './without-words.ts'

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

type Documents<T> = AsyncIterable<T> | Iterable<T>

export interface StoredAudit {
  seals: () => Documents<AuditSealDoc>
  entries: () => Documents<AuditDoc>
}

/** So much older than the newest entry, one must have its seal, in ms. */
const SEALED_AFTER_MS = 60 * 60 * 1000

/**
 * Compares every entry with its seal, and the seals with each other.
 * @param keys those that seals were made with, one after the other
 * @param head a hash of a seal, noted earlier: it must still be there
 */
export async function checkAudit(stored: StoredAudit, keys: readonly SealKey[], head?: string): Promise<AuditCheck> {
  const problems: string[] = []
  const seals = await inOrder(stored.seals())
  const keyOf = (seal: AuditSealDoc) => keys.find(({ id }) => id === seal.key)
  problems.push(...problemsOfSeals(seals, keyOf))
  if (head !== undefined && !seals.some(({ hash }) => hash === head))
    problems.push('No seal has that hash: seals were removed or made anew.')

  const proofs = new Map<number, { proof: string; key: SealKey } | null>()
  for (const seal of seals)
    for (const [i, id] of seal.entries.entries()) {
      const key = keyOf(seal)
      if (proofs.has(id)) problems.push(`Entry ${id} is in two seals.`)
      else proofs.set(id, key ? { proof: seal.proofs[i] ?? '', key } : null)
    }
  const found = new Set<number>()
  const unsealed: AuditDoc[] = []
  let [erased, newest] = [0, 0]
  for await (const entry of stored.entries()) {
    found.add(entry._id)
    newest = Math.max(newest, timeOf(entry))
    if (entry.erased) erased++
    const proved = proofs.get(entry._id)
    if (proved === undefined) unsealed.push(entry)
    else if (proved !== null && !isAsProved(entry, proved.proof, proved.key))
      problems.push(`Entry ${entry._id} was changed after it was sealed.`)
  }
  for (const id of proofs.keys()) if (!found.has(id)) problems.push(`Entry ${id} was removed.`)
  // Where the database has no snapshots, seals may have come meanwhile.
  const later = new Set((await inOrder(stored.seals())).slice(seals.length).flatMap(({ entries }) => entries))
  const open = unsealed.filter(({ _id }) => !later.has(_id))
  for (const { _id, seal, at } of open) {
    if (seal !== undefined) problems.push(`Entry ${_id} is not in the seal it names, ${seal}.`)
    else if (!Number.isInteger(_id)) problems.push(`Entry ${_id} was not made by Assay.`)
    else if (newest - timeOf({ at }) > SEALED_AFTER_MS) problems.push(`Entry ${_id} was never sealed.`)
  }
  const told = problems.slice(0, MOST_TOLD)
  if (problems.length > MOST_TOLD) told.push(`And ${problems.length - MOST_TOLD} more.`)
  const counts = { entries: found.size, seals: seals.length, unsealed: open.length, erased }
  return { ...counts, head: seals.at(-1)?.hash ?? null, problems: told }
}

async function inOrder(seals: Documents<AuditSealDoc>): Promise<AuditSealDoc[]> {
  const all: AuditSealDoc[] = []
  for await (const seal of seals) all.push(seal)
  return all.sort((a, b) => a._id - b._id)
}

function problemsOfSeals(seals: readonly AuditSealDoc[], keyOf: (seal: AuditSealDoc) => SealKey | undefined): string[] {
  const problems: string[] = []
  let [previous, expected] = ['', 1]
  for (const seal of seals) {
    const key = keyOf(seal)
    if (seal._id !== expected) problems.push(`${sealsFrom(expected, seal._id - 1)} removed.`)
    else if (seal.previous !== previous || (key && seal.hash !== hashSeal(seal, key)))
      problems.push(`Seal ${seal._id} was changed.`)
    previous = seal.hash
    expected = seal._id + 1
  }
  const others = seals.filter((seal) => !keyOf(seal))
  const [first, last] = [others[0], others.at(-1)]
  if (first && last)
    problems.push(`${sealsFrom(first._id, last._id)} made with another SECRET_KEY, and could not be checked.`)
  return problems
}

/** Without its words where these were removed: then there are none. */
function isAsProved(entry: AuditDoc, proof: string, key: SealKey): boolean {
  const [was, is] = [splitProof(proof), proveEntry(entry, key)]
  if (is.facts !== was.facts) return false
  return is.words === was.words || (entry.erased === true && hasNoWords(entry))
}

/** An entry that somebody made up may have no time. */
const timeOf = ({ at }: Pick<AuditDoc, 'at'>) => (at instanceof Date ? at.getTime() : 0)

const hasNoWords = ({ before, after }: AuditDoc) =>
  isDeepStrictEqual([before, after], [withoutWords(before), withoutWords(after)])

const sealsFrom = (from: number, to: number) => (from === to ? `Seal ${from} was` : `Seals ${from} to ${to} were`)
