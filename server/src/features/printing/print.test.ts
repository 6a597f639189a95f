import { deleteAssignment, setNamesHidden } from '@assay/shared/assignments.ts'
import { createPrint, getPrintedCopies, listPrints } from '@assay/shared/printing.ts'
import { expect, it } from 'vitest'
import { PrintModel } from '../../records/assignments/print.model.ts'
import { buildAssignment, buildCourse, buildStudent } from '../../testing/build-course.ts'
import { createCachedPaperReader } from '../../testing/cached-paper-reader.ts'
import { useTestApi } from '../../testing/server.ts'
import { usePaperReader } from '../../testing/use-paper-reader.ts'
import { findPrintedCopies } from './print.service.ts'

const { api } = useTestApi()
const { reader, papers } = usePaperReader(createCachedPaperReader())

async function build() {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const students = [
    await buildStudent(courseId, { full_name: 'Zoë Adler' }),
    await buildStudent(courseId, { full_name: 'Ada Lovelace' }),
  ]
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  return { teacher: api.as(instructor), courseId, assignmentId, students }
}

it('prints a copy for each student and spare ones, whose codes tell whose they are and nothing else', async () => {
  const { teacher, assignmentId, students } = await build()
  const params = { assignmentId }
  const body = { students: true, spares: 1, names: true, double_sided: false }
  const made = await teacher.send(createPrint, { params, body })
  expect(made).toMatchObject({ status: 201, body: { students: 2, spares: 1, current: true } })
  const again = await teacher.send(createPrint, { params, body: { ...body, students: false, names: false } })
  expect((await teacher.send(listPrints, { params })).body.map(({ id }) => id)).toEqual([again.body.id, made.body.id])

  const pdf = await teacher.send(getPrintedCopies, { params: { ...params, printId: made.body.id } })
  expect(pdf.status).toBe(200)
  const file = await papers.put(pdf.bytes)
  const codes = await reader.readPageCodes(file)
  const known = await findPrintedCopies(codes.map(({ copyId }) => copyId))
  const firstPages = codes.filter(({ page }) => page === 1).map(({ copyId }) => known.get(copyId))
  expect(firstPages.map((copy) => [copy?.assignment_id, copy?.student_id])).toEqual([
    [assignmentId, students[1]?.id],
    [assignmentId, students[0]?.id],
    [assignmentId, null],
  ])
  const { pages } = await reader.read(file)
  const texts = pages.map(({ lines }) => lines.map(({ text }) => text).join(' '))
  expect(texts[0]).toContain('Ada Lovelace')
  const next = await PrintModel.findById(again.body.id).lean()
  expect(next?.copies.map(({ number }) => number)).toEqual([4])
  expect(await findPrintedCopies(['f'.repeat(20)])).toEqual(new Map())
})

it('refuses a print of nothing and one of more pages than a PDF may have', async () => {
  const { teacher, assignmentId } = await build()
  const body = { students: false, spares: 0, names: false, double_sided: false }
  expect((await teacher.send(createPrint, { params: { assignmentId }, body })).status).toBe(400)
  expect(await PrintModel.countDocuments({ assignment_id: assignmentId })).toBe(0)
})

it('deletes prints with their assignment', async () => {
  const { teacher, assignmentId } = await build()
  const body = { students: true, spares: 0, names: true, double_sided: true }
  await teacher.send(createPrint, { params: { assignmentId }, body })
  expect((await teacher.send(deleteAssignment, { params: { assignmentId } })).status).toBeLessThan(300)
  expect(await PrintModel.countDocuments({ assignment_id: assignmentId })).toBe(0)
})

it('gives no two copies the same number, whoever prints at the same moment, and goes on from prints before it', async () => {
  const { teacher, assignmentId } = await build()
  const params = { assignmentId }
  const body = { students: false, spares: 20, names: false, double_sided: false }
  await teacher.send(createPrint, { params, body })
  const numbers = async () => {
    const prints = await PrintModel.find({ assignment_id: assignmentId }).lean()
    return prints.flatMap(({ copies }) => copies.map(({ number }) => number))
  }
  // A print from before there was a counter.
  await PrintModel.updateOne({ assignment_id: assignmentId, 'copies.number': 20 }, { $set: { 'copies.$.number': 50 } })
  await Promise.all(Array.from({ length: 6 }, () => teacher.send(createPrint, { params, body })))
  expect(new Set(await numbers()).size).toBe(7 * 20)
  expect((await numbers()).filter((number) => number > 50)).toHaveLength(6 * 20)
})

it('numbers copies in no order of names, and tells nobody whose they are while names are hidden', async () => {
  const { teacher, courseId, assignmentId } = await build()
  const params = { assignmentId }
  for (let i = 0; i < 18; i++) await buildStudent(courseId)
  const body = { students: true, spares: 0, names: false, double_sided: false }
  const { id } = (await teacher.send(createPrint, { params, body })).body
  const print = await PrintModel.findById(id).lean()
  const numbers = print?.copies.map(({ number }) => number) ?? []
  const inOrder = numbers.toSorted((a, b) => a - b)
  expect(inOrder).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
  expect(numbers).not.toEqual(inOrder)

  await teacher.send(setNamesHidden, { params, body: { names_hidden: true } })
  const hidden = { status: 409, body: { error_code: 'names_hidden' } }
  expect(await teacher.send(createPrint, { params, body })).toMatchObject(hidden)
  expect(await teacher.send(getPrintedCopies, { params: { ...params, printId: id } })).toMatchObject(hidden)
  const spare = await teacher.send(createPrint, { params, body: { ...body, students: false, spares: 1 } })
  expect((await teacher.send(getPrintedCopies, { params: { ...params, printId: spare.body.id } })).status).toBe(200)
  await teacher.send(setNamesHidden, { params, body: { names_hidden: false } })
  expect((await teacher.send(getPrintedCopies, { params: { ...params, printId: id } })).status).toBe(200)
})
