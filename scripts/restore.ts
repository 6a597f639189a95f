/**
 * Restores a backup into an empty data folder, with Assay stopped: `npm run restore -- BACKUP`. With `--replace`, what is in
 * the data folder is moved aside first.
 */
import { readStorageConfig } from '../server/src/config.ts'
import { checkOfSecret } from '../server/src/maintenance/backup/backup-format.ts'
import { restoreBackup } from '../server/src/maintenance/backup/restore-backup.ts'
import { migrationNames } from '../server/src/migrations/migrations.ts'
import { count, exitWithUsage, pathFromCaller, runCommand } from './lib/run-command.ts'

const given = process.argv.slice(2)
const [backup, ...rest] = given.filter((argument) => argument !== '--replace')
if (!backup || backup.startsWith('-') || rest.length > 0) exitWithUsage('npm run restore -- BACKUP [--replace]')

await runCommand(async () => {
  const { dataDir, mongodbUrl, filesLocation } = readStorageConfig(process.env)
  const restored = await restoreBackup({
    backup: pathFromCaller(backup),
    dataDir,
    mongodbUrl,
    filesLocation,
    replace: given.includes('--replace'),
    knownMigrations: migrationNames(),
    now: new Date(),
    report: console.log,
  })
  if (!restored) {
    console.log('Finished the restore that was interrupted. Start Assay now.')
    return
  }
  const { database, papers, manifest, aside } = restored
  console.log(
    `Restored the backup of ${manifest.made_at} into ${dataDir}: ${count(database.documents, 'document')} in ${count(database.collections, 'collection')}, ${count(papers, 'paper')}. Start Assay now.`,
  )
  if (aside) console.log(`What was there before is in ${aside}. Delete it when you no longer need it.`)
  // As the next start reads it.
  const { secretKey } = readStorageConfig(process.env)
  if (manifest.secret_key_check !== null && (!secretKey || checkOfSecret(secretKey) !== manifest.secret_key_check)) {
    console.log(
      'SECRET_KEY is not the one of the backup. Set that one before you start, or everybody is signed out and the mail server’s password and models’ keys must be entered again.',
    )
  }
})
