import {
  type ClassScan,
  type ClassScanEdit,
  confirmClassScan,
  deleteClassScan,
  editClassScan,
  getClassScan,
  getClassScanPage,
  listClassScans,
  splitClassScan,
  undoClassScanEdit,
  uploadClassScan,
} from '@assay/shared/class-scans.ts'
import { getSubmissionFile, listSubmissions } from '@assay/shared/submissions.ts'
import { PDFDocument } from 'pdf-lib'
import { beforeAll, expect, it, vi } from 'vitest'
import { drawClassStack, drawExam, type StackStudent } from '../../../../../tests/papers/class-stack.ts'
import {
  ClassScanModel,
  ClassScanPageModel,
  ClassScanStepModel,
} from '../../../records/submissions/class-scan.model.ts'
import { buildCourse, buildStudent } from '../../../testing/build-course.ts'
import { createExam } from '../../../testing/scanned-class.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'

const { api } = useTestApi()

const names: StackStudent[] = [
  { name: 'Henrietta Blackwood', number: '481920' },
  { name: 'Oluwaseun Adeyemi', number: '730164' },
  { name: 'Giulia Ferrante', number: '295873' },
]

interface World {
  teacher: Person
  assignmentId: number
  scanId: number
  students: Person[]
}

let world: World

/** Three papers of four pages: one without its third page, one shuffled, and a page of another exam. */
beforeAll(async () => {
  const { instructor: teacher, courseId } = await buildCourse(api, { students: 0 })
  const students = []
  for (const { name, number } of names)
    students.push(await buildStudent(courseId, { full_name: name, student_number: number }))
  const exam = await drawExam('Science, end of year examination', 5)
  const assignmentId = await createExam(api.as(teacher), courseId, exam.pdf)
  const stack = await drawClassStack({ students: names, seed: 4, dpi: 100, missing: [[1, 3]], foreign: 1, shuffled: 0 })
  const uploaded = await api
    .as(teacher)
    .send(uploadClassScan, { params: { assignmentId }, files: { files: [{ name: 'copier.pdf', bytes: stack }] } })
  expect(uploaded).toMatchObject({ status: 202, body: { state: 'analysing', pages: 12 } })
  world = { teacher, assignmentId, scanId: uploaded.body.id, students }
  await untilReady()
})

const paramsOf = () => ({ assignmentId: world.assignmentId, scanId: world.scanId })
const open = async (): Promise<ClassScan> =>
  (await api.as(world.teacher).send(getClassScan, { params: paramsOf() })).body
const untilReady = () =>
  vi.waitFor(async () => expect(await open()).toMatchObject({ state: 'ready', failure: null }), {
    timeout: 180_000,
    interval: 300,
  })
const change = (edit: ClassScanEdit, revision: number) =>
  api.as(world.teacher).send(editClassScan, { params: paramsOf(), body: { revision, edit } })
const pagesOf = (scan: ClassScan) => scan.papers.map(({ pages }) => pages.map(({ page }) => page))

