import { publishAssignment } from '@assay/shared/assignments.ts'
import { removeStudent } from '@assay/shared/courses.ts'
import { getGradeHistory } from '@assay/shared/grade-history.ts'
import { acceptMatches, listMatches, matchSubmissions, setSubmissionStudent } from '@assay/shared/matches.ts'
import { createPrint, getPrintedCopies } from '@assay/shared/printing.ts'
import { listStudentAssignments } from '@assay/shared/students.ts'
import { getSubmission, uploadSubmission, uploadSubmissions } from '@assay/shared/submissions.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { EnrollmentModel } from '../../records/courses/course.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import {
  buildAssignment,
  buildCourse,
  buildEmptyAssignment,
  buildGraded,
  buildPerson,
  buildStudent,
  correctAnswers,
  drawPaper,
  enrol,
  gradeAssignment,
} from '../../testing/build-course.ts'
import { joinPapers } from '../../testing/scanned-class.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { findAnswers } from '../transcriptions/answers.service.ts'
import { moveSubmissionsToCourse } from './match-submissions.ts'

const { api } = useTestApi()

const paper = (name = 'Nobody In Particular') => drawPaper({ full_name: name }, correctAnswers)

it('matches again when the roster has grown, but assigns no second paper to a student', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const [ada, ben] = [await buildPerson('student'), await buildPerson('student')]
  const bytes = await paper()
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: `${ada.username}.pdf`, bytes },
    { name: `${ben.username}_1.pdf`, bytes },
    { name: `${ben.username}_2.pdf`, bytes },
  ])
  await enrol(courseId, ada)
  await enrol(courseId, ben)
  const teacher = api.as(instructor)
  const params = { assignmentId }
  expect((await teacher.send(matchSubmissions, { params })).body).toMatchObject({
    matched: 1,
    left: 2,
    papers: [{ id: submissionIds[0], student: { id: ada.id }, matched_by: 'username' }],
  })
  const left = await teacher.send(listMatches, { params })
  expect(left.headers.get('x-total-count')).toBe('2')
  expect(left.body).toMatchObject(
    submissionIds
      .slice(1)
      .map((id) => ({
        submission: { id, student: null },
        suggestions: [{ student: { id: ben.id }, reason: 'username', other_paper_id: null }],
      })),
  )
})

it('matches by student numbers, and at the start of a run by the name on the paper', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const numbered = await buildPerson('student')
  const named = await buildPerson('student', { full_name: 'Grace Hopper' })
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: 'scan sis-4711.pdf', bytes: await paper() },
    { name: 'scan 2.pdf', bytes: await paper('Grace Hopper') },
  ])
  await enrol(courseId, numbered)
  await EnrollmentModel.updateOne({ user_id: numbered.id }, { $set: { sis_user_id: 'SIS-4711' } })
  await gradeAssignment(api, instructor, assignmentId)
  await enrol(courseId, named)
  await gradeAssignment(api, instructor, assignmentId, { force: true })
  const owners = await Promise.all(
    submissionIds.map(async (submissionId) => {
      const opened = await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })
      return [opened.body.student?.id, opened.body.matched_by]
    }),
  )
  expect(owners).toEqual([
    [numbered.id, 'number'],
    [named.id, 'name_on_paper'],
  ])
  expect(await ownerChanges(submissionIds[1])).toMatchObject([
    {
      actor: { username: 'Assay', role: 'system' },
      subjects: expect.arrayContaining([{ kind: 'student', id: named.id, name: named.username }]),
      before: { student_id: null },
      after: { student_id: named.id, reason: 'name_on_paper' },
    },
  ])

  async function ownerChanges(submissionId = 0) {
    const history = await api.as(instructor).send(getGradeHistory, { params: { assignmentId, submissionId } })
    return history.body.events.filter(({ action }) => action === 'submission.student_set')
  }
})

