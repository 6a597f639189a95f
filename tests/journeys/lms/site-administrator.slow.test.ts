import { getCourse } from '@assay/shared/courses.ts'
import { expect, it } from 'vitest'
import { openLink, useSchool } from '../support/lms-workflow.ts'
import { accessibilityProblems, firstAdmin, takeScreenshot } from '../support/product.ts'

// Moodle sends its site administrators as instructors of every course.

const school = useSchool({ kind: 'moodle' })

it('tells a site administrator who looks in why there is nothing to see, and the teacher teaches alone', async () => {
  const { lms, deployment } = school
  const course = lms.addCourse({ title: 'Looked in on by an administrator' })
  const teacher = lms.addUser({ givenName: 'Grace', familyName: 'Whitfield' })
  lms.enrol(course, teacher, 'Instructor')
  const link = lms.addLink(course, { deployment, title: 'Cells quiz' })
  const { page } = await school.open()
  const taught = await openLink(school, page, teacher, link)
  await taught.getByRole('button', { name: 'Continue to the new assignment' }).click()
  await taught.getByLabel('Choose the blank assignment').waitFor()

  const admin = lms.addAdmin()
  const { page: adminPage } = await school.open()
  const frame = await openLink(school, adminPage, admin, link)
  await frame.getByRole('heading', { name: `You have no role in “${course.title}”` }).waitFor()
  await frame.getByText('You administer Northfield School, but you are not a member of this course there.').waitFor()
  expect(await frame.getByText('Cells quiz').count()).toBe(0)
  expect(await accessibilityProblems(frame)).toEqual([])
  await takeScreenshot(adminPage, 'lms-site-administrator')

  const assay = school.product.api.as(await firstAdmin(school.product))
  const courseId = Number(new URL(taught.url()).searchParams.get('courseId'))
  const { instructors } = (await assay.send(getCourse, { params: { courseId } })).body
  expect(instructors.map(({ full_name }) => full_name)).toEqual([teacher.name])
  expect(school.browserErrors).toEqual([])
})
