import { createCourse } from '@assay/shared/courses.ts'
import { addStudentsFromCsv, getInvitationLimit } from '@assay/shared/roster.ts'
import { changeSystemSettings } from '@assay/shared/settings.ts'
import { expect, it } from 'vitest'
import { UserModel } from '../../records/people/user.model.ts'
import { buildPerson } from '../../testing/build-course.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

it('gives a teacher whose own address is unconfirmed few invitations where mail is sent, and says how to get more', async () => {
  const person = await buildPerson('instructor', { email_verified: false })
  const teacher = api.as(person)
  const courseId = (await teacher.send(createCourse, { body: { name: 'Physics' } })).body.id
  const limit = async () => (await teacher.send(getInvitationLimit, { params: { courseId } })).body
  // Without a mail server nobody can confirm an address.
  expect(await limit()).toEqual({ per_day: 1000, left: 1000, not_invited: 0 })

  const mailServer = await startMailServer()
  const admin = api.as(await buildPerson('admin'))
  expect((await admin.send(changeSystemSettings, { body: { smtp_url: mailServer.url } })).status).toBe(200)
  expect(await limit()).toEqual({ per_day: 20, left: 20, not_invited: 0, unconfirmed: true })
  const emails = Array.from({ length: 22 }, (_, i) => `few-${i}@school.example`)
  const reply = await teacher.send(addStudentsFromCsv, {
    params: { courseId },
    files: { file: [{ name: 'class.csv', bytes: ['email', ...emails].join('\n') }] },
  })
  expect(reply.body.successful_enrollments).toBe(20)
  expect(reply.body.results.at(-1)?.message).toBe(
    'few-21@school.example was not added: you can send 20 invitations a day until you have confirmed your own email address. Confirm it in your profile, or try again tomorrow.',
  )
  await UserModel.updateOne({ _id: person.id }, { email_verified_at: new Date() })
  expect(await limit()).toEqual({ per_day: 1000, left: 980, not_invited: 0 })
  await mailServer.close()
})
