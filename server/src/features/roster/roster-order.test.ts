import { listStudentPerformance } from '@assay/shared/analytics.ts'
import { getCourse, listCourseStudents } from '@assay/shared/courses.ts'
import { updateStudentProfile } from '@assay/shared/profile.ts'
import { addStudent } from '@assay/shared/roster.ts'
import { expect, it } from 'vitest'
import { EnrollmentModel } from '../../records/courses/course.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { type Caller, useTestApi } from '../../testing/server.ts'
import { newUserDoc } from '../users/user.service.ts'

const { api, server } = useTestApi()

/** Accounts by their full names, null for one without; enrolled in this order. */
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

it('lists a class by name, whatever the case and accents; who has no name by username', async () => {
  const { teacher, courseId } = await classOf([
    'zoë Adler',
    'Émile Roux',
    null,
    'Ben Oduya',
    'emil Brandt',
    'Zoe Zander',
  ])
  const inOrder = [
    'Ben Oduya',
    'emil Brandt',
    'Émile Roux',
    expect.stringMatching(/^person-/),
    'zoë Adler',
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
  expect((await rosterOf(teacher, courseId, {})).names).toEqual(['Ada Lind', 'Ben Oduya', 'Cleo Marsh'])
  await api.as(student).send(updateStudentProfile, { body: { full_name: 'Bertha Lind' } })
  expect((await rosterOf(teacher, courseId, {})).names).toEqual(['Ben Oduya', 'Bertha Lind', 'Cleo Marsh'])
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
  const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
  expect(pages.flatMap((page) => page.names)).toEqual(
    users.map(({ full_name }) => full_name ?? '').sort(collator.compare),
  )
})
