import { z } from 'zod'
import {
  changeAccountAccess,
  hasActiveAdministrator,
  restoreAccountAccess,
} from '../../../features/users/account.service.ts'
import { requireUser } from '../../../features/users/user.service.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { type BackgroundWork, defineJob } from '../../../lib/jobs/job.ts'
import { type ErasureDoc, ErasureModel } from '../../../records/people/erasure.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'
import { closeAccounts } from './erase-account.ts'
import { erasePerson } from './erase-person.ts'
import { accountIdsOf, findBlockers } from './erasure-preview.ts'
import { findErasure, storeErasure, withdrawErasure } from './erasures.ts'

const job = { name: 'erase-person', payload: z.object({ userId: z.number() }) } as const

/** Starts or resumes. @throws {AppError} `conflict` with what to do first; `last_administrator` */
export async function requestErasure(user: UserDoc, actor: Actor, services: Services): Promise<void> {
  const isNew = (await findErasure(user._id)) === null
  const blockers = isNew ? await findBlockers(user, { self: actor.id === user._id }) : []
  if (blockers.length > 0) throw new AppError('conflict', blockers.join(' '))
  // A crash must not leave a merely closed account.
  const erasure = await storeErasure(user, await accountIdsOf(user), actor, services.clock.now())
  if (isNew) await deactivate(user, services)
  if (erasure.step === 0) await closeAccounts({ erasure, services })
  await queueErasures([erasure], services)
}

async function deactivate(user: UserDoc, { clock }: Services): Promise<void> {
  if (await changeAccountAccess(user, { account: 'deactivated' }, clock.now())) {
    // Two administrators may delete each other at once, so the check comes after.
    if (await hasActiveAdministrator()) return
    await withdrawErasure(user._id)
    await restoreAccountAccess(user)
    throw new AppError('last_administrator')
  }
  if ((await requireUser(user._id)).account === 'deactivated') return
  await withdrawErasure(user._id)
  throw new AppError('conflict')
}

async function queueErasures(erasures: Pick<ErasureDoc, '_id'>[], { jobs }: Services): Promise<void> {
  await jobs.add(
    job,
    erasures.map(({ _id }) => ({ key: String(_id), group: `erasure/${_id}`, payload: { userId: _id } })),
  )
}

export const erasureWork = (services: Services): BackgroundWork => ({
  jobs: [
    defineJob({
      ...job,
      attempts: 5,
      run: ({ userId }, signal) => erasePerson(userId, services, signal),
      onFailed: async ({ userId }) => {
        await ErasureModel.updateOne({ _id: userId, state: 'running' }, { $set: { state: 'failed' } })
      },
    }),
  ],
  resume: async () => queueErasures(await ErasureModel.find({ state: 'running' }, { _id: 1 }).lean(), services),
})
