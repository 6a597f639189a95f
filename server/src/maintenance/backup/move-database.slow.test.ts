import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mongo } from 'mongoose'
import { afterEach, describe, expect, it } from 'vitest'
import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts'
import { startServerProcess } from '../../testing/server-process.ts'
import { copyDatabase, markWhole } from './copy-database.ts'
import { endAt, runCommand, useFolders } from './testing/commands.ts'
import { contentOf, databaseOf, filesOf, inDatabase, useFilledFolders } from './testing/stored-content.ts'

const folder = useFolders()
const fillDataFolder = useFilledFolders()
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Another embedded store, and the MongoDB at MONGODB_URL if set. */
const servers: { name: string; open(): Promise<{ url: string; db: mongo.Db }> }[] = [
  {
    name: 'another store',
    async open() {
      const store = await startEmbeddedDatabase({ folder: folder('other'), internal: { sweepMs: 2 ** 30 } })
      closing.push(store.stop)
      return connect(store.url)
    },
  },
]
const real = process.env.MONGODB_URL
if (real) {
  const open = async () => {
    const url = new URL(real)
    url.pathname = `/move_test_${process.pid}`
    const opened = await connect(url.href)
    closing.unshift(async () => void (await opened.db.dropDatabase()))
    return opened
  }
  servers.push({ name: 'MongoDB', open })
}

async function connect(url: string) {
  const client = await mongo.MongoClient.connect(url)
  closing.unshift(() => client.close())
  return { url, db: client.db() }
}

async function filledFolder(): Promise<string> {
  const dataDir = folder('data')
  await fillDataFolder(dataDir)
  // Like JavaScript, the driver puts numeric keys first.
  await inDatabase(dataDir, (db) => db.collection<{ _id: number }>('types').deleteOne({ _id: 2 }))
  // A MongoDB removes what has expired within a minute.
  if (real) await inDatabase(dataDir, (db) => db.collection('sessions').deleteOne({ expires_at: new Date(1000) }))
  return dataDir
}

