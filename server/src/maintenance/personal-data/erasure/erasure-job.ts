import { z } from 'zod'
import {
  changeAccountAccess,
  hasActiveAdministrator,
  restoreAccountAccess,
} from '../../../features/users/account.service.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import type { BackgroundWork } from '../../../lib/jobs/background-work.ts'
import { defineJob } from '../../../lib/jobs/job.ts'
import type { ErasureDoc } from '../../../records/people/erasure.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'
import { closeAccounts } from './erase-account.ts'
import { erasePerson } from './erase-person.ts'
import { accountIdsOf, previewErasure } from './erasure-preview.ts'
import { findErasure, findUnfinishedErasures, storeErasure, storeFailed } from './erasures.ts'

const job = { name: 'erase-person', payload: z.object({ userId: z.number() }) } as const

/**
 * Signs the person out for good and has everything of theirs deleted by a job. Where that was asked for before, it goes on.
 * @throws {AppError} `conflict`, saying what has to be done first; `last_administrator`
 */
export async function requestErasure(user: UserDoc, actor: Actor, services: Services): Promise<void> {
  if (!(await findErasure(user._id))) await closeFor(user, actor, services)
  const erasure = await storeErasure(user, await accountIdsOf(user), actor, services.clock.now())
  if (erasure.step === 0) {
    const signal = new AbortController().signal
    await closeAccounts({ erasure, accounts: [user], services, signal })
  }
  await queueErasures([erasure], services)
}

async function closeFor(user: UserDoc, actor: Actor, { clock }: Services): Promise<void> {
  const { blockers } = await previewErasure(user, { self: actor.id === user._id })
  if (blockers.length > 0) throw new AppError('conflict', blockers.join(' '))
  if (!(await changeAccountAccess(user, { account: 'deactivated' }, clock.now()))) throw new AppError('conflict')
  // Two administrators may delete each other at the same moment: checked afterwards, so that one of them is stopped.
  if (await hasActiveAdministrator()) return
  await restoreAccountAccess(user)
  throw new AppError('last_administrator')
}

async function queueErasures(erasures: Pick<ErasureDoc, '_id'>[], { jobs }: Services): Promise<void> {
  await jobs.add(
    job,
    erasures.map(({ _id }) => ({ key: String(_id), group: `erasure/${_id}`, payload: { userId: _id } })),
  )
}

/** Erasures go on where a process that died has left them. */
export const erasureWork = (services: Services): BackgroundWork => ({
  jobs: [
    defineJob({
      ...job,
      pool: 'io',
      attempts: 5,
      run: ({ userId }, signal) => erasePerson(userId, services, signal),
      onFailed: ({ userId }) => storeFailed(userId),
    }),
  ],
  resume: async () => queueErasures(await findUnfinishedErasures(), services),
})
