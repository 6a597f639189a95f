import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createAssignment, deleteAssignment, listAssignments, publishAssignment } from '@assay/shared/assignments.ts'
import { removeStudent } from '@assay/shared/courses.ts'
import { getSubmissionFile, listSubmissions, uploadSubmission, uploadSubmissions } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { hashOf } from '../../lib/security/hash-of.ts'
import { sweepFiles } from '../../maintenance/sweep-orphans.ts'
import { ReadingModel } from '../../records/submissions/reading.model.ts'
import {
  buildAssignment,
  buildCourse,
  correctAnswers,
  drawPaper,
  enrol,
  quizFiles,
} from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

const { api, server } = useTestApi()

const pdf = (text: string) => `%PDF-1.7\n% ${text}\n`
const dataDir = () => server.running.services.config.dataDir
const uploadsLeft = () => readdir(server.running.services.uploadFolder)
const keptFiles = async () =>
  (await readdir(join(dataDir(), 'papers'), { recursive: true }).catch(() => [])).filter((name) =>
    name.endsWith('.pdf'),
  )

describe('creating an assignment', () => {
  it('names every rejected file with its reason, and stores nothing', async () => {
    const { instructor, courseId } = await buildCourse(api)
    const before = await keptFiles()
    const refused = await api.as(instructor).send(createAssignment, {
      body: { name: 'Quiz', course_id: courseId },
      files: {
        blank_pdf: [{ name: 'blank.pdf', bytes: pdf('fine') }],
        answer_key_pdf: [{ name: 'key.pdf', bytes: 'PK\u0003\u0004 a Word document, whatever its name says' }],
        student_submission_pdfs: [
          { name: 'ada.pdf', bytes: pdf('ada') },
          { name: 'empty.pdf', bytes: '' },
          { name: 'huge.pdf', bytes: Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(50 * 1024 * 1024)]) },
        ],
      },
    })
    expect(refused.status).toBe(422)
    expect(refused.body.message).toBe(
      'Some files were rejected: key.pdf: Only PDF files are allowed; ' +
        'empty.pdf: The file is empty. Export it as PDF and upload it again.; huge.pdf: File size must be less than 50MB',
    )
    expect(refused.body.validation_errors?.map(({ field }) => field)).toEqual([
      'answer_key_pdf',
      'student_submission_pdfs.1',
      'student_submission_pdfs.2',
    ])
    expect(refused.body.detail).toHaveLength(3)
    expect((await api.as(instructor).send(listAssignments)).body).toEqual([])
    expect(await keptFiles()).toEqual(before)
    expect(await uploadsLeft()).toEqual([])
  })

  it('accepts a file of just under 50 MB, and a PDF without the ending .pdf', async () => {
    const { instructor } = await buildCourse(api)
    const whole = Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(50 * 1024 * 1024 - 9)])
    const made = await api
      .as(instructor)
      .send(createAssignment, {
        body: { name: 'Quiz' },
        files: {
          blank_pdf: [{ name: 'scan0001', bytes: pdf('blank') }],
          answer_key_pdf: [{ name: 'key.txt', bytes: whole }],
        },
      })
    expect(made.status).toBe(201)
  })

  it('names missing fields, and stores nothing', async () => {
    const { instructor } = await buildCourse(api)
    const { blank, key } = await quizFiles()
    const noKey = await api
      .as(instructor)
      .send(createAssignment, { body: { name: 'Q' }, files: { blank_pdf: [blank] } })
    const message = 'Assignment name, blank assignment PDF, and answer key PDF are required.'
    expect(noKey).toMatchObject({ status: 400, body: { detail: message } })
    const noName = await api
      .as(instructor)
      .send(createAssignment, { body: { name: '  ' }, files: { blank_pdf: [blank], answer_key_pdf: [key] } })
    expect(noName).toMatchObject({ status: 422, body: { validation_errors: [{ field: 'name', message }] } })
    expect(await uploadsLeft()).toEqual([])
  })

  it('leaves nothing behind when the upload is aborted', async () => {
    const { instructor } = await buildCourse(api)
    const upload = await api.as(instructor).startUpload(createAssignment, {}, 'blank_pdf')
    upload.body.write('%PDF-1.7')
    await expect.poll(uploadsLeft).toHaveLength(1)
    upload.abort.abort()
    await expect(upload.reply).rejects.toThrow()
    await expect.poll(uploadsLeft).toEqual([])
  })
})

