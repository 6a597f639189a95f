/**
 * Restores a backup into an empty data folder, with Assay stopped: `npm run restore -- BACKUP`. With `--replace`, what
 * is in the data folder is moved aside first.
 */
import { readStorageConfig } from '../server/src/config.ts'
import { checkOfSecret } from '../server/src/maintenance/backup/backup-format.ts'
import { restoreBackup } from '../server/src/maintenance/backup/restore-backup.ts'
import { count, exitWithUsage, pathFromCaller, runCommand } from './lib/run-command.ts'

const given = process.argv.slice(2)
const [backup, ...rest] = given.filter((argument) => argument !== '--replace')
if (!backup || backup.startsWith('-') || rest.length > 0) exitWithUsage('npm run restore -- BACKUP [--replace]')

await runCommand(async () => {
  const config = readStorageConfig(process.env)
  const options = { backup: pathFromCaller(backup), replace: given.includes('--replace') }
  const restored = await restoreBackup({ ...config, ...options, now: new Date(), report: console.log })
  if (!restored) return console.log('Finished the restore that was interrupted. Start Assay now.')
  const { made_at, documents, papers, secret_key_check } = restored.manifest
  console.log(
    `Restored the backup of ${made_at} into ${config.dataDir}: ${count(documents, 'document')}, ${count(papers.files, 'paper')}. Start Assay now.`,
  )
  if (restored.aside)
    console.log(`What was there before is in ${restored.aside}. Delete it when you no longer need it.`)
  // As the next start reads it.
  const { secretKey } = readStorageConfig(process.env)
  if (secret_key_check !== null && (!secretKey || checkOfSecret(secretKey) !== secret_key_check))
    console.log(
      'SECRET_KEY is not the one of the backup. Set that one before you start, or everybody is signed out and the mail server’s password and models’ keys must be entered again.',
    )
})
