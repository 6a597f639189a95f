import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { createCourse } from '@assay/shared/courses.ts'
import { ErrorReply } from '@assay/shared/http/errors.ts'
import { MAX_FILES_PER_UPLOAD } from '@assay/shared/rules/limits.ts'
import { uploadSubmissions } from '@assay/shared/submissions.ts'
import mongoose from 'mongoose'
import { describe, expect, it, vi } from 'vitest'
import { CourseModel } from '../../records/courses/course.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import {
  buildEmptyAssignment,
  buildGraded,
  buildPerson,
  correctAnswers,
  gradeAssignment,
} from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

const { api, server } = useTestApi()
const paper = () => ({ name: 'ada.pdf', bytes: `%PDF-1.7\n% ${randomBytes(8).toString('hex')}\n` })
const logged = () => vi.spyOn(server.running.services.log, 'error')

function outOfSpace() {
  const failure = new mongoose.mongo.MongoServerError({ message: 'the disk is full', code: 14031 })
  return Promise.reject(failure)
}

describe('an upload that fails', () => {
  it('by a fault of ours is not blamed on the caller, and is logged', async () => {
    const { instructor, params } = await buildEmptyAssignment(api)
    const folder = server.running.services.uploadFolder
    await rm(folder, { recursive: true })
    const error = logged()
    const reply = await api.as(instructor).send(uploadSubmissions, { params, files: { files: [paper()] } })
    expect([reply.status >= 500, reply.body.error_code]).toEqual([true, 'service_unavailable'])
    expect(error.mock.calls.map(([, text]) => text)).toContain('a request failed')
    error.mockRestore()
    await mkdir(folder)
  })

  it('by a broken form is the caller’s to mend', async () => {
    const { instructor, params } = await buildEmptyAssignment(api)
    const error = logged()
    // Not as a form, which the test's own fetch would make whole.
    const raw = { ...uploadSubmissions, files: undefined } as unknown as typeof uploadSubmissions
    const send = (body: string, type: string) =>
      api.as(instructor).send(raw, { params, body: body as never, headers: { 'content-type': type } })
    const head = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\n%PDF-1.7'
    for (const type of ['multipart/form-data; boundary=b', 'multipart/form-data']) {
      const reply = await send(head, type)
      expect([type, reply.status, reply.body.error_code]).toEqual([type, 400, 'bad_request'])
    }
    expect(error).not.toHaveBeenCalled()
    error.mockRestore()
  })
})

describe('the fields of a form, which are held in memory', () => {
  const sendFlags = async (are_handwritten: string[]) => {
    const { instructor, params } = await buildEmptyAssignment(api)
    const body = { are_handwritten } as never
    return api.as(instructor).send(uploadSubmissions, { params, body, files: { files: [paper()] } })
  }
  const flags = (count: number) => Array.from({ length: count }, () => 'false')

  it('may be as many as there are files, and no more than a form has', async () => {
    expect((await sendFlags(flags(MAX_FILES_PER_UPLOAD))).status).toBe(201)
    const reply = await sendFlags(flags(MAX_FILES_PER_UPLOAD + 51))
    expect([reply.status, reply.body.message]).toEqual([413, 'The form has more fields than any form of Assay.'])
  })

  it('are short', async () => {
    const reply = await sendFlags(['x'.repeat(5000)])
    expect([reply.status, reply.body.message]).toEqual([413, 'The field “are_handwritten” is too long. Shorten it.'])
  })
})

it('says that there is no room left before the disk is full, while papers are read and graded', async () => {
  const { instructor, teacher, assignmentId, params } = await buildGraded(api, [correctAnswers], { graded: false })
  const { config } = server.running.services
  const before = config.minFreeDiskBytes
  config.minFreeDiskBytes = Number.MAX_SAFE_INTEGER
  const files = { files: [paper()] }
  const reply = await teacher.send(uploadSubmissions, { params, files })
  expect([reply.status, reply.body.error_code, reply.body.message]).toEqual([
    507,
    'storage_full',
    'There is no disk space left to store this. Nothing was saved.',
  ])
  await gradeAssignment(api, instructor, assignmentId)
  config.minFreeDiskBytes = before
  expect((await teacher.send(uploadSubmissions, { params, files })).status).toBe(201)
})

it('stops an upload that does not say how long it is, and would leave no room', async () => {
  const { instructor, params } = await buildEmptyAssignment(api)
  const { config, uploadFolder: folder } = server.running.services
  const before = config.minFreeDiskBytes
  const upload = await api.as(instructor).startUpload(uploadSubmissions, params, 'files')
  upload.body.write('%PDF-1.7\n')
  await expect.poll(() => readdir(folder)).toHaveLength(1)
  // As when others fill the disk meanwhile.
  config.minFreeDiskBytes = Number.MAX_SAFE_INTEGER
  upload.body.write(Buffer.alloc(9 * 1024 * 1024, '\n'))
  upload.finish()
  const response = await upload.reply
  const reply = ErrorReply.parse(await response.json())
  config.minFreeDiskBytes = before
  expect([response.status, reply.error_code]).toEqual([507, 'storage_full'])
  await expect.poll(() => readdir(folder)).toEqual([])
  expect(await SubmissionModel.countDocuments({ assignment_id: params.assignmentId })).toBe(0)
})

it('says that there is no room left when it is the database that has none', async () => {
  const instructor = await buildPerson('instructor')
  const create = vi.spyOn(CourseModel, 'create').mockImplementation(outOfSpace as never)
  const reply = await api.as(instructor).send(createCourse, { body: { name: 'No room' } })
  expect([reply.status, reply.body.error_code]).toEqual([507, 'storage_full'])
  create.mockRestore()
})
