import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import pLimit from 'p-limit'
import { z } from 'zod'
import { hasCode } from '../../lib/has-code.ts'
import type { Log } from '../../lib/log.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { createFileCache, type FileStore } from '../../lib/storage/file-store.ts'
import { FileStoreUnreachableError } from '../../lib/storage/file-store-error.ts'
import { explainRefusal, isConflict, isMissing, isOutage, isUnsupported, reasonOf } from './s3-errors.ts'
import type { S3Location } from './s3-location.ts'

/** Larger files are uploaded in parts, held in memory. */
const PART_BYTES = 8 * 1024 * 1024
const MAX_UPLOADS = 6
const NO_HASH = '0'.repeat(64)
const MAX_SOCKETS = 500
const OWNER_CHECK_MS = 60_000

interface S3FileStoreOptions {
  location: S3Location
  cacheFolder: string
  cacheBytes: number
  log: Pick<Log, 'warn'>
  installation?: () => Promise<string>
  attempts?: number
}

export interface S3FileStore extends FileStore {
  /** @throws {OperatorError} if the bucket does not exist or access is denied */
  isReachable(): Promise<boolean>
  /** Must precede any deletion. @throws {OperatorError} if the papers are another's; {FileStoreUnreachableError} */
  claim(): Promise<void>
  /** @throws {OperatorError} if somebody has claimed the papers; {FileStoreUnreachableError} */
  assertUnclaimed(): Promise<void>
  close(): void
}

interface StoredObject {
  key: string
  hash: string
  bytes: number
  storedAt: Date
}

/** Of objects of the same second the key decides, so that all processes agree on the newest. */
const newestOf = (objects: StoredObject[]) =>
  objects.reduce<StoredObject | null>((newest, object) => {
    const later = newest && object.storedAt.getTime() - newest.storedAt.getTime()
    return later === null || later > 0 || (later === 0 && object.key > (newest?.key ?? '')) ? object : newest
  }, null)

