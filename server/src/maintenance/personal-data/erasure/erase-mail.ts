import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { linkMailJobNames } from '../../../features/auth/link-mail.ts'
import { normalizeLogin } from '../../../features/users/user.service.ts'
import { literalRegExp } from '../../../lib/database/database.ts'
import { FailedJobModel, JobModel } from '../../../lib/jobs/job.model.ts'
import { MAIL_JOB } from '../../../lib/mail/mail.ts'
import { MailedLinkModel } from '../../../records/people/mailed-link.model.ts'
import { addressesOf } from './erase-memberships.ts'
import type { ErasureTask } from './erasure-task.ts'

/**
 * Mail to the person that waits or was written to the outbox. Mail to others that names them is not looked for: it leaves the queue within
 * minutes, and by a name of their choice somebody could delete others' mail.
 */
export async function eraseMail({ erasure, accounts, services }: ErasureTask): Promise<void> {
  const addresses = addressesOf(accounts)
  await MailedLinkModel.deleteMany({ user_id: { $in: erasure.account_ids } })
  await eraseQueuedMail(new Set(erasure.account_ids), addresses)
  for (const address of addresses) {
    await FailedJobModel.deleteMany({ error: literalRegExp(address) })
    await eraseOutbox(join(services.config.dataDir, 'outbox'), address)
  }
}

async function eraseQueuedMail(ids: Set<number>, addresses: Set<string>): Promise<void> {
  const isTheirs = (payload: object) =>
    ('userId' in payload && ids.has(Number(payload.userId))) ||
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

/** Mails are written there where there is no mail server. */
async function eraseOutbox(folder: string, address: string): Promise<void> {
  const to = new RegExp(`^To:[^\\n]*(?<![\\w.+-])${literalRegExp(address).source}(?![\\w.-])`, 'im')
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.eml')) continue
    const file = join(folder, name)
    const mail = await readFile(file, 'utf8').catch(() => '')
    if (to.test(mail.slice(0, Math.max(mail.indexOf('\n\n'), 0)))) await rm(file, { force: true })
  }
}
