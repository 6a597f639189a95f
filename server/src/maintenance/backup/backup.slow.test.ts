import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Int32 } from 'bson'
import { expect, it } from 'vitest'
import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts'
import { endAt, runCommand, startCommand, useFolders } from './testing/commands.ts'
import { databaseOf, filesOf, inDatabase, storePaper, useFilledFolders } from './testing/stored-content.ts'
import { writeBackup } from './write-backup.ts'

const folder = useFolders()
const fillDataFolder = useFilledFolders()
const WRITE_PAIRS = fileURLToPath(new URL('./testing/write-pairs.ts', import.meta.url))

function backupIn(target: string): string {
  const names = readdirSync(target)
  expect(names).toEqual([expect.stringMatching(/^assay-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/)])
  return join(target, names[0] ?? '')
}

it('is of one moment, while another process writes without a pause', async () => {
  const [dataDir, target] = [folder('data'), folder('backups')]
  const writer = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', WRITE_PAIRS, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let acknowledged = 0
  await new Promise<void>((writing) => {
    writer.stdout.on('data', (chunk: Buffer) => {
      acknowledged = Number(chunk.toString().trim().split('\n').at(-1))
      if (acknowledged > 20) writing()
    })
  })
  const before = acknowledged
  const { status, said } = await runCommand('backup', [target], dataDir)
  const after = acknowledged
  writer.kill('SIGKILL')
  await once(writer, 'close')

  expect([status, said]).toEqual([0, expect.stringContaining('documents, 0 papers')])
  const [elsewhere, other, back] = [folder('elsewhere'), folder('other'), folder('back')]
  expect((await runCommand('restore', [backupIn(target)], elsewhere)).said).toContain('Restored the backup')
  const restored = await databaseOf(elsewhere)
  const events = restored.z_events?.documents.length ?? 0
  expect(events).toBeGreaterThanOrEqual(before)
  expect(after).toBeGreaterThan(events)
  const n = await inDatabase(elsewhere, async (db) => (await db.collection('a_counter').findOne())?.n)
  expect([events, events + 1]).toContain(n)

  // As in its store, but for later writes; also through another store and back.
  await inDatabase(dataDir, async (db) => {
    await db.collection('z_events').deleteMany({ n: { $gt: events } })
    await db.collection('a_counter').updateOne({}, { $set: { n: new Int32(n) } })
  })
  expect(restored).toEqual(await databaseOf(dataDir))
  const store = await startEmbeddedDatabase({ folder: other })
  const moves = [
    await runCommand('move-database', ['to', store.url], elsewhere),
    await runCommand('move-database', ['from', store.url], back),
  ]
  await store.stop()
  const copied = expect.stringContaining('documents in 3 collections. All are there.')
  expect(moves.map(({ status, said }) => [status, said])).toEqual(moves.map(() => [0, copied]))
  expect(await databaseOf(back)).toEqual(restored)
})

it('has checksums that others read, and is for its owner’s eyes only', async () => {
  const [dataDir, target] = [folder('data'), folder('backups')]
  await fillDataFolder(dataDir)
  const { status, said } = await runCommand('backup', [target], dataDir, { SECRET_KEY: 's'.repeat(40) })
  expect([status, said]).toEqual([0, expect.stringContaining('keep it as safe as the server')])
  expect(said).toContain('SECRET_KEY is not in it')
  const backup = backupIn(target)
  for (const entry of readdirSync(backup, { recursive: true, withFileTypes: true })) {
    const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777
    expect([entry.name, mode]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600])
  }
  const checked = spawn('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: backup, stdio: 'inherit' })
  expect(await once(checked, 'close')).toEqual([0, null])
})

it('has a number where another one was begun in the same second', async () => {
  const [dataDir, target] = [folder('data'), folder('backups')]
  await fillDataFolder(dataDir)
  const options = {
    ...{ dataDir, into: target, mongodbUrl: null, filesLocation: null, secretKey: 'a'.repeat(32) },
    ...{ now: new Date('2026-03-01T10:00:00Z'), report: () => {} },
  }
  const [one, other] = await Promise.all([writeBackup(options), writeBackup(options)])
  expect([one, other].map((backup) => basename(backup.folder)).sort()).toEqual([
    expect.stringMatching(/^assay-2026-03-01T10-00-00Z$/),
    expect.stringMatching(/^assay-2026-03-01T10-00-00Z-2$/),
  ])
})

it('takes no harm from what others put into the data folder', async () => {
  const [dataDir, target] = [folder('data'), folder('backups')]
  await fillDataFolder(dataDir)
  mkdirSync(join(dataDir, 'outbox/sent'))
  writeFileSync(join(dataDir, 'outbox', 'sent', '2.eml'), 'Hello')
  renameSync(join(dataDir, 'outbox'), join(dataDir, 'mail'))
  symlinkSync('mail', join(dataDir, 'outbox'))
  const { status, said } = await runCommand('backup', [target], dataDir)
  expect([status, said]).toEqual([0, expect.stringContaining('3 papers')])
  expect(readdirSync(join(backupIn(target), 'data', 'outbox'))).toEqual(['1.eml'])
})

