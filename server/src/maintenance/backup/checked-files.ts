import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'

const CHUNK_BYTES = 1024 * 1024

export interface WrittenFile {
  bytes: number
  sha256: string
}

/** A new file that only its owner may read, hashed as it is written, and on disk for good once closed. */
export class CheckedFile {
  readonly #file: FileHandle
  readonly #hash = createHash('sha256')
  #buffered: Uint8Array[] = []
  #bufferedBytes = 0
  #bytes = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** Fails if the file exists. Makes the folders above it. */
  static async create(path: string): Promise<CheckedFile> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return new CheckedFile(await open(path, 'wx', 0o600))
  }

  /** Keeps no reference to the bytes. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#buffered.push(Buffer.from(bytes))
    this.#bufferedBytes += bytes.length
    if (this.#bufferedBytes >= CHUNK_BYTES) await this.#flush()
  }

  async #flush(): Promise<void> {
    const chunk = Buffer.concat(this.#buffered)
    this.#buffered = []
    this.#bufferedBytes = 0
    this.#hash.update(chunk)
    this.#bytes += chunk.length
    for (let at = 0; at < chunk.length; ) at += (await this.#file.write(chunk, at)).bytesWritten
  }

  async close(): Promise<WrittenFile> {
    try {
      await this.#flush()
      await this.#file.sync()
    } finally {
      await this.#file.close()
    }
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }

  /** Closes it as it is, after a failure. */
  async abandon(): Promise<void> {
    await this.#file.close().catch(() => {}) // It is deleted with its folder.
  }
}

/** Writes a whole file. */
export async function writeChecked(path: string, text: string): Promise<WrittenFile> {
  const file = await CheckedFile.create(path)
  await file.write(Buffer.from(text))
  return file.close()
}

async function readChunks(file: FileHandle, each: (chunk: Uint8Array) => Promise<void> | void): Promise<void> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length)
    if (bytesRead === 0) return
    await each(chunk.subarray(0, bytesRead))
  }
}

/** Writes nothing if there is no such file. */
export async function copyChecked(from: string, to: string): Promise<WrittenFile> {
  const source = await open(from, 'r')
  try {
    const file = await CheckedFile.create(to)
    try {
      await readChunks(source, (chunk) => file.write(chunk))
    } catch (error) {
      await file.abandon()
      throw error
    }
    return await file.close()
  } finally {
    await source.close()
  }
}

/** Leaves nothing if the stream fails. */
export async function writeStreamChecked(from: Readable, to: string): Promise<WrittenFile> {
  const file = await CheckedFile.create(to)
  try {
    for await (const chunk of from) await file.write(chunk)
    return await file.close()
  } catch (error) {
    await file.abandon()
    await rm(to, { force: true })
    throw error
  }
}

export async function hashFile(path: string): Promise<WrittenFile> {
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(path, 'r')
  try {
    await readChunks(file, (chunk) => {
      hash.update(chunk)
      bytes += chunk.length
    })
  } finally {
    await file.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Puts the names in a folder on disk for good. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
