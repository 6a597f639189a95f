import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createS3FileStore } from '../../cluster/s3/s3-file-store.ts'
import { parseS3Url, type S3Location } from '../../cluster/s3/s3-location.ts'
import { startS3, type TestS3 } from '../../testing/s3-server.ts'
import { hashOf } from '../security/hash-of.ts'
import { createDiskFileStore, type FileStore } from './file-store.ts'

const HOUR_MS = 3600_000
const content = '%PDF-1.7'
const hash = hashOf(content)
const anHourAgo = () => new Date(Date.now() - HOUR_MS)
const longAgo = new Date(Date.now() - 5 * HOUR_MS)
let folder: string
let paper: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-files-'))
  paper = join(folder, 'upload')
  writeFileSync(paper, content)
})
afterEach(() => rmSync(folder, { recursive: true }))

const found = async (files: FileStore, moment: Date) => {
  const hashes: string[] = []
  for await (const one of files.listOlderThan(moment)) hashes.push(one)
  return hashes
}

interface Kind {
  open(): FileStore
  age(hash: string, when: Date): Promise<void>
}

function describeStore(name: string, kind: Kind): void {
  describe(`papers ${name}`, () => {
    it('are the same when they are read: whole, in part and as a file', async () => {
      const files = kind.open()
      const bytes = randomBytes(16 * 1024 * 1024 + 11)
      const large = createHash('sha256').update(bytes).digest('hex')
      writeFileSync(paper, bytes)
      await files.store(paper, large)
      expect(await files.size(large)).toBe(bytes.length)
      expect(hashOf(await buffer(files.read(large)))).toBe(large)
      const range = { start: 8_388_600, end: 8_388_700 }
      expect(await buffer(files.read(large, range))).toEqual(bytes.subarray(range.start, range.end + 1))
      expect((await stat(await files.localPath(large))).size).toBe(bytes.length)
    })

    it('are not there before they are stored', async () => {
      const files = kind.open()
      const none = hashOf('none')
      expect(await files.size(none)).toBeNull()
      expect(await files.keep(none)).toBe(false)
      await expect(buffer(files.read(none))).rejects.toMatchObject({ code: 'ENOENT' })
      await expect(stat(await files.localPath(none))).rejects.toMatchObject({ code: 'ENOENT' })
      expect(await files.removeIfOlderThan(none, new Date())).toBe(true)
      await expect((async () => files.size('../secret'))()).rejects.toThrow('not a content hash')
    })

    it('are not deleted when they were stored or kept again after their age was read', async () => {
      const files = kind.open()
      await files.store(paper, hash)
      for (const again of [() => files.store(paper, hash), () => files.keep(hash)]) {
        await kind.age(hash, longAgo)
        const moment = anHourAgo()
        expect(await found(files, moment)).toEqual([hash])
        await again()
        expect(await found(files, moment)).toEqual([])
        expect(await files.removeIfOlderThan(hash, moment)).toBe(false)
        expect(await buffer(files.read(hash))).toEqual(Buffer.from(content))
      }
      await kind.age(hash, longAgo)
      expect(await files.removeIfOlderThan(hash, anHourAgo())).toBe(true)
      expect(await files.size(hash)).toBeNull()
      await expect(stat(await files.localPath(hash))).rejects.toMatchObject({ code: 'ENOENT' })
    })

    it('stay when they are stored at the moment of a deletion', async () => {
      const files = kind.open()
      for (const storedFirst of [true, false]) {
        await files.store(paper, hash)
        await kind.age(hash, longAgo)
        const both = [() => files.store(paper, hash), () => files.removeIfOlderThan(hash, anHourAgo())]
        await Promise.all((storedFirst ? both : both.reverse()).map((act) => act()))
        expect(await files.size(hash)).toBe(content.length)
      }
    })
  })
}

describeStore('on disk', {
  open: () => createDiskFileStore(join(folder, 'papers')),
  age: (of, when) => utimes(join(folder, 'papers', of.slice(0, 2), `${of}.pdf`), when, when),
})

describe('on disk', () => {
  it('a paper’s age counts from when it was stored, however long the upload took', async () => {
    const files = createDiskFileStore(join(folder, 'papers'))
    await utimes(paper, longAgo, longAgo)
    await files.store(paper, hash)
    expect((await stat(await files.localPath(hash))).mtime.getTime()).toBeGreaterThan(longAgo.getTime() + HOUR_MS)
  })

  it('partial files of a killed process are deleted, and none that is being stored', async () => {
    const files = createDiskFileStore(join(folder, 'papers'))
    await files.store(paper, hash)
    const home = dirname(await files.localPath(hash))
    const [old, young] = [join(home, `${hash}.pdf.old`), join(home, `${hash}.pdf.young`)]
    for (const path of [old, young]) await writeFile(path, '%PDF')
    for (const path of [old, await files.localPath(hash)]) await utimes(path, longAgo, longAgo)
    await files.removePartialFiles(anHourAgo())
    expect(readdirSync(home).sort()).toEqual([`${hash}.pdf`, `${hash}.pdf.young`])
  })
})

