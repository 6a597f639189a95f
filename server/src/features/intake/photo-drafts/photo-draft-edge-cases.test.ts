import { randomUUID } from 'node:crypto'
import { rm, utimes } from 'node:fs/promises'
import { setNamesHidden } from '@assay/shared/assignments.ts'
import { changePhoto, handInPhotos, uploadPhotos } from '@assay/shared/photo-drafts.ts'
import { MAX_DRAFT_BYTES, MAX_ORIGINALS_BYTES, MAX_PHOTO_BYTES_PER_HOUR } from '@assay/shared/rules/limits.ts'
import { handInPaper } from '@assay/shared/students.ts'
import { downloadSubmissionPhoto, getSubmission, getSubmissionPhoto, splitPaper } from '@assay/shared/submissions.ts'
import sharp from 'sharp'
import { expect, it, vi } from 'vitest'
import { heicPicture } from '../../../../../tests/papers/heic-picture.ts'
import { PhotoDraftModel } from '../../../records/submissions/photo-draft.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildPerson, correctAnswers, drawPaper } from '../../../testing/build-course.ts'
import { buildPhotoAssignment } from '../../../testing/build-photo-assignment.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'
import { createPhotoBudget } from './photo-draft.service.ts'

const { api, server } = useTestApi()

const picture = (shade: number) =>
  sharp({ create: { width: 300, height: 400, channels: 3, background: { r: shade, g: 200, b: 200 } } })
    .png()
    .toBuffer()
const buildPublished = () => buildPhotoAssignment(api)

it('does not take a page that came while photos were being handed in for handed in', async () => {
  const { student, params, mine, rows } = await buildPublished()
  await mine.add('a.heic', heicPicture())
  const { id, revision } = await mine.draft()
  const body = { draft_id: id ?? '', revision }
  const { files } = server.running.services
  // While its PDF is being stored.
  const kept = vi.spyOn(files, 'keep').mockImplementationOnce(async (hash) => {
    await mine.add('late.png', await picture(100))
    return files.keep(hash)
  })
  const handedIn = await api.as(student).send(handInPhotos, { params, body })
  kept.mockRestore()
  expect(handedIn.body.paper?.file_name).toBe('Photos (1 page).pdf')
  // As in the reply to the photo, and as it is now.
  const stale = await api.as(student).send(handInPhotos, { params, body: { ...body, revision: revision + 1 } })
  expect(stale.body).toMatchObject({ error_code: 'conflict' })
  const rest = await mine.draft()
  expect([rest.pages.length, rest.id === id]).toEqual([2, false])
  // As if the reply was lost: nothing is deleted.
  expect((await api.as(student).send(handInPhotos, { params, body })).status).toBe(201)
  expect((await mine.draft()).pages).toHaveLength(2)
  expect((await mine.handIn()).body.paper?.file_name).toBe('Photos (2 pages).pdf')
  expect(await rows()).toMatchObject([{ earlier_attempts: 1 }])
  expect((await mine.draft()).pages).toEqual([])
})

it('keeps a teacher’s photos where the paper that was made of them is another student’s', async () => {
  const { instructor, student, classmate, params, by, rows } = await buildPublished()
  const teacher = by(instructor)
  await teacher.add('ann.heic', heicPicture())
  const { id, revision } = await teacher.draft()
  const uploadFor = (who: Person, seen: { id: string | null; revision: number }) =>
    api
      .as(instructor)
      .send(uploadPhotos, { params, body: { draft_id: seen.id ?? '', revision: seen.revision, student_id: who.id } })
  expect((await uploadFor(student, { id, revision })).status).toBe(201)
  expect((await uploadFor(classmate, { id, revision })).body).toMatchObject({ error_code: 'conflict' })
  await teacher.add('ann.heic', heicPicture())
  expect((await uploadFor(classmate, await teacher.draft())).body).toMatchObject({ error_code: 'conflict' })
  expect((await teacher.draft()).pages).toHaveLength(1)
  expect(await rows()).toMatchObject([{ student: { id: student.id } }])
})