/** Storing a file again adds an object, so deleting old ones is safe (docs/decisions/0022-papers-in-s3.md). */
export function createS3FileStore(options: S3FileStoreOptions): S3FileStore {
  const { location, attempts = 4, log, installation, ...cached } = options
  const { bucket: Bucket, prefix, endpoint, region, pathStyle, credentials } = location
  const client = new S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
    forcePathStyle: pathStyle,
    maxAttempts: attempts,
    // Many stores do not know the checksums that the SDK adds by default; we send SHA-256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5000,
      // A part is 8 MB, and several share a school's line.
      requestTimeout: 300_000,
      throwOnRequestTimeout: true,
      // A slow reader takes something now and then.
      socketTimeout: 120_000,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  })
  const cache = createFileCache(cached.cacheFolder, cached.cacheBytes)
  const limitUploads = pLimit(MAX_UPLOADS)

  function unreachable(cause: unknown): FileStoreUnreachableError {
    // Not the error itself: the SDK's contain the request.
    log.warn({ reason: reasonOf(cause) }, 'the paper store cannot be reached')
    return new FileStoreUnreachableError(cause)
  }

  async function reach<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      throw isOutage(error) ? unreachable(error) : error
    }
  }

  async function* list(under: string): AsyncGenerator<StoredObject> {
    let token: string | undefined
    do {
      const page = await reach(() =>
        client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix + under, ContinuationToken: token })),
      )
      for (const { Key: key = '', Size: bytes = 0, LastModified: storedAt } of page.Contents ?? []) {
        const hash = /^([0-9a-f]{64})\.[0-9a-f-]{36}$/.exec(key.slice(prefix.length))?.[1]
        if (hash && storedAt) yield { key, hash, bytes, storedAt }
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token)
  }

  async function objectsOf(hash: string): Promise<StoredObject[]> {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('not a content hash')
    const objects: StoredObject[] = []
    for await (const object of list(`${hash}.`)) objects.push(object)
    return objects
  }
  const newKey = (hash: string) => `${prefix}${hash}.${randomUUID()}`
  const remove = (key: string) => reach(() => client.send(new DeleteObjectCommand({ Bucket, Key: key })))

  /** Null without an object. One deleted meanwhile has a newer one, or the file is gone. */
  async function withNewest<T>(hash: string, use: (object: StoredObject) => Promise<T>, tries = 5): Promise<T | null> {
    const newest = newestOf(await objectsOf(hash))
    if (!newest) return null
    try {
      return await reach(() => use(newest))
    } catch (error) {
      if (!isMissing(error) || tries === 1) throw error
      return withNewest(hash, use, tries - 1)
    }
  }

  async function keep(hash: string): Promise<boolean> {
    const copied = await withNewest(hash, ({ key }) =>
      client.send(
        new CopyObjectCommand({
          Bucket,
          Key: newKey(hash),
          CopySource: `${Bucket}/${key.split('/').map(encodeURIComponent).join('/')}`,
          MetadataDirective: 'REPLACE', // There is none worth copying.
        }),
      ),
    )
    return copied !== null
  }

  async function upload(path: string, hash: string): Promise<void> {
    const [{ size }, Key] = [await stat(path), newKey(hash)]
    await reach(async () => {
      if (size <= PART_BYTES) {
        const ChecksumSHA256 = Buffer.from(hash, 'hex').toString('base64')
        await client.send(new PutObjectCommand({ Bucket, Key, Body: await readFile(path), ChecksumSHA256 }))
      } else {
        const params = { Bucket, Key, Body: createReadStream(path), ChecksumAlgorithm: 'SHA256' as const }
        await new Upload({ client, params, partSize: PART_BYTES, queueSize: 2 }).done()
      }
      const { ContentLength: stored } = await client.send(new HeadObjectCommand({ Bucket, Key }))
      if (stored === size) return
      // Otherwise the next upload of the paper would be skipped.
      await remove(Key)
      throw new Error(`the paper store has ${stored} bytes of ${size}`)
    })
  }

  async function* content(hash: string, range?: { start: number; end: number }): AsyncGenerator<Uint8Array> {
    const Range = range && `bytes=${range.start}-${range.end}`
    const found = await withNewest(hash, ({ key }) => client.send(new GetObjectCommand({ Bucket, Key: key, Range })))
    if (!found) throw Object.assign(new Error(`there is no file ${hash}`), { code: 'ENOENT' })
    if (!(found.Body instanceof Readable)) throw new Error('the paper store sent no content')
    try {
      yield* found.Body
    } catch (error) {
      throw isOutage(error) ? unreachable(error) : error
    }
  }
  const read: FileStore['read'] = (hash, range) => Readable.from(content(hash, range), { objectMode: false })

  const place = { bucket: Bucket, prefix }
  let ownedUntil = 0

  async function assertOurs(): Promise<void> {
    if (Date.now() < ownedUntil) return
    const own = await installation?.()
    if (own === undefined) throw new Error('it was not said whose papers these are')
    const owner = await reach(() => claimPapers(client, place, own, new Date()))
    if (owner.installation !== own) throw new OperatorError(belongsToAnother(place, owner))
    ownedUntil = Date.now() + OWNER_CHECK_MS
  }

  return {
    claim: assertOurs,
    async assertUnclaimed() {
      const owner = await reach(() => readOwner(client, place))
      if (owner) throw new OperatorError(belongsToAnother(place, owner))
    },
    store: async (path, hash) => {
      if (!(await keep(hash))) await limitUploads(upload, path, hash)
    },
    keep,
    size: async (hash) => newestOf(await objectsOf(hash))?.bytes ?? null,
    read,
    localPath: (hash) =>
      cache
        .fetch(hash, () => read(hash))
        .catch((error: unknown) => {
          // As on disk: a path that does not exist.
          if (hasCode(error, 'ENOENT')) return cache.path(hash)
          throw error
        }),
    async removeIfOlderThan(hash, moment) {
      await assertOurs()
      const objects = await objectsOf(hash)
      for (const { key, storedAt } of objects) if (storedAt < moment) await remove(key)
      const isYoung = objects.some(({ storedAt }) => storedAt >= moment)
      if (!isYoung) await cache.remove(hash)
      return !isYoung
    },
    async *listOlderThan(moment) {
      let [hash, isOld] = ['', false]
      for await (const object of list('')) {
        if (object.hash !== hash) {
          if (isOld) yield hash
          ;[hash, isOld] = [object.hash, true]
        }
        if (object.storedAt >= moment) isOld = false
      }
      if (isOld) yield hash
    },
    async removePartialFiles(moment) {
      await assertOurs()
      cache.sweep()
      const newest = new Map<string, StoredObject>()
      for await (const object of list('')) {
        const { hash } = object
        const other = newest.get(hash)
        if (!other) newest.clear() // Keys come in order, so those of one file come together.
        const kept = newestOf(other ? [other, object] : [object]) ?? object
        const older = kept === object ? other : object
        if (older && older.storedAt < moment) await remove(older.key)
        newest.set(hash, kept)
      }
    },
    async isReachable() {
      try {
        await client.send(new ListObjectsV2Command({ Bucket, Prefix: `${prefix}${NO_HASH}.` }))
        return true
      } catch (error) {
        if (isOutage(error)) return false
        throw new OperatorError(`FILES_URL: ${explainRefusal(error, Bucket)}`, { cause: error })
      }
    },
    close: () => client.destroy(),
  }
}

/** Names the installation that owns the papers under its prefix. */
const OWNER_KEY = 'owner.json'
const Owner = z.object({ installation: z.string(), since: z.string() })
type Owner = z.infer<typeof Owner>

type Prefix = Pick<S3Location, 'bucket' | 'prefix'>

async function readOwner(client: S3Client, { bucket, prefix }: Prefix): Promise<Owner | null> {
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: prefix + OWNER_KEY }))
    return Owner.parse(JSON.parse((await Body?.transformToString()) ?? ''))
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

async function claimPapers(client: S3Client, place: Prefix, installation: string, now: Date): Promise<Owner> {
  const owner = await readOwner(client, place)
  if (owner) return owner
  const own: Owner = { installation, since: now.toISOString() }
  const object = {
    Bucket: place.bucket,
    Key: place.prefix + OWNER_KEY,
    Body: JSON.stringify(own),
    ContentType: 'application/json',
  }
  try {
    await client.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' }))
  } catch (error) {
    if (isUnsupported(error)) await client.send(new PutObjectCommand(object))
    else if (!isConflict(error)) throw error
  }
  // Others may claim at the same moment; without support for the condition the last one wins.
  return (await readOwner(client, place)) ?? own
}

const belongsToAnother = ({ bucket, prefix }: Prefix, { since }: Owner): string =>
  `FILES_URL: the papers in “${bucket}/${prefix}” belong to another installation of Assay, since ${since.slice(0, 10)}. Each of the two would delete the papers that its own database does not know. Name another prefix; or, if this one takes the other’s place and that one never runs again, delete the object “${prefix}${OWNER_KEY}” and start again.`
