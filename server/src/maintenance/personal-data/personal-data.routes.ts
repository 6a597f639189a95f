import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type ExportedData,
  eraseOwnAccount,
  eraseUser,
  exportOwnData,
  exportUserData,
  previewErasure as previewEndpoint,
  previewOwnErasure,
} from '@assay/shared/personal-data.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { limitRequests } from '../../cluster/redis/rate-limit.ts'
import { type CheckPassword, DEVICE_COOKIE } from '../../features/auth/check-password.ts'
import { requireUnlimited } from '../../features/courses/course.service.ts'
import { canAdminister } from '../../features/users/admin.policy.ts'
import { requireUser } from '../../features/users/user.service.ts'
import { AppError, invalidField } from '../../lib/http/app-error.ts'
import { type Actor, allow, handle, RawReply } from '../../lib/http/handle.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { requestErasure } from './erasure/erasure-job.ts'
import { previewErasure } from './erasure/erasure-preview.ts'
import { findErasure } from './erasure/erasures.ts'
import { exportPerson } from './export/export-zip.ts'

const DELETED_MESSAGE = 'Your account is being deleted. You have been signed out.'

export function personalDataRoutes(router: Router, services: Services, checkPassword: CheckPassword): void {
  router.get(exportOwnData.path, limitRequests(services, { name: "export of one's own", limit: 20 }))

  handle(router, exportOwnData, async ({ actor, signal }) => {
    allow('yes') // Oneself.
    requireUnlimited(actor)
    return sendExport(await requireUser(actor.id), 'own', actor, signal)
  })

  handle(router, exportUserData, async ({ params, actor, signal }) => {
    allow(canAdminister(actor))
    return sendExport(await requireUser(params.userId), 'school', actor, signal)
  })

  async function sendExport(user: UserDoc, scope: ExportedData['scope'], actor: Actor, signal: AbortSignal) {
    const zip = await exportPerson(user, scope, services, signal)
    await recordAudit(actor, 'user.data_exported', { user_id: user._id }, services.clock.now())
    return new RawReply(async (response) => {
      response.type('application/zip')
      response.attachment(`assay_data_${user._id}.zip`)
      await pipeline(Readable.from(zip), response).catch((error: unknown) => {
        if (!signal.aborted && !response.destroyed) throw error
      })
    })
  }

  handle(router, previewOwnErasure, async ({ actor }) => {
    allow('yes') // Oneself.
    requireUnlimited(actor)
    return previewErasure(await requireUser(actor.id), { self: true })
  })

  handle(router, eraseOwnAccount, async ({ body, actor, address, cookie }) => {
    allow('yes') // Oneself.
    requireUnlimited(actor)
    const user = await requireUser(actor.id)
    const given = { username: user.username, password: body.password, user }
    if (!(await checkPassword({ address, device: cookie(DEVICE_COOKIE) }, given)))
      throw invalidField('password', 'Password is incorrect', 'password')
    await requestErasure(user, actor, services)
    return { message: DELETED_MESSAGE }
  })

  handle(router, previewEndpoint, async ({ params, actor }) => {
    allow(canAdminister(actor))
    return previewErasure(await requireUser(params.userId), { self: false })
  })

  handle(router, eraseUser, async ({ params, body, actor }) => {
    allow(canAdminister(actor))
    const user = await requireUser(params.userId)
    if (user._id === actor.id) throw new AppError('own_account', 'Delete your own account on your profile page.')
    // An erasure under way was confirmed, and may have changed the username.
    const confirmed = (await findErasure(user._id)) !== null || body.username === user.username
    if (!confirmed) throw invalidField('username', `Type ${user.username} to confirm.`, 'username')
    await requestErasure(user, actor, services)
    return previewErasure(await requireUser(user._id), { self: false })
  })
}
