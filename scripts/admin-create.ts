/**
 * Creates an administrator: `npm run admin:create -- USERNAME EMAIL`. Prints the password once. Without MONGODB_URL the
 * server must be stopped first: only one process at a time can open the embedded database.
 */
import { join } from 'node:path'
import { EmailAddress } from '@assay/shared/rules/email.ts'
import { Username } from '@assay/shared/rules/text.ts'
import { z } from 'zod'
import { type Config, ConfigError, readConfig } from '../server/src/config.ts'
import { startEmbeddedDatabase } from '../server/src/embedded/embedded-database.ts'
import { OpenFailure } from '../server/src/embedded/storage/open-store.ts'
import { createAdministrator } from '../server/src/features/admin/first-administrator.ts'
import { closeDatabase, openDatabase } from '../server/src/lib/database/database.ts'
import { AppError } from '../server/src/lib/http/app-error.ts'
import { runMigrations } from '../server/src/migrations/run-migrations.ts'

const Account = z.object({ username: Username, email: EmailAddress })

async function create(account: z.infer<typeof Account>, { mongodbUrl, dataDir }: Config): Promise<void> {
  const embedded = mongodbUrl ? null : await startEmbeddedDatabase({ folder: join(dataDir, 'database') })
  try {
    await openDatabase(mongodbUrl ?? embedded?.url ?? '', runMigrations)
    const password = await createAdministrator(account, new Date())
    console.log(`Administrator ${account.username}, password ${password}\nIt is shown this once.`)
  } finally {
    await closeDatabase()
    await embedded?.stop()
  }
}

function inWords(error: unknown): unknown {
  if (error instanceof z.ZodError) return error.issues.map((issue) => issue.message).join('\n')
  if (error instanceof OpenFailure && error.code === 'in_use')
    return `${error.message}\nStop Assay, make the administrator, and start it again.`
  const expected = error instanceof ConfigError || error instanceof AppError || error instanceof OpenFailure
  return expected ? error.message : error
}

const [username, email, ...rest] = process.argv.slice(2)
if (!username || !email || rest.length > 0) {
  console.error('usage: npm run admin:create -- USERNAME EMAIL')
  process.exit(2)
}
try {
  await create(Account.parse({ username, email }), readConfig(process.env))
} catch (error) {
  console.error(inWords(error))
  process.exitCode = 1
}
