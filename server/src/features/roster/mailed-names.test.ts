import { createCourse } from '@assay/shared/courses.ts'
import { addStudent } from '@assay/shared/roster.ts'
import { expect, it } from 'vitest'
import { buildPerson } from '../../testing/build-course.ts'
import { waitForMail } from '../../testing/outbox.ts'
import { useTestApi } from '../../testing/server.ts'

const { api, server } = useTestApi()

it('leaves no link or address of a course’s or a teacher’s name in a mail, and shortens long ones', async () => {
  const teacher = api.as(await buildPerson('instructor', { full_name: 'Win now: www.evil.example/x' }))
  const name = `Prize 1.5 at https://evil.example/pay, write to pay@evil.example ${'now '.repeat(30)}`
  const { body: course } = await teacher.send(createCourse, { body: { name } })
  const ada = await buildPerson('student')
  for (const email of ['zoe@school.example', `${ada.username}@school.example`]) {
    await teacher.send(addStudent, { params: { courseId: course.id }, body: { email } })
    const { subject, text } = await waitForMail(server.running.services.config.dataDir, email)
    expect(`${subject}\n${text}`).not.toMatch(/evil/)
    expect(text).toContain('Prize 1.5 at write to now')
    expect(text.match(/\bnow\b/g)?.length).toBeLessThan(25)
  }
})