it('assigns no paper whose file tells of one student and whose page of another, and takes it back where the file was believed', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const grace = await buildStudent(courseId, { full_name: 'Grace Hopper' })
  const edsger = await buildStudent(courseId, { full_name: 'Edsger Dijkstra' })
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: '03-grace-hopper.pdf', bytes: await paper('Edsger Dijkstra') },
    { name: 'scan.pdf', bytes: await joinPapers([await paper('Grace Hopper'), await paper('Edsger Dijkstra')]) },
  ])
  const opened = (submissionId = 0) =>
    api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })
  expect((await opened(submissionIds[0])).body).toMatchObject({ student: { id: grace.id }, matched_by: 'name' })
  await gradeAssignment(api, instructor, assignmentId)
  expect((await opened(submissionIds[0])).body).toMatchObject({ student: null })
  expect((await opened(submissionIds[0])).body.matched_by).toBeUndefined()
  const audited = { action: 'submission.student_set', 'subject.submission_id': submissionIds[0] }
  expect(await AuditModel.find(audited).lean()).toMatchObject([
    {
      actor_role: 'system',
      subject: { assignment_id: assignmentId, student_id: grace.id },
      before: { student_id: grace.id },
      after: { student_id: null, reason: 'name_on_paper' },
    },
  ])
  const suggestion = ({ id }: { id: number }, reason: string) =>
    expect.objectContaining({ student: expect.objectContaining({ id }), reason })
  const left = await api.as(instructor).send(listMatches, { params: { assignmentId } })
  expect(left.body).toMatchObject([
    { submission: { id: submissionIds[0] }, name_on_paper: 'Edsger Dijkstra' },
    { submission: { id: submissionIds[1] } },
  ])
  const suggested = left.body.map(({ suggestions }) => suggestions)
  expect(suggested[0]).toEqual(expect.arrayContaining([suggestion(grace, 'name'), suggestion(edsger, 'name_on_paper')]))
  expect(suggested[1]).toEqual(
    expect.arrayContaining([suggestion(grace, 'name_on_paper'), suggestion(edsger, 'name_on_paper')]),
  )
  const two = (await opened(submissionIds[1])).body
  expect([two.held, two.grade, two.problems]).toMatchObject([true, null, [{ code: 'two_students', pages: [1, 2] }]])
  // A teacher's answer settles whose it is.
  const params = { assignmentId, submissionId: submissionIds[1] ?? 0 }
  await api.as(instructor).send(setSubmissionStudent, { params, body: { student_id: grace.id } })
  expect((await opened(submissionIds[1])).body.held).toBeUndefined()
  await gradeAssignment(api, instructor, assignmentId)
  const graded = (await opened(submissionIds[1])).body
  expect(graded.status).toBe('graded')
  expect(graded.grade?.review_reasons.map(({ code }) => code)).not.toContain('two_students')
})

it('assigns a paper with its released grade, names the student’s other paper, and preserves a teacher’s assignment', async () => {
  const built = await buildGraded(api, [correctAnswers, correctAnswers], { students: true })
  const { teacher, students, courseId, assignmentId, params } = built
  const [ada, ben] = students as [Person, Person]
  const [first = 0, second = 0] = built.submissionIds
  await teacher.send(publishAssignment, { params })
  const scoreOf = async (student: Person) =>
    (await api.as(student).send(listStudentAssignments, { params: { courseId } })).body[0]?.overall_score ?? null
  const give = (student_id: number | null, submissionId = first) =>
    teacher.send(setSubmissionStudent, { params: { assignmentId, submissionId }, body: { student_id } })

  expect(await scoreOf(ada)).not.toBeNull()
  const taken = await give(null)
  expect(taken.body.submission).toMatchObject({ student: null, student_identifier: ada.username })
  expect(await scoreOf(ada)).toBeNull()
  expect((await teacher.send(matchSubmissions, { params })).body).toEqual({ matched: 0, left: 1, papers: [] })

  const given = await give(ben.id)
  expect(given.body).toMatchObject({
    submission: { student: { id: ben.id }, student_identifier: ben.username, matched_by: 'teacher' },
    other_paper_ids: [second],
  })
  expect((await give(ada.id)).status).toBe(200)
  expect(await scoreOf(ada)).not.toBeNull()
  const audited = { action: 'submission.student_set', 'subject.submission_id': first }
  const entries = await AuditModel.find(audited).sort({ _id: 1 }).lean()
  expect(entries.map(({ after }) => after)).toEqual([
    { student_id: null },
    { student_id: ben.id },
    { student_id: ada.id },
  ])

  const outsider = await buildPerson('student')
  expect((await give(outsider.id)).body.detail).toEqual([
    { loc: ['body', 'student_id'], msg: 'This student is not enrolled in the course.', type: 'not_enrolled' },
  ])
  await teacher.send(removeStudent, { params: { courseId, userId: ben.id } })
  expect((await give(ben.id)).status).toBe(422)
})

