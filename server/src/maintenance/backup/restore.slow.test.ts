import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAssignment } from '@assay/shared/assignments.ts'
import { registerInstructor } from '@assay/shared/auth.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { quizFiles } from '../../testing/build-course.ts'
import { createTestApi } from '../../testing/server.ts'
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts'
import { FOLDER_LOCK } from './swap-in.ts'
import { endAt, runCommand, startCommand, useFolders } from './testing/commands.ts'
import { type DatabaseContent, databaseOf, filesOf, inDatabase, useFilledFolders } from './testing/stored-content.ts'

const folder = useFolders()
const fillDataFolder = useFilledFolders()
const running: ServerProcess[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

async function serve(dataDir: string): Promise<ServerProcess> {
  const server = await startServerProcess(dataDir)
  running.push(server)
  return server
}

async function backUp(dataDir: string, target = folder('backups')): Promise<string> {
  expect((await runCommand('backup', [target], dataDir)).status).toBe(0)
  const [name = ''] = readdirSync(target)
  return join(target, name)
}

// Most tests begin with these.
const sharedFolder = mkdtempSync(join(tmpdir(), 'assay-restore-'))
afterAll(() => rmSync(sharedFolder, { recursive: true, force: true }))
const dataDir = join(sharedFolder, 'data')
let backup = ''
let wanted: DatabaseContent = {}
const oldDataDir = join(sharedFolder, 'old')
let old: DatabaseContent = {}
beforeAll(async () => {
  mkdirSync(dataDir)
  await fillDataFolder(dataDir)
  backup = await backUp(dataDir, join(sharedFolder, 'backups'))
  wanted = await databaseOf(dataDir)
  await inDatabase(oldDataDir, (db) => db.collection('old').insertOne({ n: 1 }))
  write(join(oldDataDir, 'papers/old'), 'old')
  old = await databaseOf(oldDataDir)
})

function copyOfBackup(): string {
  const copy = join(folder('copy'), 'assay-copy')
  cpSync(backup, copy, { recursive: true })
  return copy
}

function targetWithOldData(): string {
  const target = folder('target')
  cpSync(oldDataDir, target, { recursive: true })
  return target
}

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(path, name)).isFile())

function write(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function replaceByLink(path: string, to: string) {
  rmSync(path, { recursive: true })
  symlinkSync(to, path)
}

/** As whoever may write to the backup's folder can. */
function sign(backup: string, names: string[]) {
  const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'))
  writeFileSync(join(backup, 'manifest.json'), JSON.stringify({ ...manifest, files: names.length + 1 }))
  const hashed = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(backup, name)))
      .digest('hex')
  writeFileSync(
    join(backup, 'SHA256SUMS'),
    [...names, 'manifest.json'].map((name) => `${hashed(name)}  ${name}\n`).join(''),
  )
}

it('gives back every byte, index and file elsewhere', async () => {
  const elsewhere = join(folder('elsewhere'), 'new')
  const { status, said } = await runCommand('restore', [backup], elsewhere)
  expect([status, said]).toEqual([0, expect.stringContaining('5,007 documents, 3 papers')])
  expect(await databaseOf(elsewhere)).toEqual(wanted)
  expect(filesOf(elsewhere)).toEqual(filesOf(dataDir))
  expect(statSync(join(elsewhere, 'secret-key')).mode & 0o777).toBe(0o600)
})

it('gives back what a running Assay stores, to one that people can go on with', async () => {
  const [served, elsewhere] = [folder('data'), folder('elsewhere')]
  const first = await serve(served)
  const account = { username: 'survivor', password: 'Some-Good-7-Phrase' }
  const body = { ...account, email: 'survivor@school.example', role: 'instructor' as const }
  const { id } = (await createTestApi({ running: first }).nobody.send(registerInstructor, { body })).body
  const teacher = (server: ServerProcess) => createTestApi({ running: server }).again({ id, ...account })
  const { blank, key } = await quizFiles()
  const files = { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: [{ ...key, name: 'ada.pdf' }] }
  const made = await teacher(first).send(createAssignment, { body: { name: 'Kept' }, files })

  const backup = await backUp(served)
  expect((await runCommand('restore', [backup], served, {})).said).toContain('in use by another running process')
  const { status, said } = await runCommand('restore', [backup], elsewhere)
  expect([status, said]).toEqual([0, expect.not.stringContaining('SECRET_KEY')])
  const papers = (dir: string) => readdirSync(join(dir, 'papers'), { recursive: true }).sort()
  expect(papers(elsewhere)).toEqual(papers(served))

  const second = await serve(elsewhere)
  const params = { assignmentId: made.body.id }
  const names = async (server: ServerProcess) => {
    const { body } = await teacher(server).send(listSubmissions, { params })
    return body.map(({ student_identifier }) => student_identifier)
  }
  expect(await names(second)).toEqual(await names(first))
  expect(await names(second)).toHaveLength(1)
})

