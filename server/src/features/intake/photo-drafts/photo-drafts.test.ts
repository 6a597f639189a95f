import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { deleteAssignment } from '@assay/shared/assignments.ts'
import {
  changePhoto,
  deletePhotoDraft,
  getPhotoPicture,
  handInPhotos,
  orderPhotos,
  removePhoto,
  uploadPhotos,
} from '@assay/shared/photo-drafts.ts'
import { getStudentAssignment, handInPaper } from '@assay/shared/students.ts'
import { getSubmissionFile } from '@assay/shared/submissions.ts'
import sharp from 'sharp'
import { afterEach, expect, it, vi } from 'vitest'
import { drawEssay } from '../../../../../tests/papers/draw-essay.ts'
import { heicPicture } from '../../../../../tests/papers/heic-picture.ts'
import { drawPhotoJpeg } from '../../../../../tests/papers/photo.ts'
import { sweepFiles } from '../../../maintenance/sweep-orphans.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { filesOfDraft, PhotoDraftModel } from '../../../records/submissions/photo-draft.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { correctAnswers, drawPaper } from '../../../testing/build-course.ts'
import { buildPhotoAssignment } from '../../../testing/build-photo-assignment.ts'
import { createCachedPaperReader } from '../../../testing/cached-paper-reader.ts'
import { createTestApi, useServer } from '../../../testing/server.ts'

/** A test may do something else while a photo becomes a page. */
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

const uploads = () => readdirSync(server.running.services.uploadFolder)
const drawnPhoto = async (seed = 4) => drawPhotoJpeg(await drawEssay(1), { seed, table: 'dark', width: 600 })

const buildPublished = () => buildPhotoAssignment(api)

it('stores photos as one PDF, in the order chosen, with the photos beside it, and the teacher finds it', async () => {
  const { instructor, student, params, mine, rows } = await buildPublished()
  await mine.add('IMG_2.HEIC', heicPicture())
  const { pages } = (await mine.add('IMG_1.jpg', await drawnPhoto())).body
  expect(pages.map(({ file_name, doubts }) => [file_name, doubts])).toEqual([
    ['IMG_2.HEIC', ['no_edges']],
    ['IMG_1.jpg', ['far']],
  ])
  const keys = pages.map(({ key }) => key).reverse()
  await api.as(student).send(orderPhotos, { params, body: { keys } })
  const reply = await mine.handIn()
  expect(reply.status).toBe(201)
  expect(reply.body.paper).toEqual({ file_name: 'Photos (2 pages).pdf', handed_in_by: 'student' })
  const [row] = await rows()
  const ids = { params: { ...params, submissionId: row?.id ?? 0 } }
  expect((await api.as(instructor).send(getSubmissionFile, ids)).status).toBe(200)
  const stored = await SubmissionModel.findById(row?.id).lean()
  const { files } = server.running.services
  const pdf = await readFile(await files.localPath(stored?.file.hash ?? ''), 'latin1')
  expect(pdf).toMatch(/^%PDF-1\.4/)
  expect([pdf.match(/\/Type \/Page\b(?!s)/g)?.length, pdf.includes('Phone')]).toEqual([2, false])
  const sizes = [...pdf.matchAll(/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, x, y]) => Number(x) < Number(y))
  expect(sizes).toEqual([true, false])
  expect(stored?.file.photos?.map(({ type }) => type)).toEqual(['jpeg', 'heic'])
  for (const photo of stored?.file.photos ?? []) {
    const original = await readFile(await files.localPath(photo.hash), 'latin1')
    expect([original.length, original.includes('Phone')]).toEqual([photo.size, false])
  }
  expect(await mine.draft()).toMatchObject({ id: null, pages: [] })
  expect(uploads()).toEqual([])
})

it('adds a photo once, however often its upload is repeated, also at the same time', async () => {
  const { mine } = await buildPublished()
  const key = randomUUID()
  const sent = await Promise.all([1, 2, 3].map(() => mine.add('a.heic', heicPicture(), { key })))
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200])
  await mine.add('a.heic', heicPicture(), { key })
  await Promise.all(['b', 'c', 'd'].map((name) => mine.add(`${name}.heic`, heicPicture())))
  expect((await mine.draft()).pages.map(({ file_name }) => file_name).sort()).toEqual([
    'a.heic',
    'b.heic',
    'c.heic',
    'd.heic',
  ])
})

