import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAssignment } from '@assay/shared/assignments.ts'
import { registerInstructor } from '@assay/shared/auth.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { createTestApi } from '../../testing/api.ts'
import { quizFiles } from '../../testing/build-course.ts'
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts'
import { endAt, runCommand, useFolders } from './testing/commands.ts'
import { databaseOf, filesOf, fillDataFolder, inDatabase } from './testing/stored-content.ts'

// Each starts several processes.
vi.setConfig({ testTimeout: 120_000 })

const folder = useFolders()
const running: ServerProcess[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

async function serve(dataDir: string): Promise<ServerProcess> {
  const server = await startServerProcess(dataDir)
  running.push(server)
  return server
}

/** Where the one backup of this data folder is. */
async function backUp(dataDir: string): Promise<string> {
  const target = folder('backups')
  expect((await runCommand('backup', [target], dataDir)).status).toBe(0)
  const [name = ''] = readdirSync(target)
  return join(target, name)
}

async function filledBackup() {
  const dataDir = folder('data')
  await fillDataFolder(dataDir)
  return { dataDir, backup: await backUp(dataDir) }
}

it('gives back every byte, index and file elsewhere', async () => {
  const { dataDir, backup } = await filledBackup()
  const elsewhere = join(folder('elsewhere'), 'new')
  const { status, said } = await runCommand('restore', [backup], elsewhere)
  expect([status, said]).toEqual([0, expect.stringContaining('5,007 documents in 7 collections, 3 papers')])
  expect(await databaseOf(elsewhere)).toEqual(await databaseOf(dataDir))
  expect(filesOf(elsewhere)).toEqual(filesOf(dataDir))
  expect(statSync(join(elsewhere, 'secret-key')).mode & 0o777).toBe(0o600)
})

it('gives back what a running Assay stores, to one that people can go on with', async () => {
  const [dataDir, elsewhere] = [folder('data'), folder('elsewhere')]
  const first = await serve(dataDir)
  const account = { username: 'survivor', password: 'Some-Good-7-Phrase' }
  const body = { ...account, email: 'survivor@school.example', role: 'instructor' as const }
  const { id } = (await createTestApi({ running: first }).nobody.send(registerInstructor, { body })).body
  const teacher = (server: ServerProcess) => createTestApi({ running: server }).again({ id, ...account })
  const { blank, key } = await quizFiles()
  const files = { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: [{ ...key, name: 'ada.pdf' }] }
  const made = await teacher(first).send(createAssignment, { body: { name: 'Kept' }, files })

  const backup = await backUp(dataDir)
  expect((await runCommand('restore', [backup], dataDir, {})).said).toContain('in use by another running process')
  const { status, said } = await runCommand('restore', [backup], elsewhere)
  expect([status, said]).toEqual([0, expect.not.stringContaining('SECRET_KEY')])
  const papers = (dir: string) => readdirSync(join(dir, 'papers'), { recursive: true }).sort()
  expect(papers(elsewhere)).toEqual(papers(dataDir))

  const second = await serve(elsewhere)
  const params = { assignmentId: made.body.id }
  const names = async (server: ServerProcess) => {
    const { body } = await teacher(server).send(listSubmissions, { params })
    return body.map(({ student_identifier }) => student_identifier)
  }
  expect(await names(second)).toEqual(await names(first))
  expect(await names(second)).toHaveLength(1)
})

it('refuses a backup in which one byte has changed, whichever file it is in, and writes nothing', async () => {
  const { backup } = await filledBackup()
  const target = folder('target')
  const names = readdirSync(backup, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(backup, name)).isFile(),
  )
  const chosen = ['SHA256SUMS', 'manifest.json', 'database/many.bson', 'database/many.metadata.json', 'data/secret-key']
  for (const name of [...chosen, names.find((other) => other.endsWith('.pdf')) ?? '']) {
    const path = join(backup, name)
    const whole = readFileSync(path)
    const flipped = Buffer.from(whole)
    const at = Math.floor(whole.length / 2)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    writeFileSync(path, flipped)
    const { status, said } = await runCommand('restore', [backup], target)
    expect([name, status, said]).toEqual([name, 1, expect.stringContaining('The backup is damaged')])
    expect(said).not.toMatch(/^ +at /m)
    expect(readdirSync(target)).toEqual([])
    writeFileSync(path, whole)
  }
  expect((await runCommand('restore', [join(backup, 'papers')], target)).said).toContain('is not a backup')
})

