import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bsonFile, type Manifest, paperFile } from './backup-format.ts'
import { bsonDocuments } from './bson-documents.ts'
import { hasCode } from './checked-files.ts'
import { COLLECTIONS_WITH_PAPERS, papersOf } from './paper-references.ts'
import type { PaperSource } from './paper-source.ts'
import type { SumsFile } from './sums-file.ts'

/** A file is not deleted before this long after it was stored (`sweep-files.ts`). */
const SURELY_KEPT_MS = 15 * 60 * 1000
const REPORT_EVERY = 1000

/** Copies papers into a backup. The store's files never change, so a paper that is there already is the same. */
export class PaperCopy {
  readonly counts: Manifest['papers'] = { files: 0, bytes: 0, missing: [], damaged: [] }
  readonly #source: PaperSource
  readonly #backup: string
  readonly #sums: SumsFile
  readonly #report: (line: string) => void

  constructor(source: PaperSource, backup: string, sums: SumsFile, report: (line: string) => void) {
    this.#source = source
    this.#backup = backup
    this.#sums = sums
    this.#report = report
  }

  /**
   * Every paper that is stored. A paper stored since is young, so it will still be there when the database that refers to it has been
   * read: hence again, if this took long.
   */
  async copyAll(): Promise<void> {
    for (;;) {
      const began = performance.now()
      // What is deleted between the two was referred to by nothing.
      for await (const hash of this.#source.hashes()) await this.#copy(hash)
      if (performance.now() - began < SURELY_KEPT_MS) return
    }
  }

  /** Those that the backup's database refers to and that came after `copyAll`. */
  async copyReferenced(): Promise<void> {
    const missing = new Set<string>()
    for (const collection of COLLECTIONS_WITH_PAPERS) {
      const path = join(this.#backup, bsonFile(collection))
      if (!existsSync(path)) continue
      for await (const document of bsonDocuments(path)) {
        for (const hash of papersOf(collection, document)) if (!(await this.#copy(hash))) missing.add(hash)
      }
    }
    this.counts.missing = [...missing].sort()
  }

  /** False if there is none. */
  async #copy(hash: string): Promise<boolean> {
    const name = paperFile(hash)
    const target = join(this.#backup, name)
    if (existsSync(target)) return true
    try {
      const { sha256, bytes } = await this.#source.copy(hash, target)
      await this.#sums.add(name, sha256)
      this.counts.files++
      this.counts.bytes += bytes
      if (sha256 !== hash) this.counts.damaged.push(hash)
    } catch (error) {
      if (!hasCode(error, 'ENOENT') && !hasCode(error, 'EISDIR')) throw error
      return false
    }
    if (this.counts.files % REPORT_EVERY === 0) this.#report(`  ${this.counts.files} papers`)
    return true
  }
}
