/**
 * Backs up the database and the papers, also while Assay runs: `npm run backup -- FOLDER`. Makes a new folder in it,
 * assay-2026-11-24T16-51-22Z, once everything was written and read back.
 */
import { readStorageConfig } from '../server/src/config.ts'
import { OperatorError } from '../server/src/lib/operator-error.ts'
import { writeBackup } from '../server/src/maintenance/backup/write-backup.ts'
import { count, exitWithUsage, pathFromCaller, runCommand } from './lib/run-command.ts'

const [into, ...rest] = process.argv.slice(2)
if (!into || into.startsWith('-') || rest.length > 0) exitWithUsage('npm run backup -- FOLDER')

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => stopped.abort(new OperatorError('Stopped. Nothing was kept.')))

await runCommand(async () => {
  const config = readStorageConfig(process.env)
  const options = { into: pathFromCaller(into), now: new Date(), report: console.log, signal: stopped.signal }
  const { folder, manifest } = await writeBackup({ ...config, ...options })
  const { documents, papers } = manifest
  console.log(`${folder}: ${count(documents, 'document')}, ${count(papers.files, 'paper')}`)
  if (!manifest.one_moment)
    console.log('This MongoDB has no snapshots: documents that changed meanwhile may be of different moments.')
  if (process.env.SECRET_KEY) console.log('SECRET_KEY is not in it. Keep a copy of your settings as well.')
  console.log('It has grades, names and keys: keep it as safe as the server.')
  const problems = [
    ...papers.missing.map((hash) => `\n  ${hash}: not in the data folder`),
    ...papers.damaged.map((hash) => `\n  ${hash}: changed since it was stored`),
  ]
  // The backup is there; whoever watches over it should know all the same.
  if (problems.length > 0)
    throw new OperatorError(`The backup was made, but these papers were lost before it:${problems.join('')}`)
})