it('is made of a database whose process was killed, and changes nothing there', async () => {
  const [dataDir, target] = [folder('data'), folder('backups')]
  const writer = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', WRITE_PAIRS, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(writer.stdout, 'data')
  writer.kill('SIGKILL')
  await once(writer, 'close')
  const files = () =>
    ['data.sqlite', 'data.sqlite-wal'].map((name) => statSync(join(dataDir, 'database', name)).mtimeMs)
  const before = files()
  expect((await runCommand('backup', [target], dataDir)).status).toBe(0)
  expect(files()).toEqual(before)
  const restored = folder('restored')
  await runCommand('restore', [backupIn(target)], restored)
  expect((await databaseOf(restored)).z_events?.documents.length).toBeGreaterThan(0)
})

it('does not miss a paper that is deleted while it is being made', async () => {
  const [dataDir, target] = [folder('data'), folder('backups')]
  await fillDataFolder(dataDir)
  const { child, ended, whenSaid } = startCommand(
    'backup',
    [target],
    dataDir,
    endAt({ said: 'Copying the papers', by: 'SIGSTOP' }),
  )
  await whenSaid('Copying the papers')
  await inDatabase(dataDir, (db) => db.collection('submissions').deleteMany({}))
  rmSync(join(dataDir, 'papers'), { recursive: true })
  const [, blank] = [storePaper(dataDir, 'unrelated'), storePaper(dataDir, 'a blank')]
  child.kill('SIGCONT')
  const { status, said } = await ended
  expect([status, said]).toEqual([0, expect.stringContaining(', 1 paper\n')])
  expect(filesOf(backupIn(target))).toHaveProperty(`papers/${blank.slice(0, 2)}/${blank}.pdf`, 'a blank')
})

it('says which papers were lost before it', async () => {
  const [dataDir, target] = [folder('data'), folder('backups')]
  await fillDataFolder(dataDir)
  const gone = 'f'.repeat(64)
  const changed = storePaper(dataDir, 'a blank')
  writeFileSync(join(dataDir, 'papers', changed.slice(0, 2), `${changed}.pdf`), 'as it is')
  await inDatabase(dataDir, (db) => db.collection('submissions').insertOne({ file: { hash: gone } }))
  const { status, said } = await runCommand('backup', [target], dataDir)
  expect(status).toBe(1)
  expect(said).toContain(`${gone}: not in the data folder`)
  expect(said).toContain(`${changed}: changed since it was stored`)
  expect(existsSync(join(backupIn(target), 'manifest.json'))).toBe(true)
})

it('refuses a place it cannot be in, in a sentence', async () => {
  const dataDir = folder('data')
  await fillDataFolder(dataDir)
  const fails = async (target: string, dir = dataDir) => {
    const { status, said } = await runCommand('backup', [target], dir)
    expect(status).toBe(1)
    expect(said).not.toMatch(/^ +at /m)
    return said
  }
  expect(await fails(join(dataDir, 'backups'))).toContain('inside the data folder')
  expect(await fails('/nowhere/at/all')).toContain('Is the disk mounted?')
  const file = join(folder('other'), 'file')
  writeFileSync(file, '')
  expect(await fails(file)).toContain('A file is where a folder should be')
  const target = folder('backups')
  expect(await fails(target, folder('empty'))).toContain('There is no database')
  expect(readdirSync(target)).toEqual([])
  expect((await runCommand('backup', [], dataDir)).said).toContain('usage: npm run backup -- FOLDER')
})

it('leaves nothing behind where a file cannot be written', async () => {
  const [dataDir, target] = [folder('data'), folder('backups')]
  await fillDataFolder(dataDir)
  const script = fileURLToPath(new URL('../../../../scripts/backup.ts', import.meta.url))
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', script, target]
  // 100 kB, in blocks of 512 bytes.
  const child = spawn('sh', ['-c', 'ulimit -f 200; exec "$0" "$@"', ...command], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const [status] = await once(child, 'close')
  expect([status, said]).toEqual([1, expect.stringContaining('could not be copied to')])
  expect(readdirSync(target)).toEqual([])
})

it('leaves nothing that looks like a backup when it is killed, whatever it is doing', async () => {
  const dataDir = folder('data')
  await fillDataFolder(dataDir)
  const moments = ['Copying the database', 'Copying the papers', 'Reading it back'].map((said) => ({ said }))
  for (const moment of [...moments, { rename: 1 }]) {
    const target = folder('backups')
    const killed = await runCommand('backup', [target], dataDir, endAt(moment))
    expect(killed.signal).toBe('SIGKILL')
    const names = readdirSync(target)
    expect(names).toEqual([expect.stringMatching(/\.unfinished$/)])
    const refused = await runCommand('restore', [join(target, names[0] ?? '')], folder('restored'))
    expect([refused.status, refused.said]).toEqual([1, expect.stringContaining('was not finished')])
    const again = await runCommand('backup', [target], dataDir)
    expect([again.status, again.said]).toEqual([0, expect.stringContaining('If it was interrupted, delete it.')])
  }
})

it('leaves nothing at all when it is stopped', async () => {
  const [dataDir, target] = [folder('data'), folder('backups')]
  await fillDataFolder(dataDir)
  const when = endAt({ said: 'Copying the database', by: 'SIGTERM' })
  const { status, said } = await runCommand('backup', [target], dataDir, when)
  expect([status, said]).toEqual([1, expect.stringContaining('Nothing was kept')])
  expect(readdirSync(target)).toEqual([])
})