it('protects photos that are handed in from a sweep under way, and refuses those that are gone', async () => {
  const { assignmentId, mine } = await buildPublished()
  await mine.add('a.png', await picture(110))
  const draft = await PhotoDraftModel.findOne({ assignment_id: assignmentId }).lean()
  const { photo } = draft?.pages[0] ?? {}
  const photos = [photo?.hash ?? '', photo?.view.hash ?? '']
  const { files } = server.running.services
  const old = new Date(Date.now() - 2 * 3_600_000)
  for (const hash of photos) await utimes(await files.localPath(hash), old, old)
  expect((await mine.handIn()).status).toBe(201)
  const hourAgo = new Date(Date.now() - 3_600_000)
  // As the sweep does, which had asked before the paper was there.
  for (const hash of photos) expect(await files.removeIfOlderThan(hash, hourAgo)).toBe(false)
  await mine.add('b.png', await picture(120))
  const next = await PhotoDraftModel.findOne({ assignment_id: assignmentId }).lean()
  await rm(await files.localPath(next?.pages[0]?.photo.hash ?? ''))
  const refused = await mine.handIn()
  expect(refused.body).toMatchObject({ error_code: 'conflict' })
  expect(refused.text).toContain('b.png is not stored any more')
  expect((await mine.draft()).pages).toHaveLength(1)
})

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

const png = () =>
  sharp({ create: { width: 300, height: 400, channels: 3, background: '#e0e0d0' } })
    .png()
    .toBuffer()

async function buildPhotographed() {
  const { instructor, student, classmate, params, mine, rows } = await buildPhotoAssignment(api)
  await mine.add('IMG_1.HEIC', heicPicture())
  await mine.add('b.png', await png())
  await mine.handIn()
  return { instructor, student, classmate, params, ids: { ...params, submissionId: (await rows())[0]?.id ?? 0 } }
}

it('shows a teacher and the student the photo of each page, and saves it as it was but for its place', async () => {
  const { instructor, student, classmate, ids } = await buildPhotographed()
  expect((await api.as(instructor).send(getSubmission, { params: ids })).body.photos).toEqual([
    { type: 'heic' },
    { type: 'png' },
  ])
  const first = { params: { ...ids, number: 1 } }
  for (const who of [instructor, student]) {
    const shown = await api.as(who).send(getSubmissionPhoto, first)
    expect(await sharp(shown.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 64, height: 48 })
    const saved = await api.as(who).send(downloadSubmissionPhoto, first)
    expect(saved.headers.get('content-type')).toBe('application/octet-stream')
    expect(saved.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''photo-1.heic")
    expect([saved.bytes.length, saved.bytes.includes('Phone')]).toEqual([heicPicture().length, false])
  }
  for (const who of [classmate, await buildPerson('instructor')])
    for (const endpoint of [getSubmissionPhoto, downloadSubmissionPhoto])
      expect((await api.as(who).send(endpoint, first)).status).toBe(404)
  expect((await api.as(instructor).send(getSubmissionPhoto, { params: { ...ids, number: 3 } })).status).toBe(404)
})

it('shows graders no photo while names are hidden', async () => {
  const { instructor, student, params, ids } = await buildPhotographed()
  await api.as(instructor).send(setNamesHidden, { params, body: { names_hidden: true } })
  expect((await api.as(instructor).send(getSubmission, { params: ids })).body.photos).toBeUndefined()
  const first = { params: { ...ids, number: 1 } }
  for (const endpoint of [getSubmissionPhoto, downloadSubmissionPhoto])
    expect((await api.as(instructor).send(endpoint, first)).body).toMatchObject({ error_code: 'names_hidden' })
  expect((await api.as(student).send(getSubmissionPhoto, first)).status).toBe(200)
})

it('gives each part of a split paper the photos of its pages', async () => {
  const { instructor, ids } = await buildPhotographed()
  const split = await api.as(instructor).send(splitPaper, { params: ids, body: { second_begins_on: 2 } })
  const photosOf = async (submissionId: number) =>
    (await api.as(instructor).send(getSubmission, { params: { ...ids, submissionId } })).body.photos
  expect(await photosOf(split.body.first.id)).toEqual([{ type: 'heic' }])
  expect(await photosOf(split.body.second.id)).toEqual([{ type: 'png' }])
})