it('hands photos in once, however often that is repeated, also after another paper has replaced them', async () => {
  const { student, params, mine, rows } = await buildPublished()
  await mine.add('a.heic', heicPicture())
  const { id, revision } = await mine.draft()
  const body = { draft_id: id ?? '', revision }
  const send = () => api.as(student).send(handInPhotos, { params, body })
  expect((await Promise.all([send(), send()])).map(({ status }) => status)).toEqual([201, 201])
  expect((await send()).status).toBe(201)
  const file = [{ name: 'newer.pdf', bytes: await drawPaper({ full_name: 'Someone' }, correctAnswers) }]
  await api.as(student).send(handInPaper, { params, body: {}, files: { file } })
  expect((await send()).body.paper?.file_name).toBe('newer.pdf')
  expect(await rows()).toMatchObject([{ file_name: 'newer.pdf', earlier_attempts: 1 }])
})

it('crops and turns a page, shows it, and hands in what was shown', async () => {
  const { student, params, mine } = await buildPublished()
  const added = await mine.add('a.jpg', await drawnPhoto())
  const [page] = added.body.pages
  const at = { ...params, key: page?.key ?? '' }
  const size = async (of: 'sheet' | 'photo') => {
    const { bytes } = await api.as(student).send(getPhotoPicture, { params: at, query: { of } })
    const { width, height } = await sharp(bytes).metadata()
    return { width, height }
  }
  const before = await size('sheet')
  expect(before.width).toBeLessThan(before.height)
  expect(await size('photo')).toEqual({ width: 600, height: 800 })
  const turned = await api
    .as(student)
    .send(changePhoto, { params: at, body: { corners: page?.corners ?? null, turns: 1 } })
  expect(turned.body.pages).toMatchObject([{ turns: 1, doubts: page?.doubts }])
  expect(turned.body.pages[0]?.version).not.toBe(page?.version)
  expect(await size('sheet')).toEqual({ width: before.height, height: before.width })
  const whole = await api.as(student).send(changePhoto, { params: at, body: { corners: null, turns: 0 } })
  expect(whole.body.pages).toMatchObject([{ corners: null, turns: 0, doubts: [] }])
  expect(await size('sheet')).toEqual({ width: 600, height: 800 })
  const body = { draft_id: added.body.id ?? '', revision: turned.body.revision }
  expect((await api.as(student).send(handInPhotos, { params, body })).body).toMatchObject({ error_code: 'conflict' })
  expect((await mine.handIn()).status).toBe(201)
})

it('makes a page of each of two sheets in one photo, in the order they are read in', async () => {
  const { mine } = await buildPublished()
  const halves = [await drawnPhoto(4), await drawnPhoto(5)].map((input, i) => ({ input, left: 600 * i, top: 0 }))
  const table = sharp({ create: { width: 1200, height: 800, channels: 3, background: '#222' } })
  const { pages } = (await mine.add('both.jpg', await table.composite(halves).jpeg().toBuffer())).body
  expect(pages.map(({ corners }) => corners?.map(([x]) => x > 0.5))).toEqual([
    Array<boolean>(4).fill(false),
    Array<boolean>(4).fill(true),
  ])
  expect((await mine.handIn()).body.paper).toMatchObject({ file_name: 'Photos (2 pages).pdf' })
})

it('refuses corners that are no sheet’s', async () => {
  const { student, params, mine } = await buildPublished()
  const [page] = (await mine.add('a.heic', heicPicture())).body.pages
  const line: [number, number] = [0.5, 0.5]
  const reply = await api
    .as(student)
    .send(changePhoto, {
      params: { ...params, key: page?.key ?? '' },
      body: { corners: [line, line, line, line], turns: 0 },
    })
  expect(reply).toMatchObject({ status: 422, body: { error_code: 'files_refused' } })
  expect(reply.text).toContain('These corners')
})

it('shows nobody another’s photos', async () => {
  const { instructor, student, classmate, params, by, mine } = await buildPublished()
  const [page] = (await mine.add('a.heic', heicPicture())).body.pages
  const at = { ...params, key: page?.key ?? '' }
  for (const other of [classmate, instructor]) {
    expect((await by(other).draft()).pages).toEqual([])
    expect((await api.as(other).send(getPhotoPicture, { params: at })).status).toBe(404)
    expect((await api.as(other).send(changePhoto, { params: at, body: { corners: null, turns: 1 } })).status).toBe(404)
    await api.as(other).send(removePhoto, { params: at })
    await api.as(other).send(orderPhotos, { params, body: { keys: [at.key] } })
    await api.as(other).send(deletePhotoDraft, { params })
  }
  const { id, revision } = await mine.draft()
  const stolen = { draft_id: id ?? '', revision }
  expect((await api.as(classmate).send(handInPhotos, { params, body: stolen })).status).toBe(409)
  const body = { ...stolen, student_id: classmate.id }
  expect((await api.as(instructor).send(uploadPhotos, { params, body })).status).toBe(409)
  expect((await mine.draft()).pages).toEqual([page])
  expect((await api.as(student).send(removePhoto, { params: at })).body.pages).toEqual([])
})

