import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readStorageConfig } from '../../config.ts'
import { startS3, type TestS3 } from '../../testing/s3-server.ts'
import { startServerProcess } from '../../testing/server-process.ts'
import { openS3Papers } from './backup-format.ts'
import { runCommand, useFolders } from './testing/commands.ts'
import { databaseOf, filesOf, fillDataFolder } from './testing/stored-content.ts'

const folder = useFolders()
let [here, there]: TestS3[] = []
beforeAll(async () => {
  here = await startS3('school/')
  there = await startS3()
})
afterAll(async () => {
  await here?.stop()
  await there?.stop()
})

it('backs up papers that are in S3, and restores them into another store', async () => {
  if (!here || !there) throw new Error('only available after beforeAll')
  const [dataDir, target, elsewhere] = [folder('data'), folder('backups'), folder('elsewhere')]
  await fillDataFolder(dataDir)
  const onDisk = filesOf(dataDir)
  const paths = Object.keys(onDisk).filter((path) => path.startsWith('papers/'))
  const { filesLocation } = readStorageConfig({ DATA_DIR: dataDir, ...here.env })
  if (!filesLocation) throw new Error('FILES_URL is not read')
  const store = await openS3Papers(filesLocation, dataDir)
  for (const path of paths) await store.store(join(dataDir, path), path.slice(-68, -4))
  store.close()
  rmSync(join(dataDir, 'papers'), { recursive: true })

  const backup = await runCommand('backup', [target], dataDir, here.env)
  expect(backup.said).toContain('3 papers')
  expect(backup.status).toBe(0)
  const [name = ''] = readdirSync(target)
  const inBackup = filesOf(join(target, name))
  for (const path of paths) expect(inBackup[path]).toBe(onDisk[path])

  const restored = await runCommand('restore', [join(target, name)], elsewhere, there.env)
  expect(restored.said).toContain('3 papers')
  expect(restored.status).toBe(0)
  expect(existsSync(join(elsewhere, 'papers'))).toBe(false)
  expect((await there.keys()).map((key) => key.slice(0, 64))).toEqual(paths.map((path) => path.slice(-68, -4)).sort())
  expect(await databaseOf(elsewhere)).toEqual(await databaseOf(dataDir))
})

it('starts on no papers, and restores into none, that are another installation’s', async () => {
  if (!here || !there) throw new Error('only available after beforeAll')
  const [dataDir, target, elsewhere] = [folder('data'), folder('backups'), folder('elsewhere')]
  const first = await startServerProcess(dataDir, there.env)
  await first.stop()
  expect(await there.keys()).toContain('owner.json')
  await (await startServerProcess(dataDir, there.env)).stop()
  const backup = await runCommand('backup', [target], dataDir, there.env)
  expect(backup.status).toBe(0)
  const another = 'belong to another installation of Assay'
  const [name = ''] = readdirSync(target)
  const restored = await runCommand('restore', [join(target, name)], elsewhere, there.env)
  expect([restored.status, restored.said]).toEqual([1, expect.stringContaining(another)])
  expect(existsSync(join(elsewhere, 'database'))).toBe(false)
  expect((await runCommand('restore', [join(target, name)], elsewhere, here.env)).status).toBe(0)
  await expect(startServerProcess(elsewhere, there.env)).rejects.toThrow(another)
  await (await startServerProcess(elsewhere, here.env)).stop()
})

it('says in a sentence that the store cannot be reached, and leaves nothing', async () => {
  const [dataDir, target] = [folder('data'), folder('backups')]
  await fillDataFolder(dataDir)
  const { status, said } = await runCommand('backup', [target], dataDir, {
    FILES_URL: 's3://papers?endpoint=http://127.0.0.1:9',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
  })
  expect([status, said]).toEqual([
    1,
    expect.stringContaining('The paper store that FILES_URL names cannot be reached.'),
  ])
  expect(readdirSync(target)).toEqual([])
})