let s3: TestS3
beforeAll(async () => {
  s3 = await startS3()
})
afterEach(async () => {
  s3.recover()
  s3.requests.length = 0
})
afterAll(() => s3.stop())

function locationOf({ env }: TestS3): S3Location {
  const parsed = parseS3Url(env.FILES_URL ?? '')
  if (typeof parsed === 'string') throw new Error(parsed)
  return { ...parsed, credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } }
}

const clientOf = ({ endpoint, region, credentials }: S3Location) => ({
  region,
  forcePathStyle: true,
  ...(endpoint && { endpoint }),
  ...(credentials && { credentials }),
})

const warnings: unknown[] = []
const openS3 = (cacheBytes = 2 ** 30, location = locationOf(s3), installation = 'school') =>
  createS3FileStore({
    location,
    cacheFolder: join(folder, 'cache'),
    cacheBytes,
    attempts: 2,
    installation: async () => installation,
    log: { warn: (...said: unknown[]) => void warnings.push(said) },
  })

describeStore('in S3', { open: openS3, age: (of, when) => s3.age(of, when) })

describe('in S3', () => {
  it('large papers go in parts, small ones whole with their checksum', async () => {
    const files = openS3()
    const bytes = randomBytes(16 * 1024 * 1024)
    writeFileSync(paper, bytes)
    await files.store(paper, hashOf(bytes))
    expect(s3.requests.filter((line) => /^PUT .*partNumber=/.test(line))).toHaveLength(2)
  })

  it('one store’s deletion never takes what another has just kept: each has an object of its own', async () => {
    const [sweeper, writer] = [openS3(), openS3()]
    await writer.store(paper, hash)
    await s3.age(hash, longAgo)
    const before = await s3.keys()
    expect(await writer.keep(hash)).toBe(true)
    // More than one, if the SDK has tried again.
    expect((await s3.keys()).length).toBeGreaterThan(before.length)
    expect(await sweeper.removeIfOlderThan(hash, anHourAgo())).toBe(false)
    const left = (await s3.keys()).filter((key) => key.startsWith(hash))
    expect(left).not.toEqual([])
    for (const key of left) expect(before).not.toContain(key)
    expect(await buffer(writer.read(hash))).toEqual(Buffer.from(content))
  })

  it('papers are one installation’s: another can neither claim nor delete them, nor go on once they were taken over', async () => {
    const location = { ...locationOf(s3), prefix: 'shared/' }
    const [files, other] = [openS3(1, location), openS3(1, location, 'a copy')]
    await files.assertUnclaimed()
    await Promise.all([files.claim(), openS3(1, location).claim()])
    await files.store(paper, hash)
    const refused = 'the papers in “papers/shared/” belong to another installation of Assay'
    await expect(other.claim()).rejects.toThrow(refused)
    await expect(other.assertUnclaimed()).rejects.toThrow('delete the object “shared/owner.json”')
    await expect(other.removeIfOlderThan(hash, new Date(Date.now() + HOUR_MS))).rejects.toThrow(refused)
    await expect(other.removePartialFiles(new Date(Date.now() + HOUR_MS))).rejects.toThrow(refused)
    expect(await files.size(hash)).toBe(content.length)
    // As if somebody had deleted the object so that the copy may take the papers over.
    const client = new S3Client(clientOf(location))
    await client.send(new DeleteObjectCommand({ Bucket: location.bucket, Key: 'shared/owner.json' }))
    client.destroy()
    await other.claim()
    await expect(openS3(1, location).removeIfOlderThan(hash, new Date())).rejects.toThrow(refused)
  })

  it('what was stored again loses its older objects once they are old, and never the newest', async () => {
    const files = openS3()
    for (let i = 0; i < 3; i++) await files.store(paper, hash)
    await files.removePartialFiles(anHourAgo())
    const ofPaper = async () => (await s3.keys()).filter((key) => key.startsWith(hash))
    expect((await ofPaper()).length).toBeGreaterThanOrEqual(3)
    await s3.age(hash, longAgo)
    await files.removePartialFiles(anHourAgo())
    expect(await ofPaper()).toHaveLength(1)
    expect(await files.size(hash)).toBe(content.length)
  })

  it('a paper is downloaded once for all who want a path, and what was used long ago makes room', async () => {
    const files = openS3(3000)
    const hashes: string[] = []
    for (const text of ['a', 'b', 'c']) {
      writeFileSync(paper, text.repeat(1200))
      const one = hashOf(text.repeat(1200))
      await files.store(paper, one)
      hashes.push(one)
    }
    const [a = '', b = '', c = ''] = hashes
    s3.requests.length = 0
    const paths = await Promise.all([files.localPath(a), files.localPath(a), files.localPath(a)])
    expect(new Set(paths).size).toBe(1)
    expect(s3.requests.filter((line) => line.includes(`/${a}.`))).toHaveLength(1)
    for (const one of [a, await files.localPath(b).then(() => b)]) {
      await utimes(join(folder, 'cache', `${one}.pdf`), longAgo, longAgo)
    }
    await files.localPath(a) // In use.
    await files.localPath(c)
    expect(readdirSync(join(folder, 'cache')).sort()).toEqual([`${a}.pdf`, `${c}.pdf`].sort())
  })

  it('a copy that nobody used for a day is deleted, as the paper may have been by another process', async () => {
    const files = openS3()
    await files.store(paper, hash)
    const copy = await files.localPath(hash)
    await utimes(copy, longAgo, longAgo)
    await files.removePartialFiles(longAgo)
    expect(readdirSync(dirname(copy))).toHaveLength(1)
    const yesterday = new Date(Date.now() - 25 * HOUR_MS)
    await utimes(copy, yesterday, yesterday)
    await files.removePartialFiles(longAgo)
    expect(readdirSync(dirname(copy))).toEqual([])
  })

  it('a copy with other content is refused', async () => {
    const files = openS3()
    const claimed = hashOf('claimed')
    writeFileSync(paper, 'x'.repeat(100))
    await files.store(paper, claimed)
    await expect(files.localPath(claimed)).rejects.toThrow('other content')
    expect(readdirSync(join(folder, 'cache'))).toEqual([])
  })

  it('an outage is told as one, without keys in the log, and is over when the store answers again', async () => {
    const files = openS3()
    await files.store(paper, hash)
    s3.fail(() => true)
    const told = { status: 503, message: 'The paper store cannot be reached. Please try again.' }
    for (const call of [
      () => files.store(paper, hash),
      () => files.keep(hash),
      () => files.size(hash),
      () => files.localPath(hash),
      () => buffer(files.read(hash)),
      () => files.removeIfOlderThan(hash, new Date()),
    ]) {
      await expect(call()).rejects.toMatchObject(told)
    }
    expect(await files.isReachable()).toBe(false)
    expect(JSON.stringify(warnings)).not.toContain('S3RVER')
    s3.recover()
    expect(await files.isReachable()).toBe(true)
    expect(await files.size(hash)).toBe(content.length)
    let failures = 1
    s3.fail(() => failures-- > 0)
    expect(await buffer(files.read(hash))).toEqual(Buffer.from(content)) // Tried again.
  })

  it('a store that refuses us says why', async () => {
    const there = locationOf(s3)
    await expect(openS3(1, { ...there, bucket: 'other' }).isReachable()).rejects.toThrow(
      'FILES_URL: there is no bucket “other” at this store.',
    )
    const wrong = { accessKeyId: 'UNKNOWN', secretAccessKey: 'wrong-secret' }
    const refusal = await openS3(1, { ...there, credentials: wrong })
      .isReachable()
      .catch((error: unknown) => error)
    expect(String(refusal)).toContain('the store does not let us into the bucket “papers” (InvalidAccessKeyId)')
    expect(String(refusal)).not.toContain('wrong-secret')
  })
})