it('has what a retention rule had announced announced again, since nobody may know of it any more', async () => {
  const [source, elsewhere] = [folder('data'), join(folder('elsewhere'), 'new')]
  const notice = { warned_at: new Date(0), delete_at: new Date(1), papers: 3, mailed: true }
  const deleting = { since: new Date(2), papers: 3 }
  const assignments = [
    { _id: 1 as never, retention_notice: notice },
    { _id: 2 as never, retention_notice: { ...notice, deleting } },
    { _id: 3 as never },
  ]
  await inDatabase(source, (db) => db.collection('assignments').insertMany(assignments))
  expect((await runCommand('restore', [await backUp(source)], elsewhere)).status).toBe(0)
  expect(await inDatabase(elsewhere, (db) => db.collection('assignments').find().toArray())).toEqual([
    {
      _id: 1,
      retention_notice: { ...notice, mailed: false, delete_at: expect.toSatisfy((day: Date) => day > new Date()) },
    },
    { _id: 2, retention_notice: { ...notice, deleting } },
    { _id: 3 },
  ])
})

it('refuses a backup in which one byte has changed, whichever file it is in, and writes nothing', async () => {
  const [copy, target] = [copyOfBackup(), folder('target')]
  const chosen = ['SHA256SUMS', 'manifest.json', 'database/data.sqlite', 'data/secret-key']
  for (const name of [...chosen, filesIn(copy).find((other) => other.endsWith('.pdf')) ?? '']) {
    const path = join(copy, name)
    const whole = readFileSync(path)
    const flipped = Buffer.from(whole)
    const at = Math.floor(whole.length / 2)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    writeFileSync(path, flipped)
    const { status, said } = await runCommand('restore', [copy], target)
    expect([name, status, said]).toEqual([name, 1, expect.stringContaining('The backup is damaged')])
    expect(said).not.toMatch(/^ +at /m)
    expect(readdirSync(target)).toEqual([FOLDER_LOCK])
    writeFileSync(path, whole)
  }
  expect((await runCommand('restore', [join(copy, 'papers')], target)).said).toContain('is not a backup')
})

it('refuses a folder with data, and with --replace moves it aside', async () => {
  const target = targetWithOldData()
  const refused = await runCommand('restore', [backup], target)
  expect([refused.status, refused.said]).toEqual([1, expect.stringContaining('add --replace')])
  expect(await databaseOf(target)).toEqual(old)
  const { status, said } = await runCommand('restore', [backup, '--replace'], target)
  const [, aside = ''] = /was there before is in (\S+)\. /.exec(said) ?? []
  expect([status, aside]).toEqual([0, expect.stringContaining(join(target, 'before-restore-'))])
  expect(await databaseOf(target)).toEqual(wanted)
  expect(await databaseOf(aside)).toEqual(old)
  expect(readFileSync(join(aside, 'papers', 'old'), 'utf8')).toBe('old')
})

it.each(['Writing the papers', 'Writing the database', 'Putting it in place'])(
  'leaves an empty folder without data, or the old data, when it is killed at “%s”',
  async (said) => {
    const [empty, target] = [folder('empty'), targetWithOldData()]
    expect((await runCommand('restore', [backup], empty, endAt({ said }))).signal).toBe('SIGKILL')
    expect(readdirSync(empty).filter((name) => name !== FOLDER_LOCK)).toEqual(['restore-unfinished'])
    expect((await runCommand('restore', [backup, '--replace'], target, endAt({ said }))).signal).toBe('SIGKILL')
    expect(await databaseOf(target)).toEqual(old)
    expect((await runCommand('restore', [backup], empty)).status).toBe(0)
    expect(await databaseOf(empty)).toEqual(wanted)
    await (await serve(target)).stop() // On the old data.
    expect(await databaseOf(target)).toMatchObject(old)
  },
)

it('keeps everybody out of a folder while it restores into it, also where nothing was', async () => {
  const target = folder('target')
  const stop = endAt({ said: 'Putting it in place', by: 'SIGSTOP' })
  const restore = startCommand('restore', [backup, '--replace'], target, stop)
  await restore.whenSaid('Putting it in place')
  await expect(startServerProcess(target)).rejects.toThrow('A restore or a move is at work')
  const second = await runCommand('restore', [backup, '--replace'], target)
  expect([second.status, second.said]).toEqual([1, expect.stringContaining('in use by another running process')])
  restore.child.kill('SIGCONT')
  expect((await restore.ended).said).toContain('Restored the backup')
  expect(await databaseOf(target)).toEqual(wanted)
  // Not the one the refused start has made.
  expect(readFileSync(join(target, 'secret-key'), 'utf8')).toBe(readFileSync(join(dataDir, 'secret-key'), 'utf8'))
})

