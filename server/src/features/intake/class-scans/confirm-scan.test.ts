import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { confirmClassScan, editClassScan, getClassScan } from '@assay/shared/class-scans.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, it } from 'vitest'
import { drawExam } from '../../../../../tests/papers/class-stack.ts'
import { nextId } from '../../../lib/database/database.ts'
import { sweepOrphans } from '../../../maintenance/sweep-orphans.ts'
import {
  type ClassScanDoc,
  ClassScanModel,
  ClassScanPageModel,
  type ProposedPaperDoc,
} from '../../../records/submissions/class-scan.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildCourse, buildPerson } from '../../../testing/build-course.ts'
import { createExam } from '../../../testing/scanned-class.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'
import { analyseScan } from './analyse-scan.ts'
import { deleteClassScansOf } from './class-scan.service.ts'
import { makePapers } from './class-scan-jobs.ts'
import { newPaper } from './propose-papers.ts'

const { api, server } = useTestApi()

/** A scan whose pages were all looked at: a paper of one page each, as far as nothing else is said. */
async function buildScan(more: Partial<ProposedPaperDoc>[], state: ClassScanDoc['state'] = 'ready') {
  const { instructor: teacher, students, courseId } = await buildCourse(api, { students: 3 })
  const assignmentId = await createExam(api.as(teacher), courseId, (await drawExam('Science', 5)).pdf)
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
  const pdf = await PDFDocument.create({ updateMetadata: false })
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
  await expect.poll(async () => (await ClassScanModel.findById(scanId).lean())?.state).toBe(state)
}

const stored = ({ assignmentId }: Scan) =>
  SubmissionModel.find({ assignment_id: assignmentId }).sort({ 'file.name': 1 }).lean()

const setStudent = ({ teacher, params }: Scan, { id }: Person, index = 0) =>
  ClassScanModel.findById(params.scanId)
    .lean()
    .then((scan) =>
      api
        .as(teacher)
        .send(editClassScan, {
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
  await ClassScanModel.updateOne(
    { _id: scan.scanId },
    { $set: { 'proposal.papers.0.student_id': stranger.id, 'proposal.papers.0.student_by': 'teacher' } },
  )
  await confirm(scan)
  const [paper] = await stored(scan)
  expect(paper).toMatchObject({ student_id: null })
  expect(paper?.student_identifier).not.toContain(stranger.username)
})

it('lets no page or paper outlive a scan deleted while it is worked on', async () => {
  const { services } = server.running
  // Another process: it cannot abort the job here, which goes on until it asks.
  const elsewhere = { jobs: { cancel: async () => {} } }
  const looking = await buildScan([{}], 'analysing')
  await ClassScanPageModel.deleteMany({ scan_id: looking.scanId })
  const doc = await ClassScanModel.findByIdAndUpdate(looking.scanId, { $set: { 'proposal.papers': [] } }).lean()
  if (!doc) throw new Error('stored above')
  const scanPages: typeof services.papers.scanPages = async (...args) => {
    const found = await services.papers.scanPages(...args)
    await deleteClassScansOf(looking.assignmentId, elsewhere)
    return found
  }
  const papers = { ...services.papers, scanPages }
  await expect(analyseScan(doc, { ...services, papers }, new AbortController().signal)).rejects.toThrow('cancelled')
  expect(await ClassScanPageModel.countDocuments({ scan_id: looking.scanId })).toBe(0)

  const confirming = await buildScan([{}], 'confirming')
  const [student] = confirming.students
  await ClassScanModel.updateOne(
    { _id: confirming.scanId },
    { $set: { 'proposal.papers.0.student_id': student?.id, 'proposal.papers.0.student_by': 'teacher' } },
  )
  const confirmed = await ClassScanModel.findById(confirming.scanId).lean()
  if (!confirmed) throw new Error('stored above')
  const compose: typeof services.papers.compose = async (...args) => {
    const made = await services.papers.compose(...args)
    await deleteClassScansOf(confirming.assignmentId, elsewhere)
    return made
  }
  const erased = { ...services, papers: { ...services.papers, compose } }
  await makePapers(confirmed, erased, new AbortController().signal)
  expect(await stored(confirming)).toEqual([])
})

it('sweeps what was seen on pages of a scan that is gone, and keeps that of others', async () => {
  const [gone, open] = [await buildScan([{}]), await buildScan([{}])]
  await ClassScanModel.deleteOne({ _id: gone.scanId })
  await sweepOrphans(server.running.services)
  expect(await ClassScanPageModel.distinct('scan_id', { scan_id: { $in: [gone.scanId, open.scanId] } })).toEqual([
    open.scanId,
  ])
})

it('cancels what is under way for a scan before it is deleted with its assignment', async () => {
  const scan = await buildScan([{}], 'analysing')
  const before: number[] = []
  const cancel = async () => {
    before.push(await ClassScanModel.countDocuments({ _id: scan.scanId }))
  }
  await deleteClassScansOf(scan.assignmentId, { jobs: { cancel } })
  expect(before).toEqual([1])
})

it('says that a teacher gave a paper to a student only where one chose or checked', async () => {
  const scan = await buildScan([{}, {}, {}, {}, {}])
  const [first, second, third] = scan.students
  const match = { student_by: 'match' as const, match_reason: 'name_on_paper' as const }
  const doubt = { ...match, student_doubt: 'The name was hard to read.' }
  const given = [
    { student_id: first?.id, student_by: 'teacher' },
    { ...match, student_id: second?.id },
    { ...doubt, student_id: third?.id, checked: true },
    { ...doubt, student_id: third?.id },
    { student_id: null, student_by: 'teacher' },
  ]
  for (const [i, one] of given.entries())
    for (const [name, value] of Object.entries(one))
      await ClassScanModel.updateOne({ _id: scan.scanId }, { $set: { [`proposal.papers.${i}.${name}`]: value } })
  await confirm(scan)
  const made = await stored(scan)
  expect(
    made.map(({ student_id, student_set_by, match_reason }) => [student_id, student_set_by, match_reason]),
  ).toEqual([
    [first?.id, 'teacher', undefined],
    [second?.id, undefined, 'name_on_paper'],
    [third?.id, 'teacher', undefined],
    [null, undefined, undefined],
    [null, 'teacher', undefined],
  ])
})

it('makes the other papers where one cannot be made, and gives that back to be changed', async () => {
  const scan = await buildScan([{}, {}, {}])
  await ClassScanPageModel.updateOne({ _id: `${scan.scanId}/2` }, { $set: { number: 99 } })
  const { body: before } = await api.as(scan.teacher).send(getClassScan, { params: scan.params })
  const body = { revision: before.revision }
  await api.as(scan.teacher).send(confirmClassScan, { params: scan.params, body })
  await expect.poll(async () => (await stored(scan)).length).toBe(2)
  const open = async () => (await api.as(scan.teacher).send(getClassScan, { params: scan.params })).body
  await expect.poll(async () => (await open()).state).toBe('ready')
  const left = await open()
  expect(left.failure).toContain('1 paper could not be made')
  expect(left.papers.map(({ pages }) => pages.map(({ page }) => page))).toEqual([[2]])
  await ClassScanPageModel.updateOne({ _id: `${scan.scanId}/2` }, { $set: { number: 2 } })
  await confirm(scan)
  expect((await stored(scan)).length).toBe(3)
})
