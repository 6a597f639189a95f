/**
 * Copies the database, with Assay stopped: `npm run move-to-mongodb -- URL` from the embedded one into an empty
 * MongoDB, `npm run move-from-mongodb -- URL` from there into a new embedded one. Papers stay where they are, and so
 * does the original.
 */
import { readStorageConfig } from '../server/src/config.ts'
import { moveFromMongodb, moveToMongodb } from '../server/src/maintenance/backup/move-database.ts'
import { count, exitWithUsage, runCommand } from './lib/run-command.ts'

const [direction, url, ...rest] = process.argv.slice(2)
if (!url || !/^mongodb(\+srv)?:\/\//.test(url) || rest.length > 0)
  exitWithUsage(`npm run move-${direction}-mongodb -- mongodb://user:password@host/assay`)

await runCommand(async () => {
  const { dataDir } = readStorageConfig(process.env)
  const isTo = direction === 'to'
  const { documents, collections, oneMoment } = await (isTo ? moveToMongodb : moveFromMongodb)(dataDir, url)
  console.log(`Copied ${count(documents, 'document')} in ${count(collections, 'collection')}. All are there.`)
  if (isTo) {
    console.log('Set MONGODB_URL in .env to the address you gave, leave DATA_DIR as it is, and start Assay.')
    console.log(`The embedded database is still in ${dataDir}/database. Delete it when you no longer need it.`)
  } else {
    if (!oneMoment) console.log('This MongoDB has no snapshots: if Assay ran meanwhile, stop it and start over.')
    console.log('Remove MONGODB_URL from .env, and start Assay.')
  }
})
