import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { getStudentAssignment, handInPaper, handInPhotos } from '@assay/shared/students.ts'
import { getSubmissionFile, listSubmissions } from '@assay/shared/submissions.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { drawEssay } from '../../../../tests/papers/draw-essay.ts'
import { heicPicture } from '../../../../tests/papers/heic-picture.ts'
import { drawPhotoJpeg } from '../../../../tests/papers/photo.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { createTestApi, type Person } from '../../testing/api.ts'
import { buildAssignment, buildCourse, correctAnswers, drawPaper } from '../../testing/build-course.ts'
import { createCachedPaperReader } from '../../testing/cached-paper-reader.ts'
import { useServer } from '../../testing/server.ts'

/** Runs when a photo has become a page: a test may do something else there. */
const nothing = async (_signal?: AbortSignal) => {}
let meanwhile = nothing
afterEach(() => {
  meanwhile = nothing
})

const papers = createCachedPaperReader()
const server = useServer(
  {},
  {
    papers: {
      ...papers,
      pageOfPicture: async (task, options) => {
        const page = await papers.pageOfPicture(task, options)
        await meanwhile(options?.signal)
        return page
      },
    },
  },
)
const api = createTestApi(server)

const uploads = () => readdirSync(join(server.running.services.config.dataDir, 'uploads'))

async function buildPublished() {
  const { instructor, students, courseId } = await buildCourse(api)
  const [student] = students as [Person]
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  const params = { assignmentId }
  await api.as(instructor).send(publishAssignment, { params })
  const send = (photos: { name: string; bytes: Buffer }[], signal?: AbortSignal) =>
    api.as(student).send(handInPhotos, { params, body: {}, files: { photos }, ...(signal && { signal }) })
  const rows = async () => (await api.as(instructor).send(listSubmissions, { params })).body
  return { instructor, student, assignmentId, params, send, rows }
}

it('stores photos as one PDF, in their order, which the teacher finds as the student’s paper', async () => {
  const { instructor, params, send, rows } = await buildPublished()
  const jpeg = await drawPhotoJpeg(await drawEssay(1), { seed: 4, table: 'dark', width: 600 })
  const reply = await send([
    { name: 'IMG_1.jpg', bytes: jpeg },
    { name: 'IMG_2.HEIC', bytes: heicPicture() },
  ])
  expect(reply.status).toBe(201)
  expect(reply.body).toMatchObject({
    paper: { file_name: 'Photos (2 pages).pdf', handed_in_by: 'student' },
    whole_pages: [2],
  })
  const [row] = await rows()
  const ids = { params: { ...params, submissionId: row?.id ?? 0 } }
  expect((await api.as(instructor).send(getSubmissionFile, ids)).status).toBe(200)
  const stored = await SubmissionModel.findById(row?.id).lean()
  const pdf = await readFile(await server.running.services.files.localPath(stored?.file.hash ?? ''), 'latin1')
  expect(pdf).toMatch(/^%PDF-1\.4/)
  expect([pdf.match(/\/Type \/Page\b(?!s)/g)?.length, pdf.includes('Phone')]).toEqual([2, false])
  // The photo upright, then the picture that lies.
  const sizes = [...pdf.matchAll(/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, x, y]) => Number(x) < Number(y))
  expect(sizes).toEqual([true, false])
  expect(uploads()).toEqual([])
})

it('names the photos that cannot become a page, and stores nothing', async () => {
  const { send, rows } = await buildPublished()
  const broken = heicPicture().subarray(0, heicPicture().length - 60)
  const reply = await send([
    { name: 'good.heic', bytes: heicPicture() },
    { name: 'cut.heic', bytes: broken },
  ])
  expect(reply.status).toBe(422)
  expect(JSON.stringify(reply.body)).toContain('cut.heic: This picture is damaged')
  expect(JSON.stringify((await send([{ name: 'a.jpg', bytes: Buffer.from('%PDF-1.7') }])).body)).toContain(
    'a.jpg: Only JPEG, PNG, WebP and HEIC pictures are allowed',
  )
  expect(await rows()).toEqual([])
})

it('takes no photos after the assignment has closed', async () => {
  const { assignmentId, send } = await buildPublished()
  const past = new Date(Date.now() - 3_600_000)
  await AssignmentModel.updateOne({ _id: assignmentId }, { $set: { due_at: past, closes_at: past } })
  expect((await send([{ name: 'a.heic', bytes: heicPicture() }])).body).toMatchObject({
    error_code: 'hand_in_refused',
  })
})

it('leaves a paper handed in while the photos were being converted, and says so', async () => {
  const { student, params, send } = await buildPublished()
  const file = [{ name: 'newer.pdf', bytes: await drawPaper({ full_name: 'Someone' }, correctAnswers) }]
  meanwhile = async () => {
    const newer = await api.as(student).send(handInPaper, { params, body: {}, files: { file } })
    expect(newer.status).toBe(201)
  }
  const reply = await send([{ name: 'older.heic', bytes: heicPicture() }])
  expect(reply).toMatchObject({ status: 409, body: { error_code: 'hand_in_refused' } })
  expect(reply.body.message).toContain('You handed in another paper after this one')
  expect((await api.as(student).send(getStudentAssignment, { params })).body).toMatchObject({
    paper: { file_name: 'newer.pdf' },
    earlier_attempts: [],
  })
})

it('stores nothing of photos whose sending was stopped during conversion, and opens no more of them', async () => {
  const { send, rows } = await buildPublished()
  const stop = new AbortController()
  let opened = 0
  meanwhile = async (signal) => {
    opened++
    stop.abort()
    if (signal && !signal.aborted) await once(signal, 'abort')
  }
  const photos = ['a.heic', 'b.heic'].map((name) => ({ name, bytes: heicPicture() }))
  await expect(send(photos, stop.signal)).rejects.toThrow()
  // The uploads are deleted when the request has come to its end.
  await vi.waitFor(() => expect(uploads()).toEqual([]), { timeout: 10_000 })
  expect([opened, await rows()]).toEqual([1, []])
})
