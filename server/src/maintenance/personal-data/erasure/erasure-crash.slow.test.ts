import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { getMe, registerStudent } from '@assay/shared/auth.ts'
import { createCourse, createJoinCode, listCourseStudents } from '@assay/shared/courses.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import { eraseOwnAccount, previewErasure } from '@assay/shared/personal-data.ts'
import { handInPaper, joinCourse } from '@assay/shared/students.ts'
import { beforeAll, expect, it } from 'vitest'
import { firstAdminPassword } from '../../../../../tests/fake-lms/fake-lms.ts'
import { AuditModel } from '../../../audit/audit.service.ts'
import { ErasureModel } from '../../../records/people/erasure.model.ts'
import { buildAssignment, correctAnswers, drawPaper, gradeAssignment } from '../../../testing/build-course.ts'
import { useKilledProcess } from '../../../testing/killed-process.ts'
import type { Person } from '../../../testing/server.ts'
import { searchDatabase } from '../../../testing/stored-data.ts'

/** The write, and the collection whose first write starts the count. */
const deaths = [
  // The account is closed, and nothing else is done.
  ['after findOneAndUpdate users 1', 'users'],
  ['before bulkWrite retained_grades 1', 'erasures'],
  ['after bulkWrite retained_grades 1', 'erasures'],
  // The row of the paper is gone, the rest left.
  ['after deleteMany submissions 1', 'submissions'],
  ['after deleteMany enrollments 1', 'enrollments'],
  ['after bulkWrite audit 1', 'erasures'],
] as const

const killed = useKilledProcess(1, { answerOf: () => '144' })
const students: Person[] = []
let admin: Person
let before = 0
let courseId = 0
let assignmentId = 0

beforeAll(async () => {
  await killed.start()
  const { api, teacher, dataDir } = killed
  admin = { id: 0, username: 'admin', password: await firstAdminPassword(dataDir) }
  courseId = (await api.as(teacher).send(createCourse, { body: { name: 'Erased one by one' } })).body.id
  const { body } = await api.as(teacher).send(createJoinCode, { params: { courseId } })
  for (const [i] of deaths.entries()) {
    const [username, password] = [`quillfeather${i}`, 'Some-Good-7-Phrase']
    const account = { username, password, email: `${username}@school.example` }
    const registered = await api.nobody.send(registerStudent, { body: account })
    const student = { id: registered.body.id, username, password }
    const joined = await api.as(student).send(joinCourse, { body: { code: body.join_code } })
    expect(joined.status, joined.text).toBe(201)
    students.push(student)
  }
  assignmentId = (await buildAssignment(api, { instructor: teacher, courseId }, [])).assignmentId
  const params = { assignmentId }
  await api.as(teacher).send(publishAssignment, { params })
  for (const student of students) {
    const file = [{ name: 'mine.pdf', bytes: await drawPaper({ full_name: student.username }, correctAnswers) }]
    const handed = await api.as(student).send(handInPaper, { params, body: {}, files: { file } })
    expect(handed.status, handed.text).toBe(201)
  }
  await gradeAssignment(api, teacher, assignmentId)
  await api.as(teacher).send(publishAssignment, { params })
  // Files are deleted once an hour old.
  const longAgo = new Date(Date.now() - 3 * 60 * 60 * 1000)
  const files = await papersOnDisk()
  for (const file of files) await utimes(file, longAgo, longAgo)
  before = files.length
})

async function papersOnDisk(): Promise<string[]> {
  const entries = await readdir(join(killed.dataDir, 'papers'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

it.each(deaths.map((death, i) => [...death, i] as const))(
  'goes on by itself after a death %s, and keeps one score',
  async (at, from, i) => {
    const { api, teacher } = killed
    const student = students[i]
    if (!student) throw new Error('a student for each death')
    const { died } = await killed.dieAt(at, from)
    const asking = api
      .as(student)
      .send(eraseOwnAccount, { body: { password: student.password } })
      .catch(() => null)
    expect(await died).toBe('SIGKILL')
    await asking
    await killed.start()
    const params = { userId: student.id }
    const state = async () => (await api.as(admin).send(previewErasure, { params })).body.progress?.state
    await expect.poll(state).toBe('done')
    expect((await api.as(student).send(getMe)).status).toBe(401)
    const listed = await api.as(teacher).send(listCourseStudents, { params: { courseId } })
    expect(listed.body.map(({ id }) => id).sort()).toEqual(students.slice(i + 1).map(({ id }) => id))
    const csv = await api.as(teacher).send(exportGrades, { params: { assignmentId } })
    expect(csv.text).not.toContain(student.username)
    expect(csv.text.split('\n').filter((line) => line.includes('Deleted student'))).toHaveLength(i + 1)
  },
)

it('has left no word of theirs, and one entry in the audit log each', async () => {
  await killed.stop()
  await killed.inDatabase(async () => {
    for (const { id } of students) {
      expect(await ErasureModel.findById(id).lean()).toMatchObject({ submission_ids: [], file_hashes: [] })
      expect(await AuditModel.countDocuments({ action: 'user.erased', 'subject.user_id': id })).toBe(1)
    }
    expect(await searchDatabase(['quillfeather'])).toEqual({})
  })
  expect((await papersOnDisk()).length).toBe(before - students.length)
})
