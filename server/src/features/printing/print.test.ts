import { deleteAssignment } from '@assay/shared/assignments.ts'
import { createPrint, getPrintedCopies, listPrints } from '@assay/shared/printing.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPaperFolder } from '../../../../tests/papers/temporary-papers.ts'
import { createPaperReader } from '../../papers/paper-reader.ts'
import { PrintModel } from '../../records/assignments/print.model.ts'
import { createTestApi } from '../../testing/api.ts'
import { buildAssignment, buildCourse, buildPerson, enrol } from '../../testing/build-course.ts'
import { useServer } from '../../testing/server.ts'
import { findPrintedCopies } from './print.service.ts'

const api = createTestApi(useServer())
const reader = createPaperReader({ processes: 1 })
let papers: Awaited<ReturnType<typeof createPaperFolder>>
beforeAll(async () => {
  papers = await createPaperFolder()
})
afterAll(async () => {
  await reader.close()
  await papers.remove()
})

async function build() {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const students = [
    await buildPerson('student', { full_name: 'Zoë Adler' }),
    await buildPerson('student', { full_name: 'Ada Lovelace' }),
  ]
  for (const student of students) await enrol(courseId, student)
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  return { teacher: api.as(instructor), assignmentId, students }
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
  // Numbers go on in the next print.
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
