import { setNamesHidden } from '@assay/shared/assignments.ts'
import { downloadSubmissionPhoto, getSubmission, getSubmissionPhoto, splitPaper } from '@assay/shared/submissions.ts'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { heicPicture } from '../../../../tests/papers/heic-picture.ts'
import { buildPerson } from '../../testing/build-course.ts'
import { buildPhotoAssignment } from '../../testing/build-photo-assignment.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

const png = () =>
  sharp({ create: { width: 300, height: 400, channels: 3, background: '#e0e0d0' } })
    .png()
    .toBuffer()

/** A paper of an HEIC and a PNG photo. */
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
