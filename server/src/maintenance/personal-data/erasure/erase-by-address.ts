import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RosterResult } from '@assay/shared/roster.ts'
import { linkMailJobNames } from '../../../features/auth/link-mail.ts'
import { normalizeLogin } from '../../../features/users/user.service.ts'
import { literalRegExp } from '../../../lib/database/database.ts'
import { FailedJobModel, JobModel } from '../../../lib/jobs/job.model.ts'
import { MAIL_JOB } from '../../../lib/mail/mail.ts'
import { type RosterPerson, RosterStepModel } from '../../../records/courses/roster-import.model.ts'
import type { ErasureTask } from './erasure-rule.ts'

const addressesOf = (accounts: ErasureTask['accounts']): Set<string> =>
  new Set(accounts.flatMap(({ email }) => (email.includes('@') ? [normalizeLogin(email)] : [])))

/** Mail to others leaves within minutes, and matching chosen names could delete it. */
export async function eraseQueuedMail({ erasure, accounts }: ErasureTask): Promise<void> {
  const addresses = addressesOf(accounts)
  const isTheirs = (payload: object) =>
    ('userId' in payload && erasure.account_ids.includes(Number(payload.userId))) ||
    ['to' in payload ? payload.to : '', 'email' in payload ? payload.email : ''].some((address) =>
      addresses.has(normalizeLogin(String(address))),
    )
  const names = [MAIL_JOB, ...linkMailJobNames]
  for await (const { _id, payload } of JobModel.find({ name: { $in: names } }, { payload: 1 })
    .lean()
    .cursor()) {
    if (typeof payload === 'object' && payload !== null && isTheirs(payload)) await JobModel.deleteOne({ _id })
  }
}

export async function eraseMailFailures({ accounts }: ErasureTask): Promise<void> {
  for (const address of addressesOf(accounts)) await FailedJobModel.deleteMany({ error: literalRegExp(address) })
}

/** Mail goes there without a mail server. */
export async function eraseOutbox({ accounts, services }: ErasureTask): Promise<void> {
  const folder = join(services.config.dataDir, 'outbox')
  const patterns = [...addressesOf(accounts)].map(
    (address) => new RegExp(`^To:[^\\n]*(?<![\\w.+-])${literalRegExp(address).source}(?![\\w.-])`, 'im'),
  )
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.eml')) continue
    const file = join(folder, name)
    const mail = await readFile(file, 'utf8').catch(() => '')
    const head = mail.slice(0, Math.max(mail.indexOf('\n\n'), 0))
    if (patterns.some((to) => to.test(head))) await rm(file, { force: true })
  }
}

export async function eraseRosterRows({ accounts }: ErasureTask): Promise<void> {
  const addresses = addressesOf(accounts)
  // Rows without address have name and number; a namesake has another number.
  const unaddressed = accounts.filter(({ roster_course_id, full_name }) => roster_course_id != null && full_name)
  if (addresses.size + unaddressed.length === 0) return
  const isAddress = (email: string) => addresses.has(normalizeLogin(email))
  const isTheirRow = ({ email, full_name, sis_user_id }: RosterPerson) =>
    email === null
      ? unaddressed.some((one) => one.full_name === full_name && one.student_number === sis_user_id)
      : isAddress(email)
  const isTheirFailure = ({ email, message }: RosterResult) =>
    email === '' ? unaddressed.some(({ full_name }) => message.startsWith(`${full_name} `)) : isAddress(email)
  for await (const step of RosterStepModel.find().lean().cursor()) {
    const rows = step.rows.filter(({ entry }) => isTheirRow(entry)).map(({ row }) => row)
    const failures = step.failures.filter(isTheirFailure).map(({ row }) => row)
    if (rows.length + failures.length === 0) continue
    await RosterStepModel.updateOne(
      { _id: step._id },
      { $pull: { rows: { row: { $in: rows } }, failures: { row: { $in: failures } } } },
    )
  }
}
