import { matchSubmissions, setSubmissionStudent } from '@assay/shared/matches.ts'
import { createPrint, getPrintedCopies } from '@assay/shared/printing.ts'
import { getSubmission, uploadSubmissions } from '@assay/shared/submissions.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, it } from 'vitest'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { buildAssignment, buildCourse, buildStudent, gradeAssignment } from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { findAnswers } from '../transcriptions/answers.service.ts'

const { api } = useTestApi()

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
  const ada = await buildStudent(courseId, { full_name: 'Ada Lovelace' })
  const zoe = await buildStudent(courseId, { full_name: 'Zoë Adler' })
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

it('gives a copy to its student only where no other paper and no teacher says otherwise', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const names = ['Ada', 'Cyd', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal', 'Ivy', 'Jon', 'Zoe']
  const people: Person[] = []
  for (const name of names) people.push(await buildStudent(courseId, { full_name: `${name} Lovelace` }))
  const person = (name: string) => people[names.indexOf(name)] ?? instructor
  const teacher = api.as(instructor)
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  const params = { assignmentId }
  const print = async () => {
    const body = { students: true, spares: 1, names: false, double_sided: false }
    const made = await teacher.send(createPrint, { params, body })
    return (await teacher.send(getPrintedCopies, { params: { ...params, printId: made.body.id } })).bytes
  }
  const [pdf, second] = [await print(), await print()]
  const pages = (await PDFDocument.load(pdf)).getPageCount() / (names.length + 1)
  const copyOf = (name: string | null, from = pdf) => {
    const before = (name === null ? names.length : names.indexOf(name)) * pages
    return pagesOf(
      from,
      Array.from({ length: pages }, (_, i) => before + i + 1),
    )
  }
  const files = [
    // Ada wrote on a spare copy, and Zoe's file has Ada's copy.
    { name: `${person('Ada').username}.pdf`, bytes: await copyOf(null) },
    { name: `${person('Zoe').username}.pdf`, bytes: await copyOf('Ada') },
    // Two were printed for Cyd.
    { name: 'scan1.pdf', bytes: await copyOf('Cyd') },
    { name: 'scan2.pdf', bytes: await copyOf('Cyd', second) },
    // Two files with each other's names.
    { name: `${person('Dan').username}.pdf`, bytes: await copyOf('Eve') },
    { name: `${person('Eve').username}.pdf`, bytes: await copyOf('Dan') },
    // A teacher decided on two.
    { name: 'scan3.pdf', bytes: await copyOf('Fay') },
    { name: 'scan4.pdf', bytes: await copyOf('Gus') },
    // Ivy handed in a paper with Jon's code herself, beside Jon's own.
    { name: `${person('Ivy').username}.pdf`, bytes: await copyOf('Jon', second) },
    { name: 'scan5.pdf', bytes: await copyOf('Jon') },
  ]
  const uploaded = await teacher.send(uploadSubmissions, { params, files: { files } })
  const idOf = (name: string) => uploaded.body.find(({ file_name }) => file_name === name)?.id ?? 0
  const set = (name: string, student_id: number | null) =>
    teacher.send(setSubmissionStudent, { params: { ...params, submissionId: idOf(name) }, body: { student_id } })
  await set('scan3.pdf', person('Fay').id)
  await set('scan3.pdf', null)
  await set('scan4.pdf', person('Hal').id)
  await SubmissionModel.updateOne({ _id: idOf(`${person('Ivy').username}.pdf`) }, { $set: { handed_in_by: 'student' } })
  const owners = async () => {
    const stored = await SubmissionModel.find({ assignment_id: assignmentId }).lean()
    return files.map(({ name }) => {
      const paper = stored.find(({ file }) => file.name === name)
      const owner = people.find(({ id }) => id === paper?.student_id)
      const problems = paper?.problems?.flatMap(({ code, message }) => (code === 'other_name' ? [message] : [])) ?? []
      return [owner ? names[people.indexOf(owner)] : null, ...problems]
    })
  }
  await gradeAssignment(api, instructor, assignmentId)
  const codes = pages === 1 ? 'The code on page 1 was' : expect.stringMatching(/^The codes on pages 1 .* were/)
  const forAnother = pages === 1 ? `${codes} printed for another student.` : codes
  const expected = [
    ['Ada'],
    [null],
    [null],
    [null],
    ['Eve'],
    ['Dan'],
    [null],
    ['Hal', forAnother],
    ['Ivy', forAnother],
    ['Jon'],
  ]
  expect(await owners()).toEqual(expected)
  // The name of its file gives none of them to another later on.
  await teacher.send(matchSubmissions, { params })
  expect(await owners()).toEqual(expected)
})
