import {
  type ClassScan,
  type ClassScanEdit,
  editClassScan,
  resumeClassScan,
  splitClassScan,
  stopClassScan,
  undoClassScanEdit,
} from '@assay/shared/class-scans.ts'
import { expect, it } from 'vitest'
import {
  drawClassStack,
  drawExam,
  drawMixedStack,
  drawStack,
  type StackStudent,
} from '../../../../tests/papers/class-stack.ts'
import { ClassScanPageModel } from '../../records/submissions/class-scan.model.ts'
import { analyseClassScan, createExam } from '../../testing/analyse-class-scan.ts'
import { buildCourse, buildStudent } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

const names: [StackStudent, StackStudent] = [
  { name: 'Henrietta Blackwood', number: '481920' },
  { name: 'Oluwaseun Adeyemi', number: '730164' },
]

/** A class of two, with an exam of four pages; `scanned` splits a stack of it every so many pages, or by the blank's. */
async function buildClass() {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const students: number[] = []
  for (const { name, number } of names)
    students.push((await buildStudent(courseId, { full_name: name, student_number: number })).id)
  const teacher = api.as(instructor)
  const exam = await drawExam('Science, end of year examination', 5)
  const params = { assignmentId: await createExam(teacher, courseId, exam.pdf) }
  return {
    students,
    async scanned(stack: Buffer, pages_per_paper?: number) {
      const split = pages_per_paper ? { split_by: 'page_count' as const, pages_per_paper } : {}
      const scan = await analyseClassScan(teacher, params, stack, split)
      const { ids, open } = scan
      const revision = async () => (await open()).revision
      return {
        ...scan,
        hintsOf: async (page: number) =>
          (await ClassScanPageModel.findOne({ scan_id: ids.scanId, page }).lean())?.hints?.map(({ text }) => text),
        split: async (by: 'page_count' | 'separators' | 'empty_pages' | 'blank', count: number | null = null) =>
          teacher.send(splitClassScan, {
            params: ids,
            body: { revision: await revision(), by, pages_per_paper: count },
          }),
        edit: async (edit: ClassScanEdit) =>
          (await teacher.send(editClassScan, { params: ids, body: { revision: await revision(), edit } })).body,
        undo: async () =>
          (await teacher.send(undoClassScanEdit, { params: ids, body: { revision: await revision() } })).body,
        resume: () => teacher.send(resumeClassScan, { params: ids }),
        stop: () => teacher.send(stopClassScan, { params: ids }),
      }
    },
  }
}

/** The class's papers, and the second student's of another exam. */
const drawTwoExams = async () => ({
  stack: await drawStack(await drawExam('Science, end of year examination', 5), { students: names, seed: 4, dpi: 100 }),
  other: await drawStack(await drawExam('History, midterm test', 9), { students: [names[1]], seed: 6, dpi: 100 }),
})

const placesOf = ({ papers }: ClassScan) => papers.map(({ pages }) => pages.map(({ page }) => page))
const studentsOf = ({ papers }: ClassScan) => papers.map(({ student_id }) => student_id)
const keyOf = ({ papers }: ClassScan, page: number) =>
  papers.flatMap(({ pages }) => pages).find((one) => one.page === page)?.key ?? ''

it('reads the names at new tops when a scan is split again, and none twice', async () => {
  const { students, scanned } = await buildClass()
  const [henrietta, oluwaseun] = students
  const scan = await scanned(await drawClassStack({ students: names, seed: 4, dpi: 100 }), 8)
  expect(studentsOf(await scan.open())).toEqual([henrietta])
  const earlier = { kind: 'unlabelled' as const, text: 'as read before', page: 1, ocr: true }
  await ClassScanPageModel.updateOne({ scan_id: scan.ids.scanId, page: 1 }, { $push: { hints: earlier } })
  const split = await scan.split('page_count', 4)
  expect(split.body).toMatchObject({ state: 'analysing', progress: { step: 'names', total: 1 } })
  const after = await scan.ready()
  expect(placesOf(after)).toEqual([
    [1, 2, 3, 4],
    [5, 6, 7, 8],
  ])
  expect(studentsOf(after)).toEqual([henrietta, oluwaseun])
  expect(after).toMatchObject({ split: { by: 'page_count', pages_per_paper: 4 }, names_unread: 0 })
  expect(await scan.hintsOf(1)).toContain('as read before')
  // Undone, the same cut by hand has its name at once.
  const undone = await scan.undo()
  expect(placesOf(undone)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8]])
  const cut = await scan.edit({ kind: 'split', page: keyOf(undone, 5) })
  expect([cut.state, ...studentsOf(cut)]).toEqual(['ready', henrietta, oluwaseun])
})

