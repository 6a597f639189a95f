import { randomUUID } from 'node:crypto'
import { publishAssignment, setNamesHidden } from '@assay/shared/assignments.ts'
import { addPhoto, handInPhotos } from '@assay/shared/photo-drafts.ts'
import {
  downloadSubmissionPhoto,
  getSubmission,
  getSubmissionPhoto,
  listSubmissions,
  splitPaper,
} from '@assay/shared/submissions.ts'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { heicPicture } from '../../../../tests/papers/heic-picture.ts'
import type { Person } from '../../testing/api.ts'
import { buildAssignment, buildCourse, buildPerson } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

const png = () =>
  sharp({ create: { width: 300, height: 400, channels: 3, background: '#e0e0d0' } })
    .png()
    .toBuffer()

/** A paper of an HEIC and a PNG photo. */
async function buildPhotographed() {
  const { instructor, students, courseId } = await buildCourse(api, { students: 2 })
  const [student, classmate] = students as [Person, Person]
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  const params = { assignmentId }
  await api.as(instructor).send(publishAssignment, { params })
  const by = api.as(student)
  const added = [
    { name: 'IMG_1.HEIC', bytes: heicPicture() },
    { name: 'b.png', bytes: await png() },
  ]
  let draft = { draft_id: '', revision: 0 }
  for (const photo of added) {
    const { body } = await by.send(addPhoto, { params: { ...params, key: randomUUID() }, files: { photo: [photo] } })
    draft = { draft_id: body.id ?? '', revision: body.revision }
  }
  await by.send(handInPhotos, { params, body: draft })
  const [row] = (await api.as(instructor).send(listSubmissions, { params })).body
  return { instructor, student, classmate, params, ids: { ...params, submissionId: row?.id ?? 0 } }
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
