import { createCourse } from '@assay/shared/courses.ts'
import { expect, it } from 'vitest'
import { buildAssignment, correctAnswers, drawPaper, gradeAssignment } from '../../server/src/testing/build-course.ts'
import { joinPapers } from '../../server/src/testing/scanned-class.ts'
import { phone } from './support/browser.ts'
import { enrol, looksRight, registerPerson, useProduct } from './support/product.ts'

const product = useProduct()

it('holds a file with the papers of two students, and grades both once it is split', async () => {
  const { api } = product
  const teacher = await registerPerson(api, 'instructor', 'lise', 'Lise Meitner')
  const course = await api.as(teacher).send(createCourse, { body: { name: 'Physics 9a' } })
  const students = [
    await registerPerson(api, 'student', 'emmy', 'Emmy Noether'),
    await registerPerson(api, 'student', 'sofia', 'Sofia Kovalevskaya'),
  ]
  for (const one of students) await enrol(product, course.body.id, one)
  const papers = ['Emmy Noether', 'Sofia Kovalevskaya'].map((full_name) => drawPaper({ full_name }, correctAnswers))
  const built = await buildAssignment(api, { instructor: teacher, courseId: course.body.id }, [
    { name: 'scan.pdf', bytes: await joinPapers(await Promise.all(papers)) },
  ])
  await gradeAssignment(api, teacher, built.assignmentId)

  const { page } = await product.openAs(teacher)
  await page.goto(`/assignments/${built.assignmentId}/submissions`)
  await page.getByText('1 paper needs a look first').first().waitFor()
  await looksRight(page, 'held-list')
  await page.goto(`/assignments/${built.assignmentId}/submissions/${built.submissionIds[0]}`)
  await page.getByText('This paper needs a look first').waitFor()
  await page.getByLabel('The second paper begins on page').waitFor()
  expect(await page.getByLabel('The second paper begins on page').inputValue()).toBe('2')
  await looksRight(page, 'held-split')
  await page.setViewportSize(phone)
  await looksRight(page, 'held-split-phone')

  await page.getByRole('button', { name: 'Split into two papers' }).click()
  await page.getByText(/^Split into two papers\. The second one is submission #\d+\.$/).waitFor()
  await page.getByText('This paper needs a look first').waitFor({ state: 'detached' })
  await page.goto(`/assignments/${built.assignmentId}/submissions`)
  for (const { full_name } of [{ full_name: 'Emmy Noether' }, { full_name: 'Sofia Kovalevskaya' }])
    await page.getByText(full_name).first().waitFor()
  expect(product.browserErrors).toEqual([])
})
