/**
 * Backs up the database and the papers, also while Assay runs: `npm run backup -- FOLDER`. Makes a new folder in it,
 * assay-2026-11-24T16-51-22Z, once everything was written and read back.
 */
import { readStorageConfig } from '../server/src/config.ts'
import { OperatorError } from '../server/src/lib/operator-error.ts'
import { writeBackup } from '../server/src/maintenance/backup/write-backup.ts'
import { count, exitWithUsage, megabytes, pathFromCaller, runCommand } from './lib/run-command.ts'

const [into, ...rest] = process.argv.slice(2)
if (!into || into.startsWith('-') || rest.length > 0) exitWithUsage('npm run backup -- FOLDER')

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => stopped.abort(new OperatorError('Stopped. Nothing was kept.')))
}

await runCommand(async () => {
  const { folder, manifest } = await writeBackup({
    ...readStorageConfig(process.env),
    into: pathFromCaller(into),
    now: new Date(),
    report: console.log,
    signal: stopped.signal,
  })
  const { collections, papers } = manifest
  const documents = collections.reduce((sum, collection) => sum + collection.documents, 0)
  const bytes = collections.reduce((sum, collection) => sum + collection.bytes, papers.bytes)
  console.log(
    `${folder}: ${count(documents, 'document')} in ${count(collections.length, 'collection')}, ${count(papers.files, 'paper')}, ${megabytes(bytes)}`,
  )
  if (!manifest.one_moment) {
    console.log('This MongoDB has no snapshots: documents that changed meanwhile may be of different moments.')
  }
  if (process.env.SECRET_KEY) console.log('SECRET_KEY is not in it. Keep a copy of your settings as well.')
  console.log('It has grades, names and keys: keep it as safe as the server.')
  assertAllPapers(papers)
})

/** The backup is there; whoever watches over it should know all the same. */
function assertAllPapers({ missing, damaged }: { missing: string[]; damaged: string[] }): void {
  const problems = [
    ...missing.map((hash) => `  ${hash}: not in the data folder`),
    ...damaged.map((hash) => `  ${hash}: changed since it was stored`),
  ]
  if (problems.length === 0) return
  throw new OperatorError(`The backup was made, but these papers were lost before it:\n${problems.join('\n')}`)
}
