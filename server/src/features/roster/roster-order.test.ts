import { listStudentPerformance } from '@assay/shared/analytics.ts'
import { getCourse, listCourseStudents } from '@assay/shared/courses.ts'
import { updateStudentProfile } from '@assay/shared/profile.ts'
import { addStudent, addStudentsFromCsv, previewRosterCsv } from '@assay/shared/roster.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { EnrollmentModel } from '../../records/courses/course.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { buildAssignment, buildCourse, buildPerson, drawPaper, gradeAssignment } from '../../testing/build-course.ts'
import { rosterExports } from '../../testing/roster-exports.ts'
import { type Caller, useTestApi } from '../../testing/server.ts'
import { classOfTwenty, writeRoster } from '../../testing/write-roster.ts'
import { newUserDoc } from '../users/user.service.ts'

const { api, server } = useTestApi()

async function classOf(names: (string | null)[]) {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const now = server.running.services.clock.now()
  const last = await UserModel.findOne({}, { _id: 1 }).sort({ _id: -1 }).lean()
  const first = Math.max(last?._id ?? 0, 1_000_000) + 1
  const users = names.map((full_name, i) => {
    const username = `person-${first + i}`
    return newUserDoc(
      first + i,
      { username, email: `${username}@order.example`, password_hash: null, role: 'student', full_name },
      now,
    )
  })
  await UserModel.insertMany(users)
  await EnrollmentModel.insertMany(
    users.map(({ _id }, i) => ({
      _id: `${courseId}/${_id}`,
      course_id: courseId,
      user_id: _id,
      enrolled_at: new Date(now.getTime() + i),
    })),
  )
  return { teacher: api.as(instructor), courseId, users }
}

const called = (people: { full_name: string | null; username: string }[]) =>
  people.map(({ full_name, username }) => full_name ?? username)

async function rosterOf(teacher: Caller, courseId: number, query: { skip?: number; limit?: number; search?: string }) {
  const { body, headers } = await teacher.send(listCourseStudents, { params: { courseId }, query })
  return { names: called(body), ids: body.map(({ id }) => id), total: Number(headers.get('x-total-count')) }
}

it('lists a class by surname, whatever the case and accents; who has no name by username', async () => {
  const { teacher, courseId } = await classOf([
    'zoë Adler',
    'Émile Roux',
    null,
    'Ben Oduya',
    'emil Brandt',
    'Zoe Zander',
  ])
  const inOrder = [
    'zoë Adler',
    'emil Brandt',
    'Ben Oduya',
    expect.stringMatching(/^person-/),
    'Émile Roux',
    'Zoe Zander',
  ]
  expect((await rosterOf(teacher, courseId, {})).names).toEqual(inOrder)
  expect((await rosterOf(teacher, courseId, { skip: 2, limit: 3 })).names).toEqual(inOrder.slice(2, 5))
  expect((await rosterOf(teacher, courseId, { search: 'e' })).names).toEqual(inOrder)
  const course = await teacher.send(getCourse, { params: { courseId } })
  expect(called(course.body.students)).toEqual(inOrder)
  const performance = await teacher.send(listStudentPerformance, { params: { courseId }, query: { limit: 4 } })
  expect(performance.body.map(({ student_name }) => student_name)).toEqual(inOrder.slice(0, 4))
})

it('follows a student who changes their name', async () => {
  const { courseId, teacher } = await classOf(['Ben Oduya', 'Cleo Marsh'])
  const student = await buildPerson('student', { full_name: 'Ada Lind', email: 'ada.lind@order.example' })
  await teacher.send(addStudent, { params: { courseId }, body: { email: 'ada.lind@order.example' } })
  expect((await rosterOf(teacher, courseId, {})).names).toEqual(['Ada Lind', 'Cleo Marsh', 'Ben Oduya'])
  await api.as(student).send(updateStudentProfile, { body: { full_name: 'Ada Zorn' } })
  expect((await rosterOf(teacher, courseId, {})).names).toEqual(['Cleo Marsh', 'Ben Oduya', 'Ada Zorn'])
})

it('begins with those who have not confirmed their address, by the address', async () => {
  const { courseId, teacher } = await classOf(['Ada Lind'])
  for (const email of ['berit@order.example', 'Anna@order.example']) {
    await buildPerson('student', { email, email_verified: false, full_name: 'Not shown yet' })
    await teacher.send(addStudent, { params: { courseId }, body: { email } })
  }
  const inOrder = ['anna@order.example', 'berit@order.example', 'Ada Lind']
  expect((await rosterOf(teacher, courseId, {})).names.map((name) => name.replace('Anna', 'anna'))).toEqual(inOrder)
  expect((await rosterOf(teacher, courseId, { skip: 1, limit: 1 })).names).toEqual(inOrder.slice(1, 2))
})