it('puts back what it has moved aside where the system refuses one of the moves, and else goes on later', async () => {
  const target = targetWithOldData()
  // What is staged is renamed, then two folders go aside.
  const refused = await runCommand('restore', [backup, '--replace'], target, endAt({ failingRename: 3 }))
  expect([refused.status, refused.said]).toEqual([1, expect.stringContaining('Nothing was changed')])
  expect(refused.said).toContain('another disk')
  expect(await databaseOf(target)).toEqual(old)
  expect(readdirSync(target).filter((name) => name.startsWith('restore-'))).toEqual([])
  const halfway = await runCommand('restore', [backup, '--replace'], target, endAt({ failingRename: 6 }))
  expect([halfway.status, halfway.said]).toEqual([1, expect.stringContaining('The system refused to move')])
  expect((await runCommand('restore', [backup], target)).said).toContain('Finished the restore')
  expect(await databaseOf(target)).toEqual(wanted)
})

it('leaves nothing behind where the disk takes no more', async () => {
  const target = folder('target')
  const script = fileURLToPath(new URL('../../../../scripts/restore.ts', import.meta.url))
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', script, backup]
  // 500 kB, in blocks of 512 bytes.
  const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -f 1000; exec "$0" "$@"', ...command], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: target },
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([1, expect.not.stringMatching(/^ +at /m)])
  expect(stderr).toMatch(/disk/)
  expect(readdirSync(target)).toEqual([FOLDER_LOCK])
})

it('goes on where it was killed while it put the files in place, before which Assay does not start', async () => {
  let kills = 0
  for (let rename = 1; ; rename++) {
    const target = targetWithOldData()
    const { signal } = await runCommand('restore', [backup, '--replace'], target, endAt({ rename }))
    if (signal === null) break
    kills++
    if (rename === 1) {
      // Before it is renamed, the old data is in place.
      expect(Object.keys(await databaseOf(target))).toEqual(['old'])
      continue
    }
    if (rename === 2) await expect(startServerProcess(target)).rejects.toThrow('was interrupted. Run npm run restore')
    const again = await runCommand('restore', [backup], target)
    expect([again.status, again.said]).toEqual([0, expect.stringContaining('Finished the restore')])
    expect(await databaseOf(target)).toEqual(wanted)
    const [aside = ''] = readdirSync(target).filter((name) => name.startsWith('before-restore-'))
    expect(existsSync(join(target, aside, 'papers'))).toBe(true)
    expect(Object.keys(await databaseOf(join(target, aside)))).toEqual(['old'])
    expect(existsSync(join(target, 'restore-unfinished'))).toBe(false)
  }
  expect(kills).toBe(9)
  const empty = folder('empty')
  await runCommand('restore', [backup], empty, endAt({ rename: 1 }))
  expect((await runCommand('restore', [backup], empty)).said).toContain('Restored the backup')
})

it('refuses a backup that was changed by hand, with new checksums', async () => {
  const elsewhere = join(folder('outside'), 'file')
  writeFileSync(elsewhere, 'a secret of this machine')
  const [paper = '', otherPaper = ''] = filesIn(backup).filter((name) => name.endsWith('.pdf'))
  const changes: [words: string, change: (copy: string) => void, listed?: (name: string) => boolean][] = [
    ['data/secret-key is not a file', (copy) => replaceByLink(join(copy, 'data/secret-key'), elsewhere)],
    ['is not a file', (copy) => replaceByLink(join(copy, 'papers'), join(backup, 'papers'))],
    ['data/database/data.sqlite does not belong', (copy) => write(join(copy, 'data/database/data.sqlite'), 'mine')],
    ['data/outbox/a/b does not belong', (copy) => write(join(copy, 'data/outbox/a/b'), 'mine')],
    ['papers/x.pdf does not belong', (copy) => write(join(copy, 'papers/x.pdf'), 'mine')],
    ['database/data.sqlite is missing', () => {}, (name) => name !== 'database/data.sqlite'],
    [`${paper} is not the paper`, (copy) => writeFileSync(join(copy, paper), readFileSync(join(copy, otherPaper)))],
  ]
  for (const [words, change, listed = () => true] of changes) {
    const [copy, target] = [copyOfBackup(), folder('target')]
    change(copy)
    const names = new Set([...filesIn(backup), ...filesIn(copy)].filter(listed))
    sign(
      copy,
      [...names].filter((name) => !['SHA256SUMS', 'manifest.json'].includes(name)),
    )
    const { status, said } = await runCommand('restore', [copy], target)
    expect([status, said]).toEqual([1, expect.stringContaining(words)])
    expect(readdirSync(target)).toEqual([FOLDER_LOCK])
  }
})

it('says that the key of the settings is another one, and which version reads an older backup', async () => {
  const { said } = await runCommand('restore', [backup], folder('other'), { SECRET_KEY: 'x'.repeat(40) })
  expect(said).toContain('SECRET_KEY is not the one of the backup')
  const copy = copyOfBackup()
  write(join(copy, 'manifest.json'), JSON.stringify({ format: 1, assay: '1.4.0' }))
  const refused = await runCommand('restore', [copy], folder('target'))
  expect([refused.status, refused.said]).toEqual([1, expect.stringContaining('by an earlier version of Assay (1.4.0)')])
})
