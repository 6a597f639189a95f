import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withDatabaseLock } from '../../lib/database/database-lock.ts'
import type { Services } from '../../services.ts'
import { hashPassword } from '../auth/password-hash.ts'
import { countUsers, createUser } from '../users/user.service.ts'

export const generatePassword = () => randomBytes(15).toString('base64url')

/** Returns the generated password. @throws {AppError} `duplicate` name or address */
export async function createAdministrator(
  { username, email }: { username: string; email: string },
  now: Date,
  password = generatePassword(),
): Promise<string> {
  const password_hash = await hashPassword(password)
  await createUser({ username, email, password_hash, role: 'admin', full_name: 'Administrator' }, now)
  return password
}

export const ensureFirstAdministrator = (services: Pick<Services, 'config' | 'clock'>): Promise<void> =>
  withDatabaseLock('first-administrator', () => createFirstAdministrator(services))

async function createFirstAdministrator({ config, clock }: Pick<Services, 'config' | 'clock'>): Promise<void> {
  if ((await countUsers()) > 0) return
  const password = generatePassword()
  const text = `Administrator account, created at first start:\n\nadmin        ${password}\n`
  const file = join(config.dataDir, 'first-run.txt')
  // Before the account: after a crash in between, the next start writes both again.
  await writeFile(file, text, { mode: 0o600 })
  await createAdministrator({ username: 'admin', email: 'admin@assay.invalid' }, clock.now(), password)
  console.log(`\n${text}\nStored in ${file}\n`)
}
