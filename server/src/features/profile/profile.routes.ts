import {
  getInstructorProfile,
  getStudentProfile,
  updateInstructorProfile,
  updateStudentProfile,
} from '@assay/shared/profile.ts'
import { Router } from 'express'
import { keyByTokenSubject, limitRequests } from '../../cluster/redis/rate-limit.ts'
import { allow } from '../../lib/http/allow.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requireUser } from '../users/user.service.ts'
import { changeProfile, presentProfile } from './profile.service.ts'

const MAX_ADDRESS_CHANGES_PER_HOUR = 10

/** The same for every role, at two addresses. */
export function profileRoutes(services: Services): Router {
  const router = Router()
  // Each change of address sends a mail.
  router.put(
    [updateStudentProfile.path, updateInstructorProfile.path],
    limitRequests(services, {
      name: 'profile',
      minutes: 60,
      limit: services.settings.limit('limit_registration'),
      key: keyByTokenSubject,
    }),
  )
  // A taken address is refused, which tells that it has an account.
  router.put(
    [updateStudentProfile.path, updateInstructorProfile.path],
    limitRequests(services, {
      name: 'address of a profile',
      minutes: 60,
      limit: MAX_ADDRESS_CHANGES_PER_HOUR,
      key: keyByTokenSubject,
      only: ({ body }) => body?.email !== undefined,
    }),
  )
  for (const endpoint of [getStudentProfile, getInstructorProfile]) {
    handle(router, endpoint, async ({ actor }) => {
      allow('yes') // Oneself.
      return presentProfile(await requireUser(actor.id))
    })
  }
  for (const endpoint of [updateStudentProfile, updateInstructorProfile]) {
    handle(router, endpoint, async ({ body, actor }) => {
      allow('yes') // Oneself.
      const user = await requireUser(actor.id)
      return presentProfile(await changeProfile(user, body, actor, services))
    })
  }
  return router
}
