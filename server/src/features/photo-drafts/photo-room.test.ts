import { randomUUID } from 'node:crypto'
import { changePhoto } from '@assay/shared/photo-drafts.ts'
import { MAX_DRAFT_BYTES, MAX_ORIGINALS_BYTES, MAX_PHOTO_BYTES_PER_HOUR } from '@assay/shared/rules/limits.ts'
import { handInPaper } from '@assay/shared/students.ts'
import { expect, it } from 'vitest'
import { heicPicture } from '../../../../tests/papers/heic-picture.ts'
import { PhotoDraftModel } from '../../records/submissions/photo-draft.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { correctAnswers, drawPaper } from '../../testing/build-course.ts'
import { buildPhotoAssignment } from '../../testing/build-photo-assignment.ts'
import { useTestApi } from '../../testing/server.ts'
import { createPhotoBudget } from './photo-page.ts'

const { api, server } = useTestApi()

it('takes a PDF after the largest photos, and says where photos are too many', async () => {
  const { student, assignmentId, params, mine } = await buildPhotoAssignment(api)
  await mine.add('a.heic', heicPicture())
  expect((await mine.handIn()).status).toBe(201)
  // As if they had been that large.
  const weigh = (size: number) =>
    SubmissionModel.updateOne({ assignment_id: assignmentId }, { $set: { 'file.photos.0.size': size } })
  await weigh(190 * 2 ** 20)
  const sendPdf = async (name: string) => {
    const file = [{ name: 'newer.pdf', bytes: await drawPaper({ full_name: name }, correctAnswers) }]
    return api.as(student).send(handInPaper, { params, body: {}, files: { file } })
  }
  await mine.add('a.heic', heicPicture())
  await mine.add('b.heic', heicPicture())
  expect((await mine.handIn()).status).toBe(201)
  await SubmissionModel.updateOne(
    { assignment_id: assignmentId },
    { $set: { 'file.photos.0.hash': 'f'.repeat(64), 'file.photos.0.size': MAX_ORIGINALS_BYTES } },
  )
  const refused = await mine.add('c.heic', heicPicture())
  expect(refused.body).toMatchObject({ error_code: 'hand_in_refused' })
  expect(refused.text).toContain('Hand in a PDF instead')
  expect((await sendPdf('Someone')).status).toBe(201)
})

it('takes no photo where the PDF of a draft would be too large', async () => {
  const { assignmentId, mine } = await buildPhotoAssignment(api)
  await mine.add('a.heic', heicPicture())
  await PhotoDraftModel.updateOne({ assignment_id: assignmentId }, { $set: { 'pages.0.sheet.size': 50 * 2 ** 20 } })
  expect((await mine.add('b.heic', heicPicture())).text).toContain('too many for one paper')
})

it('limits what the drafts of one person take together, and what they have stored in an hour', async () => {
  const { student, assignmentId, mine } = await buildPhotoAssignment(api)
  await mine.add('a.heic', heicPicture())
  const draft = await PhotoDraftModel.findOne({ assignment_id: assignmentId }).lean()
  const [page] = draft?.pages ?? []
  await PhotoDraftModel.create({
    ...{ _id: `0/${student.id}`, draft: randomUUID(), assignment_id: 0, user_id: student.id, revision: 1 },
    pages: [{ ...page, preview: { ...page?.preview, size: MAX_DRAFT_BYTES } }],
    expires_at: draft?.expires_at,
  })
  expect((await mine.add('b.heic', heicPicture())).text).toContain('not handed in yet take too much room')
  let now = new Date('2026-11-26T10:59:00Z')
  const budget = createPhotoBudget({ ...server.running.services.clock, now: () => now })
  budget.spend(1, MAX_PHOTO_BYTES_PER_HOUR)
  budget.spend(2, 1)
  expect(() => budget.spend(1, 1)).toThrow('Please wait 60 seconds')
  now = new Date('2026-11-26T11:00:00Z')
  budget.spend(1, 1)
})

it('stores nothing that is made of photos while the disk is full', async () => {
  const { student, params, mine } = await buildPhotoAssignment(api)
  const key = randomUUID()
  await mine.add('a.heic', heicPicture(), { key })
  const { config } = server.running.services
  const before = config.minFreeDiskBytes
  config.minFreeDiskBytes = Number.MAX_SAFE_INTEGER
  try {
    const at = { ...params, key }
    const changed = await api.as(student).send(changePhoto, { params: at, body: { corners: null, turns: 1 } })
    expect([changed.status, changed.body]).toMatchObject([507, { error_code: 'storage_full' }])
    expect((await mine.handIn()).body).toMatchObject({ error_code: 'storage_full' })
  } finally {
    config.minFreeDiskBytes = before
  }
  expect((await mine.handIn()).status).toBe(201)
})
