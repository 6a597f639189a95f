import { listCourseStudents } from '@assay/shared/courses.ts'
import { expect, it } from 'vitest'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { buildLinkedCourse, syncRoster, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { useServer } from '../../../testing/server.ts'

const server = useServer()
const school = useRegisteredLms(server)

it('imports a course of 5,000, updates them as they change, and makes no needless requests', async () => {
  const { lms } = school()
  const { course, students } = lms.classOf(5000)
  const tied = await buildLinkedCourse(school(), course)
  expect(await syncRoster(tied)).toMatchObject({ state: 'done', listed: 5001, created: 5001, unreadable: 0 })
  expect(lms.requestsTo('members')).toHaveLength(11)
  expect(lms.requestsTo('token')).toHaveLength(1)
  const { headers } = await tied.teacher.send(listCourseStudents, {
    params: { courseId: tied.courseId },
    query: { limit: 1 },
  })
  expect(headers.get('x-total-count')).toBe('5000')
  expect(await LtiMemberModel.countDocuments({ context: tied.context._id })).toBe(5001)
  for (const student of students.slice(0, 1000)) lms.unenrol(course, student)
  for (const student of students.slice(1000, 1100)) student.name = `${student.name} Changed`
  for (let i = 0; i < 50; i++) lms.enrol(course, lms.addUser(), 'Learner')
  expect(await syncRoster(tied)).toMatchObject({
    ...{ state: 'done', listed: 4051, created: 50, changed: 100, suspended: 1000, unchanged: 3901 },
  })
}, 300_000)
