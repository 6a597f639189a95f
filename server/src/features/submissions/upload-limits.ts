import { createAssignment } from '@assay/shared/assignments.ts'
import { uploadClassScan } from '@assay/shared/class-scans.ts'
import { addPhoto, changePhoto, handInPhotos, uploadPhotos } from '@assay/shared/photo-drafts.ts'
import { MAX_HAND_INS_PER_HOUR, MAX_PHOTO_CHANGES_PER_HOUR } from '@assay/shared/rules/limits.ts'
import { handInPaper } from '@assay/shared/students.ts'
import { uploadSubmission, uploadSubmissions } from '@assay/shared/submissions.ts'
import { Router } from 'express'
import { limitRequests } from '../../cluster/redis/rate-limit.ts'
import type { Services } from '../../services.ts'

/** Per user and hour; a student hands in fewer. */
export function uploadLimits(services: Services): Router {
  const { settings } = services
  const router = Router()
  const paths = [
    createAssignment.path,
    uploadSubmission.path,
    uploadSubmissions.path,
    handInPaper.path,
    handInPhotos.path,
    uploadPhotos.path,
    uploadClassScan.path,
  ]
  router.post(paths, limitRequests(services, { name: 'upload', limit: settings.limit('limit_upload') }))
  router.post(
    [handInPaper.path, handInPhotos.path],
    limitRequests(services, { name: 'hand-in', limit: MAX_HAND_INS_PER_HOUR }),
  )
  // One count: each has a picture straightened.
  const photos = limitRequests(services, { name: 'photo', limit: MAX_PHOTO_CHANGES_PER_HOUR })
  router.put(addPhoto.path, photos)
  router.patch(changePhoto.path, photos)
  return router
}