describe('a paper', () => {
  it('is stored once however often it is uploaded, and the same file of the same student is one submission', async () => {
    const { instructor, courseId, students } = await buildCourse(api)
    const [ada, ben] = students
    const bytes = await drawPaper({ full_name: 'Ada' }, [randomBytes(8).toString('hex'), '', ''])
    const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [
      { name: `${ada?.username}.pdf`, bytes },
    ])
    const before = (await keptFiles()).length
    const again = await api
      .as(instructor)
      .send(uploadSubmissions, {
        params: { assignmentId },
        files: { files: [ada, ben, ada].map((student) => ({ name: `${student?.username}.pdf`, bytes })) },
      })
    expect(again.status).toBe(201)
    const rows = await api.as(instructor).send(listSubmissions, { params: { assignmentId } })
    expect(rows.body.map((row) => row.student_identifier)).toEqual([ada?.username, ben?.username])
    expect((await keptFiles()).length).toBe(before)
  })

  it('is downloaded byte for byte, whole or by range', async () => {
    const { instructor } = await buildCourse(api)
    const bytes = await drawPaper({ full_name: 'Ada' }, correctAnswers)
    const { assignmentId, submissionIds } = await buildAssignment(api, { instructor }, [{ name: 'a “b”.pdf', bytes }])
    const params = { assignmentId, submissionId: submissionIds[0] ?? 0 }
    const url = `${server.running.url}/api/v1/assignments/${assignmentId}/submissions/${params.submissionId}/file`
    const authorization = `Bearer ${await api.as(instructor).token()}`
    const whole = await fetch(url, { headers: { authorization } })
    const hash = hashOf
    expect(hash(new Uint8Array(await whole.arrayBuffer()))).toBe(hash(bytes))
    const ranges: [string, number, Buffer][] = [
      ['bytes=0-9', 206, bytes.subarray(0, 10)],
      ['bytes=-5', 206, bytes.subarray(-5)],
      [`bytes=${bytes.length - 3}-`, 206, bytes.subarray(-3)],
    ]
    for (const [range, status, expected] of ranges) {
      const part = await fetch(url, { headers: { authorization, range } })
      expect([part.status, Buffer.from(await part.arrayBuffer()).equals(expected)]).toEqual([status, true])
    }
    const beyond = await fetch(url, { headers: { authorization, range: `bytes=${bytes.length}-` } })
    expect(beyond.status).toBe(416)
    expect((await api.nobody.send(getSubmissionFile, { params })).status).toBe(401)
  })

  it('is deleted with the assignment, unless another assignment has the same file', async () => {
    const { instructor } = await buildCourse(api)
    const shared = { name: 'same.pdf', bytes: await drawPaper({ full_name: randomBytes(4).toString('hex') }, []) }
    const first = await buildAssignment(api, { instructor }, [shared])
    const second = await buildAssignment(api, { instructor }, [shared])
    const hash = hashOf(shared.bytes)
    const { services } = server.running
    const later = { ...services, clock: { now: () => new Date(Date.now() + 2 * 3600_000) } }
    await ReadingModel.create({ _id: hash, reader_version: 1, paper: { pages: [] }, read_at: new Date() })

    await api.as(instructor).send(deleteAssignment, { params: { assignmentId: first.assignmentId } })
    await sweepFiles(later)
    expect(await services.files.size(hash)).not.toBeNull()
    await api.as(instructor).send(deleteAssignment, { params: { assignmentId: second.assignmentId } })
    await sweepFiles(services)
    expect(await services.files.size(hash)).not.toBeNull() // Young: it may be about to be referred to.
    await sweepFiles(later, AbortSignal.abort())
    expect(await services.files.size(hash)).not.toBeNull() // The process is stopping.
    await sweepFiles(later)
    expect(await services.files.size(hash)).toBeNull()
    expect(await ReadingModel.findById(hash).lean()).toBeNull()
  })

  it('is required', async () => {
    const { instructor } = await buildCourse(api)
    const { assignmentId } = await buildAssignment(api, { instructor }, [])
    for (const endpoint of [uploadSubmission, uploadSubmissions]) {
      const reply = await api.as(instructor).send(endpoint, { params: { assignmentId }, files: {} })
      expect(reply).toMatchObject({ status: 400, body: { detail: 'Please select files to upload' } })
    }
  })
})

it('lets a student open their paper only while they are enrolled', async () => {
  const { instructor, courseId, students } = await buildCourse(api)
  const [ada] = students
  if (!ada) throw new Error('two students')
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: `${ada.username}.pdf`, bytes: await drawPaper({ full_name: 'Ada' }, correctAnswers) },
  ])
  await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
  const params = { assignmentId, submissionId: submissionIds[0] ?? 0 }
  const open = async () => (await api.as(ada).send(getSubmissionFile, { params })).status
  expect(await open()).toBe(200)
  await api.as(instructor).send(removeStudent, { params: { courseId, userId: ada.id } })
  expect(await open()).toBe(404)
  await enrol(courseId, ada)
  expect(await open()).toBe(200)
})
