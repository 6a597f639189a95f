import { splitClassScan } from '@assay/shared/class-scans.ts'
import { getSeparatorSheets } from '@assay/shared/printing.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, it } from 'vitest'
import { drawExam } from '../../../../tests/papers/class-stack.ts'
import { copySheets } from '../../../../tests/papers/copier.ts'
import { analyseClassScan, createExam } from '../../testing/analyse-class-scan.ts'
import { buildCourse } from '../../testing/build-course.ts'
import { firstPagesOf } from '../../testing/join-papers.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

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
  // Split by the blank, where that is chosen, they are left out as well.
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
  // It stays so once the names at its new tops are read.
  expect(await ready()).toMatchObject({ split: { by: 'blank' }, dropped: body.dropped })
})
