import { createPrint, getPrintedCopies } from '@assay/shared/printing.ts'
import { getSubmission, uploadSubmissions } from '@assay/shared/submissions.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, it } from 'vitest'
import { createTestApi } from '../../testing/api.ts'
import { buildAssignment, buildCourse, buildPerson, enrol, gradeAssignment } from '../../testing/build-course.ts'
import { useServer } from '../../testing/server.ts'
import { findAnswers } from '../transcriptions/answers.service.ts'

const api = createTestApi(useServer())

async function pagesOf(pdf: Buffer, numbers: readonly number[]): Promise<Buffer> {
  const source = await PDFDocument.load(pdf)
  const document = await PDFDocument.create()
  for (const page of await document.copyPages(
    source,
    numbers.map((number) => number - 1),
  ))
    document.addPage(page)
  return Buffer.from(await document.save())
}

/** Two students, and two assignments of which copies were printed, in the order of the students' names. */
async function build() {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const ada = await buildPerson('student', { full_name: 'Ada Lovelace' })
  const zoe = await buildPerson('student', { full_name: 'Zoë Adler' })
  for (const student of [ada, zoe]) await enrol(courseId, student)
  const teacher = api.as(instructor)
  const print = async () => {
    const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
    const params = { assignmentId }
    const body = { students: true, spares: 0, names: false, double_sided: false }
    const made = await teacher.send(createPrint, { params, body })
    return {
      params,
      pdf: (await teacher.send(getPrintedCopies, { params: { ...params, printId: made.body.id } })).bytes,
    }
  }
  return { instructor, teacher, ada, zoe, print }
}

it('gives a paper to the student whose printed copy it is, whatever its file is called, and says what is another assignment’s', async () => {
  const { instructor, teacher, ada, zoe, print } = await build()
  const { params, pdf } = await print()
  const other = await print()
  const pages = (await PDFDocument.load(pdf)).getPageCount() / 2
  const own = Array.from({ length: pages }, (_, i) => i + 1)
  const foreign = await PDFDocument.load(
    await pagesOf(
      pdf,
      own.map((page) => page + pages),
    ),
  )
  const [extra] = await foreign.copyPages(await PDFDocument.load(other.pdf), [0])
  if (extra) foreign.addPage(extra)
  const files = [
    { name: `${zoe.username}.pdf`, bytes: await pagesOf(pdf, own.toReversed()) },
    { name: 'scan0007.pdf', bytes: Buffer.from(await foreign.save()) },
  ]
  const uploaded = await teacher.send(uploadSubmissions, { params, files: { files } })
  expect(uploaded.body.map(({ student }) => student?.id ?? null)).toEqual([zoe.id, null])
  await gradeAssignment(api, instructor, params.assignmentId)
  const read = []
  for (const { id } of uploaded.body) {
    const { body } = await teacher.send(getSubmission, { params: { ...params, submissionId: id } })
    const answers = await findAnswers(id)
    read.push({
      student: body.student?.id,
      by: body.matched_by,
      messages: answers?.extracted.warnings.map(({ message }) => message),
    })
    if (id === uploaded.body[0]?.id && pages > 1) expect(answers?.extracted.page_order).toEqual(own.toReversed())
  }
  expect(read).toEqual([
    { student: ada.id, by: 'page_code', messages: expect.not.arrayContaining([expect.stringContaining('code')]) },
    {
      student: zoe.id,
      by: 'page_code',
      messages: expect.arrayContaining([`Page ${pages + 1} has the code of a copy printed for another assignment.`]),
    },
  ])
})
