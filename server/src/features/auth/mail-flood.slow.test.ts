import { forgotPassword } from '@assay/shared/auth.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { addStudentsFromCsv } from '@assay/shared/roster.ts'
import { changeSystemSettings } from '@assay/shared/settings.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildPerson } from '../../testing/build-course.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()
let mailServer: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  mailServer = await startMailServer({ holds: (recipient) => recipient.startsWith('invited-') })
  const admin = api.as(await buildPerson('admin'))
  const set = await admin.send(changeSystemSettings, { body: { smtp_url: mailServer.url } })
  expect(set.status).toBe(200)
})
afterAll(() => mailServer.close())

it('sends a password reset while invitations wait for a mail server that does not answer', async () => {
  const teacher = api.as(await buildPerson('instructor'))
  const { body: course } = await teacher.send(createCourse, { body: { name: 'Physics' } })
  const rows = Array.from({ length: 60 }, (_, i) => `invited-${i}@school.example`)
  const added = await teacher.send(addStudentsFromCsv, {
    params: { courseId: course.id },
    files: { file: [{ name: 'class.csv', bytes: ['email', ...rows].join('\n') }] },
  })
  expect(added.body.successful_enrollments).toBe(60)
  await expect.poll(() => mailServer.held.length).toBeGreaterThanOrEqual(4)
  const ada = await buildPerson('student')
  await api.nobody.send(forgotPassword, { body: { email: `${ada.username}@school.example` } })
  await expect.poll(() => mailServer.accepted.map(({ to }) => to)).toEqual([`${ada.username}@school.example`])
})