it('rejects a paper whose file the student already has, and leaves it where several are accepted at once', async () => {
  const { instructor, students, courseId } = await buildCourse(api, { students: 2 })
  const bytes = await paper()
  const username = students[0]?.username
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: `${username}.pdf`, bytes },
    { name: 'scan.pdf', bytes },
    { name: 'other.pdf', bytes: await paper('Other') },
  ])
  const accepted = submissionIds
    .slice(1)
    .map((submission_id, i) => ({ submission_id, student_id: students[i]?.id ?? 0 }))
  const given = await api.as(instructor).send(acceptMatches, { params: { assignmentId }, body: { accepted } })
  expect(given.body).toMatchObject({ matched: 1, left: 1, papers: [{ id: submissionIds[2], matched_by: 'teacher' }] })
  const reply = await api
    .as(instructor)
    .send(setSubmissionStudent, {
      params: { assignmentId, submissionId: submissionIds[1] ?? 0 },
      body: { student_id: students[0]?.id ?? 0 },
    })
  expect(reply).toMatchObject({
    status: 409,
    body: { detail: `This file has already been uploaded as a paper of ${username}.` },
  })
})

it('moves papers to another course, where only its students keep theirs', async () => {
  const from = await buildCourse(api, { students: 2 })
  const to = await buildCourse(api, { students: 0 })
  const [ada, ben] = from.students
  if (!ada || !ben) throw new Error('two students')
  await enrol(to.courseId, ada)
  const { assignmentId, submissionIds } = await buildAssignment(api, from, [
    { name: `${ada.username}.pdf`, bytes: await paper() },
    { name: `${ben.username}.pdf`, bytes: await paper() },
  ])
  await moveSubmissionsToCourse({ _id: assignmentId }, to.courseId)
  const owners = await Promise.all(
    submissionIds.map(async (submissionId) => {
      const opened = await api.as(from.instructor).send(getSubmission, { params: { assignmentId, submissionId } })
      return opened.body.student?.id ?? null
    }),
  )
  expect(owners).toEqual([ada.id, null])
})

it('names the problem with a file name that cannot be sent', async () => {
  const { teacher, params } = await buildEmptyAssignment(api)
  const refused = await teacher.send(uploadSubmission, {
    params,
    body: {},
    files: { file: [{ name: 'ada\u0000.pdf', bytes: await paper() }] },
  })
  expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining('Rename the file') } })
})

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

/** Two students, and two assignments with printed copies, in the order of the students' names. */
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
    { name: `${person('Ada').username}.pdf`, bytes: await copyOf(null) },
    { name: `${person('Zoe').username}.pdf`, bytes: await copyOf('Ada') },
    { name: 'scan1.pdf', bytes: await copyOf('Cyd') },
    { name: 'scan2.pdf', bytes: await copyOf('Cyd', second) },
    { name: `${person('Dan').username}.pdf`, bytes: await copyOf('Eve') },
    { name: `${person('Eve').username}.pdf`, bytes: await copyOf('Dan') },
    { name: 'scan3.pdf', bytes: await copyOf('Fay') },
    { name: 'scan4.pdf', bytes: await copyOf('Gus') },
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
  await teacher.send(matchSubmissions, { params })
  expect(await owners()).toEqual(expected)
})
