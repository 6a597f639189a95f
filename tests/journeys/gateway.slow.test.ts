import { expect, it } from 'vitest'
import { correctAnswers, drawPaper } from '../../server/src/testing/build-course.ts'
import type { Person } from '../../server/src/testing/server.ts'
import { gradeOnePaper } from './support/class-with-papers.ts'
import { openLink, useSchool, waitForFrameAncestors } from './support/lms-workflow.ts'
import { useOwnProduct } from './support/product.ts'
import { startServerBehindGateway } from './support/product-server.ts'

const product = useOwnProduct({}, startServerBehindGateway)
const school = useSchool({ kind: 'canvas' }, product)
let instructor: Person
let assignmentId: number

function padded(paper: Buffer, size: number): Buffer {
  return Buffer.concat([paper, Buffer.alloc(size - paper.length, '\n')])
}

it('Gateway: passes an upload and live rows', async () => {
  ;({ instructor, assignmentId } = await gradeOnePaper(product))
})

it('Gateway: accepts a paper of just under 50 MB, and reports a larger one as too large', async () => {
  const { page } = await product.openAs(instructor)
  await page.goto(`/assignments/${assignmentId}/submissions`)
  const paper = await drawPaper({ full_name: 'Dora' }, correctAnswers)
  const limit = 50 * 1024 * 1024
  await page.getByRole('button', { name: 'More for this assignment' }).click()
  await page.getByRole('menuitem', { name: 'Upload Files' }).click()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await product.file('dora.pdf', padded(paper, limit - 1)))
  await page.getByRole('button', { name: /^Upload 1 file/ }).click()
  await page.getByText('File uploaded successfully!').waitFor()
  await page.getByText('Submissions (2)').waitFor()

  const token = String(
    await page.evaluate('Object.values(localStorage).find((value) => value.split(".").length === 3)'),
  )
  const form = new FormData()
  form.append('files', new Blob([new Uint8Array(padded(paper, limit + 1))]), 'huge.pdf')
  const bearer = { authorization: `Bearer ${token}` }
  const csrf = await fetch(`${product.url}/api/v1/auth/csrf-token`, { headers: bearer })
  const { csrf_token } = (await csrf.json()) as { csrf_token: string }
  const refused = await fetch(`${product.url}/api/v1/assignments/${assignmentId}/upload/student_submissions_bulk`, {
    method: 'POST',
    headers: { ...bearer, 'x-csrf-token': csrf_token },
    body: form,
  })
  expect([refused.status, await refused.text()]).toEqual([
    413,
    expect.stringContaining('File size must be less than 50MB'),
  ])
})

it('Gateway: shows the right message while the upstream server is down, keeps what is typed, and recovers with it', async () => {
  const { page } = await product.openAs(instructor)
  await page.goto(`/assignments/${assignmentId}/submissions`)
  await page.getByText('Submissions (2)').waitFor()
  const { page: form } = await product.openAs(instructor)
  await form.goto('/courses/create')
  await form.getByLabel('Course Name').fill('Chemistry 7')
  await product.server.process.kill()
  await page.getByText('Connection lost. Reconnecting…').waitFor()
  await form.getByRole('button', { name: 'Create Course' }).click()
  const words = 'A server error occurred. Our team has been notified and is working to fix the issue.'
  await form.getByText(words).filter({ visible: true }).first().waitFor()
  expect(await form.getByLabel('Course Name').inputValue()).toBe('Chemistry 7')
  const { page: visitor } = await product.open()
  await visitor.goto('/terms')
  await visitor.getByRole('heading', { level: 1 }).waitFor()
  await product.server.restart()
  await page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'hidden' })
  await form.getByRole('button', { name: 'Create Course' }).click()
  await form.waitForURL(/courses\/\d+\/roster$/)
  await form.getByText('Chemistry 7').filter({ visible: true }).first().waitFor()
})

it('Gateway: launches from an LMS into its frame', async () => {
  const { course, teacher } = school.lms.classOf(1)
  const link = school.lms.addLink(course, { deployment: school.deployment, title: 'Cells quiz', scoreMaximum: 20 })
  const { page } = await school.open('partitioned')
  await waitForFrameAncestors(product, school)
  const frame = await openLink(school, page, teacher, link)
  await frame.getByRole('heading', { level: 1, name: 'Set up “Cells quiz”' }).waitFor()
  expect(school.browserErrors).toEqual([])
})
