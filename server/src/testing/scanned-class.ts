import { createAssignment } from '@assay/shared/assignments.ts'
import {
  type ClassScan,
  type ClassScanEdit,
  editClassScan,
  getClassScan,
  resumeClassScan,
  splitClassScan,
  stopClassScan,
  undoClassScanEdit,
  uploadClassScan,
} from '@assay/shared/class-scans.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, vi } from 'vitest'
import { drawExam, type StackStudent } from '../../../tests/papers/class-stack.ts'
import { ClassScanPageModel } from '../records/submissions/class-scan.model.ts'
import { buildCourse, buildStudent } from './build-course.ts'
import type { Api, Caller } from './server.ts'

export const names: [StackStudent, StackStudent] = [
  { name: 'Henrietta Blackwood', number: '481920' },
  { name: 'Oluwaseun Adeyemi', number: '730164' },
]

export async function buildScannedClass(api: Api) {
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

export const placesOf = ({ papers }: ClassScan) => papers.map(({ pages }) => pages.map(({ page }) => page))
export const studentsOf = ({ papers }: ClassScan) => papers.map(({ student_id }) => student_id)
export const keyOf = ({ papers }: ClassScan, page: number) =>
  papers.flatMap(({ pages }) => pages).find((one) => one.page === page)?.key ?? ''

export async function createExam(teacher: Caller, courseId: number, pdf: Buffer, name = 'Science'): Promise<number> {
  const blank = { name: 'blank.pdf', bytes: pdf }
  const files = { blank_pdf: [blank], answer_key_pdf: [blank] }
  return (await teacher.send(createAssignment, { body: { name, course_id: courseId }, files })).body.id
}

export async function analyseClassScan(
  teacher: Caller,
  params: { assignmentId: number },
  stack: Buffer,
  split: { split_by?: 'page_count'; pages_per_paper?: number } = {},
) {
  const files = { files: [{ name: 'a.pdf', bytes: stack }] }
  const uploaded = await teacher.send(uploadClassScan, { params, body: split, files })
  const ids = { ...params, scanId: uploaded.body.id }
  const open = async (): Promise<ClassScan> => (await teacher.send(getClassScan, { params: ids })).body
  const ready = async (): Promise<ClassScan> => {
    await vi.waitFor(async () => expect(await open()).toMatchObject({ state: 'ready', failure: null }), {
      timeout: 180_000,
      interval: 200,
    })
    return open()
  }
  await ready()
  return { ids, open, ready }
}

export const joinPapers = (papers: readonly Buffer[]): Promise<Buffer> =>
  firstPagesOf(...papers.map((paper): [Buffer] => [paper]))

export async function firstPagesOf(...papers: [paper: Buffer, pages?: number][]): Promise<Buffer> {
  const joined = await PDFDocument.create({ updateMetadata: false })
  for (const [paper, pages] of papers) {
    const source = await PDFDocument.load(paper)
    const copied = await joined.copyPages(source, source.getPageIndices().slice(0, pages))
    for (const page of copied) joined.addPage(page)
  }
  return Buffer.from(await joined.save())
}