it('refuses a folder with data, and with --replace moves it aside', async () => {
  const { dataDir, backup } = await filledBackup()
  const target = folder('target')
  await inDatabase(target, (db) => db.collection('old').insertOne({ n: 1 }))
  mkdirSync(join(target, 'papers'))
  writeFileSync(join(target, 'papers', 'old'), 'old')
  const old = await databaseOf(target)
  const refused = await runCommand('restore', [backup], target)
  expect([refused.status, refused.said]).toEqual([1, expect.stringContaining('add --replace')])
  expect(await databaseOf(target)).toEqual(old)

  const { status, said } = await runCommand('restore', [backup, '--replace'], target)
  const [, aside = ''] = /was there before is in (\S+)\. /.exec(said) ?? []
  expect([status, aside]).toEqual([0, expect.stringContaining(join(target, 'before-restore-'))])
  expect(await databaseOf(target)).toEqual(await databaseOf(dataDir))
  expect(await databaseOf(aside)).toEqual(old)
  expect(readFileSync(join(aside, 'papers', 'old'), 'utf8')).toBe('old')
})

it.each(['Writing the papers', 'Writing the database', 'Putting it in place'])(
  'leaves an empty folder without data, or the old data, when it is killed at “%s”',
  async (said) => {
    const { dataDir, backup } = await filledBackup()
    const [empty, target] = [folder('empty'), folder('target')]
    await inDatabase(target, (db) => db.collection('old').insertOne({ n: 1 }))
    const old = await databaseOf(target)
    expect((await runCommand('restore', [backup], empty, endAt({ said }))).signal).toBe('SIGKILL')
    expect(readdirSync(empty)).toEqual(['restore-unfinished'])
    expect((await runCommand('restore', [backup, '--replace'], target, endAt({ said }))).signal).toBe('SIGKILL')
    expect(await databaseOf(target)).toEqual(old)

    expect((await runCommand('restore', [backup], empty)).status).toBe(0)
    expect(await databaseOf(empty)).toEqual(await databaseOf(dataDir))
    await (await serve(target)).stop() // On the old data.
    expect(await databaseOf(target)).toMatchObject(old)
  },
)

it('goes on where it was killed while it put the files in place, before which Assay does not start', async () => {
  const { dataDir, backup } = await filledBackup()
  const wanted = await databaseOf(dataDir)
  let kills = 0
  for (let rename = 1; ; rename++) {
    const target = folder('target')
    await inDatabase(target, (db) => db.collection('old').insertOne({ n: 1 }))
    mkdirSync(join(target, 'papers'))
    const { signal } = await runCommand('restore', [backup, '--replace'], target, endAt({ rename }))
    if (signal === null) break
    kills++
    if (rename === 1) continue // The journal is written; before that the old data is in place.
    if (rename === 2) await expect(startServerProcess(target)).rejects.toThrow('was interrupted. Run npm run restore')
    const again = await runCommand('restore', [backup], target)
    expect([again.status, again.said]).toEqual([0, expect.stringContaining('Finished the restore')])
    expect(await databaseOf(target)).toEqual(wanted)
    const [aside = ''] = readdirSync(target).filter((name) => name.startsWith('before-restore-'))
    expect(existsSync(join(target, aside, 'papers'))).toBe(true)
    expect(Object.keys(await databaseOf(join(target, aside)))).toEqual(['old'])
    expect(existsSync(join(target, 'restore-unfinished'))).toBe(false)
  }
  // The journal, two folders aside, and four files and folders in.
  expect(kills).toBe(7)
})

it('says that the key of the settings is another one, and that a backup is of a newer version', async () => {
  const { backup } = await filledBackup()
  const { said } = await runCommand('restore', [backup], folder('other'), { SECRET_KEY: 'x'.repeat(40) })
  expect(said).toContain('SECRET_KEY is not the one of the backup')

  const dataDir = folder('newer')
  await inDatabase(dataDir, (db) => db.collection<{ _id: string }>('migrations').insertOne({ _id: '9999-later' }))
  const refused = await runCommand('restore', [await backUp(dataDir)], folder('target'))
  expect([refused.status, refused.said]).toEqual([1, expect.stringContaining('of a newer version of Assay')])
})
