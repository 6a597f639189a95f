import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { hashPassword } from '../auth/password-hash.ts'
import { createUser, findUserByLogin } from '../users/user.service.ts'

/** The demo student, whose paper is good but not perfect. */
const DEMO_STUDENT = 'lchen'

const DEMO_ACCOUNTS = [
  { username: 'admin', full_name: 'Demo Administrator', role: 'admin' },
  { username: DEMO_STUDENT, full_name: 'Lucy Chen', role: 'student' },
  { username: 'instructor', full_name: 'Dr. Ines Keller', role: 'instructor' },
] as const

/** The passwords an earlier start has stored, by username. */
async function readPasswordFile(file: string): Promise<Map<string, string>> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return new Map([...text.matchAll(/^(\S+) +(\S+)$/gm)].map(([, name = '', secret = '']) => [name, secret]))
}

/** Atomic: the accounts get the passwords in this file. */
async function writePasswordFile(file: string, text: string): Promise<void> {
  const staging = `${file}.new`
  const handle = await open(staging, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(staging, file)
}

/**
 * One account of each role. Their passwords are generated and written to a file before the first account is created, so that
 * a start that was interrupted in between continues with the same ones. Returns the instructor.
 */
export async function ensureDemoAccounts({ config, clock }: Services): Promise<UserDoc> {
  const file = join(config.dataDir, 'first-run.txt')
  const passwords = await readPasswordFile(file)
  const accounts = new Map<string, UserDoc>()
  let hasNewPasswords = false
  for (const { username } of DEMO_ACCOUNTS) {
    const user = await findUserByLogin(username)
    if (user) accounts.set(username, user)
    else if (!passwords.has(username)) {
      passwords.set(username, randomBytes(15).toString('base64url'))
      hasNewPasswords = true
    }
  }
  if (hasNewPasswords) {
    const lines = [...passwords].map(([username, secret]) => `${username.padEnd(12)} ${secret}`)
    const text = `Demo accounts, created at first start for trying Assay on this machine:\n\n${lines.join('\n')}\n`
    await writePasswordFile(file, text)
    console.log(`\n${text}\nStored in ${file}\n`)
  }
  for (const account of DEMO_ACCOUNTS) {
    if (accounts.has(account.username)) continue
    const user = await createUser(
      {
        ...account,
        email: `${account.username}@demo.example`,
        student_number: account.role === 'student' ? '20260103' : null,
        password_hash: await hashPassword(passwords.get(account.username) ?? ''),
        email_verified: true,
        demo: account.role !== 'admin',
      },
      clock.now(),
    )
    accounts.set(account.username, user)
  }
  const instructor = accounts.get('instructor')
  if (!instructor) throw new Error('the instructor was just made')
  return instructor
}
