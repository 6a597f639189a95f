import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { OperatorError } from '../../lib/operator-error.ts'
import { SUMS } from './backup-format.ts'
import { CheckedFile, copyChecked, type WrittenFile, writeChecked } from './checked-files.ts'

/** The list of a backup's files with their checksums, as `sha256sum` writes it. */
export class SumsFile {
  files = 0
  readonly #file: CheckedFile
  readonly #signal: AbortSignal | undefined

  private constructor(file: CheckedFile, signal: AbortSignal | undefined) {
    this.#file = file
    this.#signal = signal
  }

  static async create(backup: string, signal?: AbortSignal): Promise<SumsFile> {
    return new SumsFile(await CheckedFile.create(join(backup, SUMS)), signal)
  }

  throwIfAborted(): void {
    this.#signal?.throwIfAborted()
  }

  /** @param name its path in the backup */
  async add(name: string, sha256: string): Promise<void> {
    this.throwIfAborted()
    this.files++
    await this.#file.write(Buffer.from(`${sha256}  ${name}\n`))
  }

  async writeText(path: string, name: string, text: string): Promise<void> {
    await this.add(name, (await writeChecked(path, text)).sha256)
  }

  async copy(from: string, to: string, name: string): Promise<WrittenFile> {
    const written = await copyChecked(from, to)
    await this.add(name, written.sha256)
    return written
  }

  close(): Promise<WrittenFile> {
    return this.#file.close()
  }

  async abandon(): Promise<void> {
    await this.#file.abandon()
  }
}

export interface Listed {
  sha256: string
  /** Its path in the backup, which cannot lead out of it. */
  name: string
}

/** @throws {OperatorError} at a line that is not one */
export async function* readSums(backup: string): AsyncGenerator<Listed> {
  const lines = createInterface({ input: createReadStream(join(backup, SUMS)), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) {
    const [, sha256, name] = /^([0-9a-f]{64}) {2}([^\0]+)$/.exec(line) ?? []
    if (!sha256 || !name || name.split('/').some((part) => ['', '.', '..'].includes(part))) {
      throw new OperatorError(`The backup is damaged: ${SUMS} has a line that is not a checksum.`)
    }
    yield { sha256, name }
  }
}