it('gives everybody once on the pages of a course of 5,000', async () => {
  const names = Array.from({ length: 5000 }, (_, i) => `${['mia', 'Noah', 'ÉVA', 'eva'][i % 4]} ${(i * 7919) % 5000}`)
  const { teacher, courseId, users } = await classOf(names)
  const pages = []
  for (let skip = 0; skip < 5000; skip += 500) pages.push(await rosterOf(teacher, courseId, { skip, limit: 500 }))
  expect(pages.every(({ total }) => total === 5000)).toBe(true)
  expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(5000)
  const surname = (name: string) => Number(name.split(' ')[1])
  expect(pages.flatMap((page) => page.names)).toEqual(
    users.map(({ full_name }) => full_name ?? '').sort((a, b) => surname(a) - surname(b)),
  )
})

const names = classOfTwenty.map(({ first, last }) => `${first} ${last}`)

async function importClass(form: (typeof rosterExports)[number]) {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const teacher = api.as(instructor)
  const files = { file: [{ name: 'export.csv', bytes: writeRoster(form, classOfTwenty) }] }
  const seen = await teacher.send(previewRosterCsv, { params: { courseId }, files })
  const columns = JSON.stringify(seen.body.columns.map(({ meaning }) => meaning))
  const body = { columns, invite: 'no' as const }
  const added = await teacher.send(addStudentsFromCsv, { params: { courseId }, body, files })
  expect(added.body).toMatchObject({ successful_enrollments: 20, failed_enrollments: 0 })
  return { instructor, teacher, courseId }
}

async function importAndOpen(form: (typeof rosterExports)[number], papers: Parameters<typeof buildAssignment>[2]) {
  const { instructor, teacher, courseId } = await importClass(form)
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, papers)
  const owners = async () => {
    const rows = await teacher.send(listSubmissions, { params: { assignmentId }, query: { limit: 100 } })
    return new Map(rows.body.map((row) => [row.file_name, row.student?.full_name ?? null]))
  }
  return { instructor, assignmentId, owners }
}

describe('a class from an export', () => {
  it.each(rosterExports)('of $form has the names that papers are matched by, all 20', async (form) => {
    const { teacher, courseId } = await importClass(form)
    const { body } = await teacher.send(listCourseStudents, { params: { courseId }, query: { limit: 100 } })
    expect(body.map(({ full_name }) => full_name).toSorted()).toEqual(names.toSorted())
  })

  it('has the papers whose names are printed on them, all 20', async () => {
    const [form] = rosterExports
    if (!form) throw new Error('there are forms')
    const papers = await Promise.all(
      names.map(async (name, i) => ({
        name: `scan-${String.fromCharCode(97 + i)}.pdf`,
        bytes: await drawPaper({ full_name: name }, ['4']),
      })),
    )
    const { instructor, assignmentId, owners } = await importAndOpen(form, papers)
    expect([...(await owners()).values()].filter(Boolean)).toEqual([])
    await gradeAssignment(api, instructor, assignmentId)
    expect(await owners()).toEqual(new Map(papers.map(({ name }, i) => [name, names[i]])))
  })

  it('has the papers on which numbers are printed and no names, all 20', async () => {
    const brightspace = rosterExports.find(({ system }) => system === 'Brightspace')
    if (!brightspace) throw new Error('one of the forms')
    const papers = await Promise.all(
      classOfTwenty.map(async ({ number }, i) => ({
        name: `scan-${String.fromCharCode(97 + i)}.pdf`,
        bytes: await drawPaper({ full_name: '', student_number: number }, ['4']),
      })),
    )
    const { instructor, assignmentId, owners } = await importAndOpen(brightspace, papers)
    await gradeAssignment(api, instructor, assignmentId)
    expect(await owners()).toEqual(new Map(papers.map(({ name }, i) => [name, names[i]])))
  })

  it('of a system without addresses has the papers that are named by numbers', async () => {
    const blackboard = rosterExports.find(({ system }) => system === 'Blackboard')
    if (!blackboard) throw new Error('one of the forms')
    const papers = await Promise.all(
      classOfTwenty.map(async (one) => ({
        name: `quiz_${one.number}.pdf`,
        bytes: await drawPaper({ full_name: '' }, [one.number]),
      })),
    )
    const { owners } = await importAndOpen(blackboard, papers)
    expect(await owners()).toEqual(new Map(papers.map(({ name }, i) => [name, names[i]])))
  })
})