it('says of a paper begun by hand that its name was not read, and reads it when asked to', async () => {
  const { students, scanned } = await buildClass()
  const [henrietta, oluwaseun] = students
  const scan = await scanned(await drawClassStack({ students: names, seed: 4, dpi: 100 }), 8)
  const cut = await scan.edit({ kind: 'split', page: keyOf(await scan.open(), 5) })
  expect(cut.papers[1]).toMatchObject({ student_id: null, student_doubt: 'The name on it was not read.' })
  expect(cut).toMatchObject({ state: 'ready', names_unread: 1 })
  await scan.edit({ kind: 'check', paper: cut.papers[1]?.key ?? '', checked: true })
  expect((await scan.resume()).body.state).toBe('analysing')
  const read = await scan.ready()
  expect(studentsOf(read)).toEqual([henrietta, oluwaseun])
  // It was ticked before anybody knew whose it is.
  expect(read.papers[1]?.checked).toBe(false)
  expect(read.names_unread).toBe(0)
  expect(read.revision).toBeGreaterThan(cut.revision)
  expect((await scan.resume()).body.state).toBe('ready')
  // A paper whose first page is moved away loses the student who was read on it.
  const moved = await scan.edit({ kind: 'move', pages: [keyOf(read, 5)], paper: null, before: null })
  expect(placesOf(moved)).toEqual([[1, 2, 3, 4], [5], [6, 7, 8]])
  expect(studentsOf(moved)).toEqual([henrietta, oluwaseun, null])
})

it('keeps the papers when the reading of their names is stopped', async () => {
  const { scanned } = await buildClass()
  const scan = await scanned(await drawClassStack({ students: names, seed: 4, dpi: 100 }), 8)
  expect((await scan.split('page_count', 2)).body.state).toBe('analysing')
  expect((await scan.stop()).body.state).toBe('ready')
  const stopped = await scan.open()
  expect(placesOf(stopped)).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
    [7, 8],
  ])
  expect(placesOf(await scan.undo())).toEqual([[1, 2, 3, 4, 5, 6, 7, 8]])
})

it('does not split at sheets that a scan does not have', async () => {
  const { scanned } = await buildClass()
  const scan = await scanned(await drawClassStack({ students: names, seed: 4, dpi: 100 }), 4)
  const before = await scan.open()
  expect(await scan.split('separators')).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('No separator sheet') },
  })
  expect(await scan.split('empty_pages')).toMatchObject({ status: 400 })
  expect(await scan.open()).toEqual(before)
})

it('asks about a page within a paper that has another student’s name, where two papers lie together as one', async () => {
  const { students, scanned } = await buildClass()
  // The second student's first page is not recognised, and both papers together are as long as the blank.
  const pdf = await drawMixedStack('two as one', async () => {
    const { stack, other } = await drawTwoExams()
    return [stack[0], stack[1], other[0], stack[7]].flatMap((page) => page ?? [])
  })
  const scan = await scanned(pdf, 4)
  const merged = await scan.open()
  const asked = merged.papers.flatMap((paper) => paper.pages.filter(({ doubts }) => doubts.length > 0))
  expect(asked.map(({ page, doubts }) => [page, ...doubts])).toEqual([
    [3, expect.stringMatching(/^The name of a student is at the top of this page/)],
  ])
  const cut = await scan.edit({ kind: 'split', page: keyOf(merged, 3) })
  expect(placesOf(cut)).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(studentsOf(cut)).toEqual(students)
})

it('asks about the student whose name stands on a page that may be another paper’s', async () => {
  const { students, scanned } = await buildClass()
  // The first student's first page is missing, and the second's second is not in the blank: it may as well be their first.
  const pdf = await drawMixedStack('page between two', async () => {
    const { stack, other } = await drawTwoExams()
    return [...stack.slice(1, 5), other[1], ...stack.slice(6)].flatMap((page) => page ?? [])
  })
  const scan = await scanned(pdf)
  const { papers } = await scan.open()
  expect(papers.map(({ student_id, student_doubt, notes }) => [student_id, student_doubt, notes])).toEqual([
    [null, 'No name of the class was found on it.', ['Page 1 is missing.']],
    [students[1], 'The page with the name may belong to another paper.', []],
  ])
  const named = papers[1]?.pages[0]
  expect(named).toMatchObject({ page: 4, doubts: ['This page may belong to the paper before or after this one.'] })
})