describe.each(servers)('$name', ({ open }) => {
  it('takes everything and gives it back, equal', async () => {
    const [dataDir, back] = [await filledFolder(), folder('back')]
    const { url, db } = await open()
    const before = await databaseOf(dataDir)
    const there = await runCommand('move-database', ['to', url], dataDir)
    expect([there.status, there.said]).toEqual([0, expect.stringContaining('All are there.')])
    expect(there.said).toContain('Set MONGODB_URL in .env')
    expect(await contentOf(db)).toEqual(before)
    expect(await databaseOf(dataDir)).toEqual(before)
    const home = await runCommand('move-database', ['from', url], back)
    expect([home.status, home.said]).toEqual([0, expect.stringContaining('All are there.')])
    expect(await databaseOf(back)).toEqual(before)
    const again = await runCommand('move-database', ['from', url], back)
    expect([again.status, again.said]).toEqual([1, expect.stringContaining('There is an embedded database already')])
  })

  it('refuses a database with documents, and goes nowhere while Assay runs', async () => {
    const dataDir = await filledFolder()
    const { url, db } = await open()
    await db.collection('own').insertOne({ n: 1 })
    const full = await runCommand('move-database', ['to', url], dataDir)
    expect([full.status, full.said]).toEqual([1, expect.stringContaining('is not empty')])
    expect(Object.keys(await contentOf(db))).toEqual(['own'])
    await db.dropDatabase()
    const server = await startServerProcess(dataDir)
    const inUse = await runCommand('move-database', ['to', url], dataDir)
    await server.stop()
    expect([inUse.status, inUse.said]).toEqual([1, expect.stringContaining('in use by another running process')])
    expect(await contentOf(db)).toEqual({})
  })

  it('is not started on after half a move, which then begins anew', async () => {
    const dataDir = await filledFolder()
    const { url, db } = await open()
    const killed = await runCommand('move-database', ['to', url], dataDir, endAt({ insert: 3 }))
    expect(killed.signal).toBe('SIGKILL')
    const environment = { MONGODB_URL: url }
    await expect(startServerProcess(folder('empty'), environment)).rejects.toThrow('only a part of its data')
    const back = await runCommand('move-database', ['from', url], folder('back'))
    expect([back.status, back.said]).toEqual([1, expect.stringContaining('only a part of its data')])
    expect((await runCommand('move-database', ['to', url], dataDir)).status).toBe(0)
    expect(await contentOf(db)).toEqual(await databaseOf(dataDir))
  })

  it('is backed up, and restored into an empty one with the papers', async () => {
    const [dataDir, target, elsewhere] = [await filledFolder(), folder('backups'), folder('elsewhere')]
    const { url, db } = await open()
    await runCommand('move-database', ['to', url], dataDir)
    const before = await contentOf(db)
    const environment = { MONGODB_URL: url }
    const backup = await runCommand('backup', [target], dataDir, environment)
    expect([backup.status, backup.said]).toEqual([0, expect.stringContaining('3 papers')])
    const path = join(target, readdirSync(target)[0] ?? '')
    const refused = await runCommand('restore', [path], elsewhere, environment)
    expect([refused.status, refused.said]).toEqual([1, expect.stringContaining('is not empty')])
    expect(refused.said).not.toContain('Writing the papers')
    await db.dropDatabase()
    const nothing = await runCommand('backup', [target], dataDir, environment)
    expect([nothing.status, nothing.said]).toEqual([1, expect.stringContaining('Does MONGODB_URL name the right one?')])
    expect((await runCommand('restore', [path], elsewhere, environment)).status).toBe(0)
    expect(await contentOf(db)).toEqual(before)
    expect(filesOf(elsewhere)).toEqual(filesOf(dataDir))
    expect(existsSync(join(elsewhere, 'database'))).toBe(false)
  })

  it('is not started on after a restore that was killed before the papers were in place, until that is finished', async () => {
    const [dataDir, target, elsewhere] = [await filledFolder(), folder('backups'), folder('elsewhere')]
    await runCommand('backup', [target], dataDir)
    const path = join(target, readdirSync(target)[0] ?? '')
    const { url, db } = await open()
    const environment = { MONGODB_URL: url }
    const kill = async (when: Parameters<typeof endAt>[0]) => {
      const { signal } = await runCommand('restore', [path], elsewhere, { ...environment, ...endAt(when) })
      expect(signal).toBe('SIGKILL')
    }
    await kill({ said: 'Putting it in place' })
    await expect(startServerProcess(elsewhere, environment)).rejects.toThrow('only a part of its data')
    // The second is the first that moves a file.
    await kill({ rename: 2 })
    await expect(startServerProcess(elsewhere, environment)).rejects.toThrow('was interrupted. Run npm run restore')
    await expect(startServerProcess(folder('empty'), environment)).rejects.toThrow('only a part of its data')

    const nowhere = await runCommand('restore', [path], elsewhere)
    expect([nowhere.status, nowhere.said]).toEqual([1, expect.stringContaining('Set MONGODB_URL to its address')])
    const other = await open()
    const wrong = await runCommand('restore', [path], elsewhere, { MONGODB_URL: `${other.url}` })
    if (other.url !== url) expect([wrong.status, wrong.said]).toEqual([1, expect.stringContaining('not the database')])
    const again = await runCommand('restore', [path], elsewhere, environment)
    expect([again.status, again.said]).toEqual([0, expect.stringContaining('Finished the restore')])
    expect(await contentOf(db)).toEqual(await databaseOf(dataDir))
    expect(filesOf(elsewhere)).toMatchObject(filesOf(dataDir))

    const server = await startServerProcess(elsewhere, environment)
    const inUse = await runCommand('restore', [path, '--replace'], elsewhere)
    await server.stop()
    expect([inUse.status, inUse.said]).toEqual([1, expect.stringContaining('in use by another running process')])
  })

  it('is filled by one of two copies that run at once', async () => {
    const dataDir = await filledFolder()
    const { db } = await open()
    await inDatabase(dataDir, async (from) => {
      const first = await copyDatabase(from, db)
      const second = await copyDatabase(from, db)
      await expect(markWhole(db, first.copyId)).rejects.toThrow('another restore or move into it was begun since')
      await markWhole(db, second.copyId)
    })
    expect(await contentOf(db)).toEqual(await databaseOf(dataDir))
  })
})

it('says what is wrong with an address', async () => {
  const dataDir = await filledFolder()
  const away = await runCommand(
    'move-database',
    ['from', 'mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=50'],
    dataDir,
  )
  expect([away.status, away.said]).toEqual([1, expect.stringContaining('already')])
  const nobody = 'mongodb://127.0.0.1:1/assay?serverSelectionTimeoutMS=50'
  const unreachable = await runCommand('move-database', ['to', nobody], dataDir)
  expect([unreachable.status, unreachable.said]).toEqual([1, expect.stringContaining('cannot be reached')])
  const typo = 'mongodb://assay:top-secret@host:port/assay'
  const wrong = await runCommand('move-database', ['to', typo], dataDir)
  expect([wrong.status, wrong.said]).toEqual([1, expect.stringContaining('cannot be reached')])
  expect(wrong.said).not.toContain('top-secret')
  const usage = await runCommand('move-database', ['to', 'assay'], dataDir)
  expect([usage.status, usage.said]).toEqual([
    2,
    expect.stringContaining('npm run move-database -- to|from mongodb://'),
  ])
})
