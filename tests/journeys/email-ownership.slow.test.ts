import { publishAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { addStudent } from '@assay/shared/roster.ts'
import { expect, it } from 'vitest'
import { buildAssignment, correctAnswers, drawPaper, gradeAssignment } from '../../server/src/testing/build-course.ts'
import { waitForMail } from '../../server/src/testing/mail-server.ts'
import { emailOf, looksRight, registerPerson, takeScreenshot, unique, useProduct } from './support/product.ts'
import { register, signIn } from './support/sign-in.ts'

const product = useProduct()
const EMAIL = emailOf(unique('ada'))
const NEW = 'Slate-kite 19'
const COURSE = 'Physics 101'

/** Ada's address is on the roster, and the name of a published paper's file. */
async function teach(): Promise<void> {
  const { api } = product
  const instructor = await registerPerson(api, 'instructor', 'grace')
  const course = await api.as(instructor).send(createCourse, { body: { name: COURSE } })
  const courseId = course.body.id
  const added = await api.as(instructor).send(addStudent, { params: { courseId }, body: { email: EMAIL } })
  expect(added.body.message).toContain('unconfirmed address')
  const paper = { name: `${EMAIL}.pdf`, bytes: await drawPaper({ full_name: 'Ada Mutombo' }, correctAnswers) }
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [paper])
  await gradeAssignment(api, instructor, assignmentId)
  await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
}

it('shows no grades to a user who registered another’s address, and gives its owner the account', async () => {
  const sly = unique('sly')
  const { page: squatter } = await product.open()
  await register(squatter, { role: 'student', username: sly, email: EMAIL })
  await signIn(squatter, sly)
  await squatter.waitForURL('**/student/dashboard')

  await teach()

  await squatter.reload()
  await squatter.getByText('No Courses Yet').waitFor()
  expect(await squatter.getByText(COURSE).count()).toBe(0)

  // She is not signed in.
  const { page: ada } = await product.open()
  const invited = await waitForMail(product.dataDir, EMAIL, 2)
  expect(invited.text).toContain(COURSE)
  await ada.goto(invited.link)
  await ada.getByText('was registered with').waitFor()
  await looksRight(ada, 'confirm-email')
  expect(await ada.getByRole('button', { name: 'Yes, confirm it' }).count()).toBe(0)
  await ada.getByRole('button', { name: 'Email me a password reset link' }).click()
  await ada.getByText('Check your email.').waitFor()

  const { link } = await waitForMail(product.dataDir, EMAIL, 3)
  await ada.goto(link)
  await ada.getByLabel('New password').first().fill(NEW)
  await ada.getByLabel('Confirm new password').fill(NEW)
  await ada.getByRole('button', { name: 'Reset password' }).click()
  await ada.getByRole('heading', { name: 'Password reset successfully!' }).waitFor()
  await ada.waitForURL('**/auth/login')
  await signIn(ada, EMAIL, NEW)
  await ada.waitForURL('**/student/dashboard')
  await ada.getByText(COURSE).first().waitFor()
  await takeScreenshot(ada, 'whose-address-owner')

  await squatter.reload()
  await squatter.getByText('Your session has ended. Please sign in again.').waitFor()
  await signIn(squatter, sly)
  await squatter.getByText('Login failed. Please check your credentials.').first().waitFor()
  expect(product.browserErrors).toEqual([])
})
