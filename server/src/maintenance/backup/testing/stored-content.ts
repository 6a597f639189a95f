import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Binary, BSONRegExp, Code, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson'
import { mongo } from 'mongoose'
import { afterAll } from 'vitest'
import { startEmbeddedDatabase } from '../../../embedded/embedded-database.ts'
import { FOLDER_LOCK } from '../swap-in.ts'

export async function inDatabase<T>(dataDir: string, work: (db: mongo.Db) => Promise<T>): Promise<T> {
  // Expired documents are compared too.
  const store = await startEmbeddedDatabase({ folder: join(dataDir, 'database'), internal: { sweepMs: 2 ** 30 } })
  const client = await mongo.MongoClient.connect(store.url)
  try {
    return await work(client.db())
  } finally {
    await client.close()
    await store.stop()
  }
}

export type DatabaseContent = Record<string, { documents: string[]; indexes: unknown[] }>

export async function contentOf(db: mongo.Db): Promise<DatabaseContent> {
  const content: DatabaseContent = {}
  for (const { name } of await db.listCollections().toArray()) {
    const documents: string[] = []
    for await (const bytes of db.collection(name).find({}, { raw: true })) {
      if (bytes instanceof Uint8Array) documents.push(Buffer.from(bytes).toString('base64'))
    }
    const indexes = (await db.collection(name).listIndexes().toArray()).map(({ v: _, ...index }) => index)
    content[name] = { documents: documents.sort(), indexes }
  }
  return content
}

export const databaseOf = (dataDir: string) => inDatabase(dataDir, contentOf)

/** Without the database's files and locks. */
export function filesOf(dataDir: string): Record<string, string> {
  const files: Record<string, string> = {}
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(dataDir.length + 1)
    if (entry.isFile() && path !== FOLDER_LOCK && !path.startsWith('database/'))
      files[path] = readFileSync(join(dataDir, path), 'latin1')
  }
  return files
}

export function storePaper(dataDir: string, content: string): string {
  const hash = createHash('sha256').update(content).digest('hex')
  const folder = join(dataDir, 'papers', hash.slice(0, 2))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${hash}.pdf`), content)
  return hash
}

const everyType = {
  double: new Double(5),
  minusZero: new Double(-0),
  int: new Int32(5),
  long: Long.fromString('9007199254740993'),
  decimal: Decimal128.fromString('1.10'),
  text: 'naïve \u{1f600} a\0b',
  date: new Date(-5),
  id: new ObjectId('0123456789abcdef01234567'),
  bytes: new Binary(Buffer.from([1, 2, 3]), 0x80),
  regex: new BSONRegExp('^a.b', 'i'),
  timestamp: new Timestamp({ t: 7, i: 9 }),
  code: new Code('x'),
  nothing: null,
  yes: true,
  least: new MinKey(),
  most: new MaxKey(),
  list: [[], {}, [new Double(1), new Int32(1)]],
}
/** No JavaScript object has number-like keys in this order. */
const keysInOrder = new Map<string, unknown>([
  ['_id', new Int32(2)],
  [
    'b',
    new Map<string, unknown>([
      ['10', new Double(3)],
      ['9', everyType],
      [
        'list',
        [
          new Map([
            ['2', 'x'],
            ['1', 'y'],
          ]),
        ],
      ],
    ]),
  ],
  ['1', 'last'],
])

/** Every type, every kind of index, three papers; a test's folders are copies. */
export function useFilledFolders(): (dataDir: string) => Promise<void> {
  const original = mkdtempSync(join(tmpdir(), 'assay-filled-'))
  afterAll(() => rmSync(original, { recursive: true, force: true }))
  let filled: Promise<void> | undefined
  return async (dataDir) => {
    filled ??= fillDataFolder(original)
    await filled
    cpSync(original, dataDir, { recursive: true })
  }
}

export async function fillDataFolder(dataDir: string): Promise<void> {
  const [file, blank, earlier] = ['a paper', 'a blank', 'an earlier paper'].map((text) => storePaper(dataDir, text))
  mkdirSync(join(dataDir, 'outbox'))
  writeFileSync(join(dataDir, 'outbox', '1.eml'), 'Hello')
  writeFileSync(join(dataDir, 'secret-key'), 'k'.repeat(64), { mode: 0o600 })
  await inDatabase(dataDir, async (db) => {
    await db.collection('submissions').insertOne({ file: { hash: file }, attempts: [{ file: { hash: earlier } }] })
    await db.collection('assignments').insertOne({ blank: { hash: blank }, key: null })
    await db.collection('migrations').insertMany([{ _id: '0001-rename-lti-collections' as never, at: new Date() }])
    const maps = [keysInOrder as mongo.Document, { _id: new Int32(1) as never, ...everyType }]
    await db.collection('types').insertMany(maps, { forceServerObjectId: true })
    await db.createCollection('nothing-here')
    const many = Array.from({ length: 5000 }, (_, n) => ({ n, text: 'x'.repeat(n % 700), even: n % 2 === 0 }))
    await db.collection('many').insertMany(many)
    await db.collection('sessions').insertMany([{ expires_at: new Date(1000) }, { expires_at: new Date(4e12) }])
    await db.collection('sessions').createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 })
    await db.collection('many').createIndexes([
      { key: { n: 1 }, name: 'n_1', unique: true },
      { key: { even: 1, n: -1 }, name: 'own name', partialFilterExpression: { even: true } },
      { key: { missing: 1 }, name: 'missing_1', sparse: true },
    ])
  })
}