it('names a photo that cannot become a page, and stores nothing of it', async () => {
  const { mine } = await buildPublished()
  const cut = await mine.add('cut.heic', heicPicture().subarray(0, heicPicture().length - 60))
  expect(cut.status).toBe(422)
  expect(cut.text).toContain('cut.heic: This picture is damaged')
  expect((await mine.add('a.jpg', Buffer.from('%PDF-1.7'))).text).toContain(
    'a.jpg: Only JPEG, PNG, WebP and HEIC pictures are allowed',
  )
  expect((await mine.draft()).pages).toEqual([])
  expect(uploads()).toEqual([])
})

it('takes no photos after the assignment has closed, and lets them be deleted', async () => {
  const { assignmentId, student, params, mine } = await buildPublished()
  await mine.add('a.heic', heicPicture())
  const past = new Date(Date.now() - 3_600_000)
  await AssignmentModel.updateOne({ _id: assignmentId }, { $set: { due_at: past, closes_at: past } })
  expect((await mine.add('b.heic', heicPicture())).body).toMatchObject({ error_code: 'hand_in_refused' })
  expect((await mine.handIn()).body).toMatchObject({ error_code: 'hand_in_refused' })
  expect((await api.as(student).send(deletePhotoDraft, { params })).body.pages).toEqual([])
  expect(await mine.draft()).toMatchObject({ id: null })
})

it('leaves a paper handed in meanwhile as an earlier attempt', async () => {
  const { student, params, mine } = await buildPublished()
  await mine.add('a.heic', heicPicture())
  const file = [{ name: 'first.pdf', bytes: await drawPaper({ full_name: 'Someone' }, correctAnswers) }]
  await api.as(student).send(handInPaper, { params, body: {}, files: { file } })
  expect((await mine.handIn()).status).toBe(201)
  expect((await api.as(student).send(getStudentAssignment, { params })).body).toMatchObject({
    paper: { file_name: 'Photos (1 page).pdf' },
    earlier_attempts: [{ file_name: 'first.pdf' }],
  })
})

it('adds nothing of a photo whose sending was stopped', async () => {
  const { mine } = await buildPublished()
  const stop = new AbortController()
  meanwhile = async (signal) => {
    stop.abort()
    if (signal && !signal.aborted) await once(signal, 'abort')
  }
  await expect(mine.add('a.heic', heicPicture(), { signal: stop.signal })).rejects.toThrow()
  await vi.waitFor(() => expect(uploads()).toEqual([]), { timeout: 180_000 })
  expect((await mine.draft()).pages).toEqual([])
})

it('retains files of drafts in a sweep, and none of a deleted assignment', async () => {
  const { instructor, assignmentId, params, mine } = await buildPublished()
  await mine.add('a.jpg', await drawnPhoto(5))
  const draft = await PhotoDraftModel.findOne({ assignment_id: assignmentId }).lean()
  const hashes = draft ? filesOfDraft(draft) : []
  expect(hashes).toHaveLength(4)
  const { services } = server.running
  const later = { ...services, clock: { ...services.clock, now: () => new Date(Date.now() + 2 * 3_600_000) } }
  const stored = () => Promise.all(hashes.map((hash) => services.files.size(hash)))
  await sweepFiles(later)
  expect(await stored()).not.toContain(null)
  await api.as(instructor).send(deleteAssignment, { params })
  await sweepFiles(later)
  expect(await stored()).toEqual([null, null, null, null])
})

it('lets a teacher upload photos as a student’s paper, once', async () => {
  const { instructor, student, params, by, rows } = await buildPublished()
  await by(instructor).add('a.heic', heicPicture())
  const { id, revision } = await by(instructor).draft()
  const body = { draft_id: id ?? '', revision, student_id: student.id, is_handwritten: true }
  const send = () => api.as(instructor).send(uploadPhotos, { params, body })
  expect(await send()).toMatchObject({ status: 201, body: { is_handwritten: true, handed_in_by: 'teacher' } })
  expect((await send()).status).toBe(201)
  expect(await rows()).toMatchObject([{ student: { id: student.id }, file_name: 'Photos (1 page).pdf' }])
  expect((await by(instructor).draft()).pages).toEqual([])
})
