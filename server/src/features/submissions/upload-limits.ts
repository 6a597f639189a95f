import { createAssignment } from '@assay/shared/assignments.ts'
import { uploadSubmission, uploadSubmissions } from '@assay/shared/submissions.ts'
import { type Request, Router } from 'express'
import { bearerOf } from '../../lib/handle.ts'
import { byAddress, limitCalls } from '../../lib/rate-limit.ts'
import type { Services } from '../../services.ts'

/** The user a token names, unchecked: a forged one only fills a counter of its own address. */
function claimedUser(request: Request): string {
  const payload = bearerOf(request)?.split('.')[1]
  if (!payload) return byAddress(request)
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    const subject = typeof claims === 'object' && claims !== null && 'sub' in claims ? String(claims.sub) : ''
    return `${byAddress(request)} ${subject.slice(0, 20)}`
  } catch {
    return byAddress(request)
  }
}

/** Uploads of one user in an hour. */
export function uploadLimits({ config }: Services): Router {
  const router = Router()
  const paths = [createAssignment.path, uploadSubmission.path, uploadSubmissions.path]
  router.post(paths, limitCalls({ minutes: 60, limit: config.limits.upload, key: claimedUser }))
  return router
}
