/**
 * Checks the embedded database: `npm run check-store`. With `-- --accept` it makes new checksums for a database that a start refuses but
 * that can be read whole. The server must be stopped first.
 */
import { join } from 'node:path'
import { ConfigError, readStorageConfig, type StorageConfig } from '../server/src/config.ts'
import { acceptStore, checkStore } from '../server/src/embedded/storage/check-store.ts'
import { count, exitWithUsage, runCommand } from './lib/run-command.ts'

function check({ mongodbUrl, dataDir }: StorageConfig, accept: boolean): void {
  if (mongodbUrl) throw new ConfigError('MONGODB_URL is set, so the data is in that MongoDB. Use its own tools.')
  const folder = join(dataDir, 'database')
  const { refusal, unsound, readable, unreadable } = checkStore(folder)
  const documents = `${count(readable, 'document')} can be read${unreadable > 0 ? `, ${unreadable} cannot` : ''}.`
  if (!refusal) {
    console.log(`The database is whole. ${documents}`)
    return
  }
  console.log(refusal)
  if (unsound || unreadable > 0) {
    console.log(`${unsound ? `SQLite finds it unsound: ${unsound}. ` : ''}${documents}`)
    console.log('Restore a backup: docs/deploy.md#backups.')
    process.exitCode = 1
    return
  }
  console.log(`SQLite finds the database sound. ${documents}`)
  if (accept) {
    acceptStore(folder)
    console.log('It has new checksums and can be started.')
    return
  }
  console.log(
    'That does not show a change within a document, or that the newest ones are missing. A backup is safer. To go on with what is there: npm run check-store -- --accept',
  )
  process.exitCode = 1
}

const [flag, ...rest] = process.argv.slice(2)
if ((flag !== undefined && flag !== '--accept') || rest.length > 0) exitWithUsage('npm run check-store [-- --accept]')

await runCommand(async () => check(readStorageConfig(process.env), flag === '--accept'))
