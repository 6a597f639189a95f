/**
 * Checks the embedded database: `npm run check-store`. With `-- --accept` it takes damaged documents that can still be
 * read as they are. The server must be stopped first.
 */
import { join } from 'node:path'
import { ConfigError, readStorageConfig, type StorageConfig } from '../server/src/config.ts'
import { checkStore } from '../server/src/embedded/storage/check-store.ts'
import { count, exitWithUsage, runCommand } from './lib/run-command.ts'

const MAX_SHOWN = 20

function check({ mongodbUrl, dataDir }: StorageConfig, accept: boolean): void {
  if (mongodbUrl) throw new ConfigError('MONGODB_URL is set, so the data is in that MongoDB. Use its own tools.')
  const { problems, whole, damaged } = checkStore(join(dataDir, 'database'), accept)
  const documents = `${count(whole, 'document')} can be read${damaged > 0 ? `, ${damaged} cannot` : ''}.`
  if (problems.length === 0) {
    console.log(`The database is whole. ${documents}`)
    return
  }
  for (const problem of problems.slice(0, MAX_SHOWN)) console.log(problem)
  if (problems.length > MAX_SHOWN) console.log(`… and ${count(problems.length - MAX_SHOWN, 'problem')} more.`)
  console.log(`${documents} Restore a backup: docs/deploy.md#backups.`)
  if (damaged > 0 && !accept) {
    console.log(
      'Without one: npm run check-store -- --accept takes damaged documents that can still be read as they are.',
    )
  }
  process.exitCode = 1
}

const [flag, ...rest] = process.argv.slice(2)
if ((flag !== undefined && flag !== '--accept') || rest.length > 0) exitWithUsage('npm run check-store [-- --accept]')

await runCommand(async () => check(readStorageConfig(process.env), flag === '--accept'))
