import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAssignment } from '@assay/shared/assignments.ts'
import { confirmClassScan, editClassScan, getClassScan } from '@assay/shared/class-scans.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, it } from 'vitest'
import { drawExam } from '../../../../tests/papers/class-stack.ts'
import { nextId } from '../../lib/database/database.ts'
import {
  type ClassScanDoc,
  ClassScanModel,
  ClassScanPageModel,
  type ProposedPaperDoc,
} from '../../records/submissions/class-scan.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { createTestApi, type Person } from '../../testing/api.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { useServer } from '../../testing/server.ts'
import { newPaper } from './propose-papers.ts'

const server = useServer()
const api = createTestApi(server)

/** A scan whose pages were all looked at: a paper of one page each, as far as nothing else is said. */
async function buildScan(more: Partial<ProposedPaperDoc>[], state: ClassScanDoc['state'] = 'ready') {
  const { instructor: teacher, students, courseId } = await buildCourse(api, { students: 3 })
  const blank = { name: 'blank.pdf', bytes: (await drawExam('Science', 5)).pdf }
  const created = await api.as(teacher).send(createAssignment, {
    body: { name: 'Science', course_id: courseId },
    files: { blank_pdf: [blank], answer_key_pdf: [blank] },
  })
  const assignmentId = created.body.id
  const stack = await storeStack(more.length)
  const scanId = await nextId('class_scans')
  const papers = more.map((one, i) => ({
    ...newPaper([{ key: `page-${i}`, page: i + 1, turn: 0, blank_page: 1, doubts: [] }]),
    ...one,
  }))
  await ClassScanPageModel.insertMany(papers.map((_, i) => pageOf(scanId, i + 1)))
  await ClassScanModel.create({
    _id: scanId,
    assignment_id: assignmentId,
    created_by: teacher.id,
    created_at: new Date(),
    state,
    failure: null,
    files: [{ ...stack, name: 'copier.pdf', pages: papers.length }],
    progress: { step: 'pages', done: papers.length, total: papers.length },
    proposal: { papers, dropped: [], split: { by: 'blank', pages_per_paper: null } },
    revision: 0,
  })
  return { teacher, students, courseId, assignmentId, scanId, params: { assignmentId, scanId } }
}

const pageOf = (scanId: number, page: number) => ({
  _id: `${scanId}/${page}`,
  scan_id: scanId,
  page,
  file: 0,
  number: page,
  turn: 0,
  empty: false,
  blank_page: 1,
  sure: true,
  picture: Buffer.from('picture'),
  written: null,
  hints: [],
})

async function storeStack(pages: number): Promise<{ hash: string; size: number }> {
  const pdf = await PDFDocument.create()
  for (let i = 0; i < pages; i += 1)
    pdf.addPage([300, 400]).drawText(`Page ${i + 1} ${Math.random()}`, { x: 20, y: 300 })
  const bytes = await pdf.save()
  const hash = createHash('sha256').update(bytes).digest('hex')
  const { files, config } = server.running.services
  const path = join(config.dataDir, `${hash}.pdf`)
  await writeFile(path, bytes)
  await files.store(path, hash)
  return { hash, size: bytes.length }
}

type Scan = Awaited<ReturnType<typeof buildScan>>

async function confirm({ teacher, params, scanId }: Scan, state = 'confirmed') {
  const scan = await api.as(teacher).send(getClassScan, { params })
  const reply = await api.as(teacher).send(confirmClassScan, { params, body: { revision: scan.body.revision } })
  expect(reply.status).toBe(202)
  await expect.poll(async () => (await ClassScanModel.findById(scanId).lean())?.state, { timeout: 20_000 }).toBe(state)
}

const stored = ({ assignmentId }: Scan) =>
  SubmissionModel.find({ assignment_id: assignmentId }).sort({ 'file.name': 1 }).lean()

const setStudent = ({ teacher, params }: Scan, { id }: Person, index = 0) =>
  ClassScanModel.findById(params.scanId)
    .lean()
    .then((scan) =>
      api.as(teacher).send(editClassScan, {
        params,
        body: {
          revision: scan?.revision ?? 0,
          edit: { kind: 'student', paper: scan?.proposal.papers[index]?.key ?? '', student_id: id },
        },
      }),
    )

it('gives a paper to nobody outside the course, neither on request nor when it is made', async () => {
  const stranger = await buildPerson('student', { full_name: 'Somebody Else' })
  const scan = await buildScan([{}])
  const refused = await setStudent(scan, stranger)
  expect(refused).toMatchObject({ status: 422, body: { validation_errors: [{ field: 'edit.student_id' }] } })
  expect((await ClassScanModel.findById(scan.scanId).lean())?.proposal.papers[0]?.student_id).toBe(null)
  // As one who left the course after they were chosen.
  await ClassScanModel.updateOne(
    { _id: scan.scanId },
    { $set: { 'proposal.papers.0.student_id': stranger.id, 'proposal.papers.0.student_by': 'teacher' } },
  )
  await confirm(scan)
  const [paper] = await stored(scan)
  expect(paper).toMatchObject({ student_id: null })
  expect(paper?.student_identifier).not.toContain(stranger.username)
})
