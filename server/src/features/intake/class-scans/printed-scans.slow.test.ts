import { editClassScan, splitClassScan, undoClassScanEdit } from '@assay/shared/class-scans.ts'
import { createPrint, getPrintedCopies, getSeparatorSheets } from '@assay/shared/printing.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, it } from 'vitest'
import { drawExam } from '../../../../../tests/papers/class-stack.ts'
import { copySheets } from '../../../../../tests/papers/copier.ts'
import { buildCourse, buildStudent } from '../../../testing/build-course.ts'
import { analyseClassScan, createExam, firstPagesOf } from '../../../testing/scanned-class.ts'
import { useTestApi } from '../../../testing/server.ts'

const { api } = useTestApi()

it('gives the pages of printed copies to their students, whatever their order, and asks about the others', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const ada = await buildStudent(courseId, { full_name: 'Ada Lovelace' })
  const zoe = await buildStudent(courseId, { full_name: 'Zoë Adler' })
  const teacher = api.as(instructor)
  const create = async (name: string, pdf: Buffer) => ({ assignmentId: await createExam(teacher, courseId, pdf, name) })
  const print = async (params: { assignmentId: number }) => {
    const body = { students: true, spares: 0, names: false, double_sided: false }
    const made = await teacher.send(createPrint, { params, body })
    return (await teacher.send(getPrintedCopies, { params: { ...params, printId: made.body.id } })).bytes
  }
  const blank = await firstPagesOf([(await drawExam('Science, end of year examination', 5)).pdf, 2])
  const params = await create('Science', blank)
  const other = await create('History', await firstPagesOf([(await drawExam('History, midterm test', 7)).pdf, 1]))
  // Ada 1, 2, Zoë 1, 2, then the blank without codes, then a page of the other assignment.
  const sheets = await firstPagesOf([await print(params), 4], [blank, 2], [await print(other), 1])
  const stack = await copySheets(
    sheets,
    [
      { page: 3, turned: 183, dpi: 100 },
      { page: 7, turned: 0, dpi: 100 },
      { page: 2, turned: -2, dpi: 100 },
      { page: 6, turned: 1, dpi: 100 },
      { page: 1, turned: 90, dpi: 100 },
    ],
    3,
  )
  const { ids, open } = await analyseClassScan(teacher, params, stack)
  const { papers, dropped, revision } = await open()
  const show = ({ papers: all }: Pick<Awaited<ReturnType<typeof open>>, 'papers'>) =>
    all.map(({ student_id, student_by, student_doubt, notes, pages }) => ({
      ...{ student_id, student_by, student_doubt, notes },
      pages: pages.map(({ page, turn, blank_page }) => [page, turn, blank_page]),
    }))
  const coded = { student_by: 'code', student_doubt: null }
  expect(show({ papers })).toEqual([
    { ...coded, student_id: zoe.id, notes: ['Page 2 is missing.'], pages: [[1, 180, 1]] },
    {
      ...coded,
      student_id: ada.id,
      notes: [],
      pages: [
        [5, 270, 1],
        [3, 0, 2],
      ],
    },
    expect.objectContaining({ student_id: null, pages: [[4, 0, 2]] }),
  ])
  expect(papers.map(({ pages }) => pages.map(({ doubts }) => doubts.join(' ')))).toEqual([
    [''],
    ['', ''],
    [expect.stringContaining('No code')],
  ])
  const [zoes, , rest] = papers
  const lost = rest?.pages[0]
  expect(papers.flatMap(({ pages }) => pages.flatMap(({ offers }) => offers))).toEqual([zoes?.key])
  const move = { kind: 'move' as const, pages: [lost?.key ?? ''], paper: zoes?.key ?? '', before: null }
  const moved = await teacher.send(editClassScan, { params: ids, body: { revision, edit: move } })
  expect(moved.body.papers.map(({ pages }) => pages.map(({ page }) => page))).toEqual([
    [1, 4],
    [5, 3],
  ])
  expect(
    moved.body.papers.flatMap(({ pages }) => pages.flatMap(({ doubts, offers }) => [...doubts, ...offers])),
  ).toEqual([])
  const undone = await teacher.send(undoClassScanEdit, { params: ids, body: { revision: moved.body.revision } })
  expect(dropped.map(({ page, doubts }) => [page, ...doubts])).toEqual([
    [2, 'This page belongs to another assignment.'],
  ])
  const again = await teacher.send(splitClassScan, {
    params: ids,
    body: { revision: undone.body.revision, by: 'blank', pages_per_paper: null },
  })
  expect(show(again.body)).toEqual(show({ papers }))
})

it('finds separator sheets however they lie, also those printed for another assignment, and splits at them', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const teacher = api.as(instructor)
  const blank = await firstPagesOf([(await drawExam('Science, end of year examination', 5)).pdf, 2])
  const create = async (name: string) => ({ assignmentId: await createExam(teacher, courseId, blank, name) })
  const [params, other] = [await create('Science'), await create('History')]
  const separators = (of: { assignmentId: number }, sheets: number) =>
    teacher.send(getSeparatorSheets, { params: of, query: { sheets } })
  expect((await PDFDocument.load((await separators(params, 3)).bytes)).getPageCount()).toBe(3)
  const sheets = await firstPagesOf(
    [(await separators(params, 1)).bytes, 1],
    [(await separators(other, 1)).bytes, 1],
    [blank, 2],
  )
  const as = (page: number, turned: number) => ({ page, turned, dpi: 100 })
  // Two separator sheets in a row, one on its side; a student whose sheet was forgotten; none before the first.
  const order = [as(3, 1), as(4, -1), as(1, 183), as(2, 90), as(3, 180), as(4, 2), as(2, 271), as(3, 0), as(4, 0)]
  const stack = await copySheets(sheets, [...order, as(3, 1), as(4, 1)], 3)
  const { ids, open, ready } = await analyseClassScan(teacher, params, stack)
  const scan = await open()
  expect(scan.split.by).toBe('separators')
  const places = ({ papers }: Pick<typeof scan, 'papers'>) => papers.map(({ pages }) => pages.map(({ page }) => page))
  const asked = ({ papers }: Pick<typeof scan, 'papers'>) =>
    papers.flatMap(({ pages }) => pages.filter(({ doubts }) => doubts.length > 0).map(({ page }) => page))
  expect(places(scan)).toEqual([
    [1, 2],
    [5, 6],
    [8, 9, 10, 11],
  ])
  expect(asked(scan)).toEqual([10, 11])
  const dropped = [3, 4, 7].map((page) => [page, 'This is a separator sheet.'])
  expect(scan.dropped.map(({ page, doubts }) => [page, ...doubts])).toEqual(dropped)
  const { body } = await teacher.send(splitClassScan, {
    params: ids,
    body: { revision: scan.revision, by: 'blank', pages_per_paper: null },
  })
  expect(places(body)).toEqual([
    [1, 2],
    [5, 6],
    [8, 9],
    [10, 11],
  ])
  expect(body.dropped.map(({ page, doubts }) => [page, ...doubts])).toEqual(dropped)
  expect(await ready()).toMatchObject({ split: { by: 'blank' }, dropped: body.dropped })
})