it('names a file that cannot be read, and begins no scan', async () => {
  const { teacher, assignmentId } = world
  const files = { files: [{ name: 'half.pdf', bytes: Buffer.from('%PDF-1.7\n') }] }
  const refused = await api.as(teacher).send(uploadClassScan, { params: { assignmentId }, files })
  expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/half\.pdf: [^"]*damaged/)])
  expect((await api.as(teacher).send(listClassScans, { params: { assignmentId } })).body).toHaveLength(1)
})

it('proposes a paper for each student, and asks about the pages that are not plain', async () => {
  const scan = await open()
  const asked = scan.papers.flatMap(({ pages }) => pages.filter(({ doubts }) => doubts.length > 0))
  expect(asked.map(({ doubts }) => doubts[0])).toEqual([expect.stringContaining('not')])
  expect(
    scan.papers.map(({ pages }) => pages.flatMap(({ blank_page, doubts }) => (doubts.length ? [] : [blank_page]))),
  ).toEqual([
    [1, 2, 3, 4],
    [1, 2, 4],
    [1, 2, 3, 4],
  ])
  expect(scan.papers.map(({ notes }) => notes.join())).toContain('Page 3 is missing.')
  expect(scan.papers.map(({ student_id }) => student_id)).toEqual(world.students.map(({ id }) => id))
  const small = await api.as(world.teacher).send(getClassScanPage, { params: { ...paramsOf(), page: 1 }, query: {} })
  expect(small.status).toBe(200)
})

it('moves, turns, drops and duplicates pages, and takes each change back after a reload', async () => {
  const before = await open()
  const [first, second] = before.papers
  const page = first?.pages[3]
  if (!page || !second) throw new Error('two papers')
  const moved = await change({ kind: 'move', pages: [page.key], paper: second.key, before: null }, before.revision)
  expect(pagesOf(moved.body)[1]).toContain(page.page)
  const turned = await change({ kind: 'turn', pages: [page.key], degrees: 90 }, moved.body.revision)
  expect(turned.body.papers[1]?.pages.at(-1)?.turn).toBe((page.turn + 90) % 360)
  const dropped = await change({ kind: 'drop', pages: [page.key] }, turned.body.revision)
  expect(dropped.body.dropped.map((one) => one.page)).toEqual([page.page])
  const other = second.pages[0]?.key ?? ''
  const twice = await change({ kind: 'duplicate', page: other, paper: null }, dropped.body.revision)
  expect(twice.body.papers[1]?.pages.length).toBe((second.pages.length ?? 0) + 1)
  const late = await change({ kind: 'drop', pages: [other] }, before.revision)
  expect(late.status).toBe(409)
  let scan = await open()
  for (let i = 0; i < 4; i += 1) {
    expect(scan.can_undo).toBe(true)
    const undone = await api
      .as(world.teacher)
      .send(undoClassScanEdit, { params: paramsOf(), body: { revision: scan.revision } })
    scan = undone.body
  }
  expect(scan.can_undo).toBe(false)
  expect(scan.papers).toEqual(before.papers)
})

it('splits by a number of pages where asked to, and says where the blank contradicts', async () => {
  const before = await open()
  const split = await api
    .as(world.teacher)
    .send(splitClassScan, {
      params: paramsOf(),
      body: { revision: before.revision, by: 'page_count', pages_per_paper: 4 },
    })
  expect(pagesOf(split.body)).toEqual([
    [1, 2, 3, 4],
    [5, 6, 7, 8],
    [9, 10, 11, 12],
  ])
  expect(split.body.papers.flatMap(({ pages }) => pages.flatMap(({ doubts }) => doubts)).length).toBeGreaterThan(0)
  await untilReady()
  const { revision } = await open()
  await api.as(world.teacher).send(undoClassScanEdit, { params: paramsOf(), body: { revision } })
  expect((await open()).papers).toEqual(before.papers)
})

it('makes submissions of the papers when they are confirmed, once, and forgets the pages', async () => {
  let scan = await open()
  const foreign = scan.papers.flatMap(({ pages }) => pages).find(({ doubts }) => doubts.length > 0)
  scan = (await change({ kind: 'drop', pages: [foreign?.key ?? ''] }, scan.revision)).body
  const nobody = await api.as(world.teacher).send(listSubmissions, { params: { assignmentId: world.assignmentId } })
  expect(nobody.body).toEqual([])
  const confirm = () =>
    api.as(world.teacher).send(confirmClassScan, { params: paramsOf(), body: { revision: scan.revision } })
  expect(await confirm()).toMatchObject({ status: 202 })
  expect((await confirm()).status).toBe(202)
  await expect.poll(async () => (await open()).state).toBe('confirmed')
  const { body: rows } = await api
    .as(world.teacher)
    .send(listSubmissions, { params: { assignmentId: world.assignmentId } })
  expect(rows.map(({ student, status }) => [student?.id, status])).toEqual(
    world.students.map(({ id }) => [id, 'uploaded']),
  )
  const lengths = []
  for (const { id } of rows) {
    const file = await api
      .as(world.teacher)
      .send(getSubmissionFile, { params: { assignmentId: world.assignmentId, submissionId: id } })
    const pdf = await PDFDocument.load(file.bytes)
    lengths.push(pdf.getPageCount())
  }
  expect(lengths).toEqual([4, 3, 4])
  await expect.poll(() => ClassScanPageModel.countDocuments({ scan_id: world.scanId })).toBe(0)
  await expect.poll(() => ClassScanStepModel.countDocuments({ scan_id: world.scanId })).toBe(0)
})

it('deletes a scan and leaves the submissions made from it', async () => {
  const deleted = await api.as(world.teacher).send(deleteClassScan, { params: paramsOf() })
  expect(deleted.status).toBe(200)
  expect(await ClassScanModel.countDocuments({ _id: world.scanId })).toBe(0)
  const { body: rows } = await api
    .as(world.teacher)
    .send(listSubmissions, { params: { assignmentId: world.assignmentId } })
  expect(rows.length).toBe(3)
})