describe('papers on a disk that several processes share', () => {
  const path = () => join(folder, 'papers', hash.slice(0, 2), `${hash}.pdf`)
  const openTwo = () => [1, 2].map(() => createDiskFileStore(join(folder, 'papers'))) as [FileStore, FileStore]

  it('are never lost when one process stores what another deletes', async () => {
    const [web, worker] = openTwo()
    for (let i = 0; i < 300; i++) {
      writeFileSync(paper, content)
      await web.store(paper, hash)
      await utimes(path(), longAgo, longAgo)
      // `keep` says whether it is there to stay.
      const [kept] = await Promise.all([web.keep(hash), worker.removeIfOlderThan(hash, anHourAgo())])
      if (kept) expect(await web.size(hash)).toBe(content.length)
      writeFileSync(paper, content)
      await utimes(path(), longAgo, longAgo).catch(() => {})
      await Promise.all([web.store(paper, hash), worker.removeIfOlderThan(hash, anHourAgo())])
      expect(await web.size(hash)).toBe(content.length)
    }
  })

  it('are there again after a process died while it deleted one', async () => {
    const [web, worker] = openTwo()
    await web.store(paper, hash)
    renameSync(path(), `${path()}.removing-x`)
    await worker.removePartialFiles(anHourAgo())
    // Another one may be at it just now.
    expect(await web.size(hash)).toBeNull()
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] })
    await worker.removePartialFiles(anHourAgo())
    vi.useRealTimers()
    expect(await web.size(hash)).toBe(content.length)
  })
})
