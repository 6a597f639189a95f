import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { correctAnswers, drawPaper } from '../../server/src/testing/build-course.ts'
import { startServerProcess } from '../../server/src/testing/server-process.ts'
import { runMainWorkflow } from './main-workflow.ts'
import { type Product, startBehindGateway } from './product.ts'

let product: Product
beforeAll(async () => {
  product = await startBehindGateway()
})
afterAll(async () => {
  await product.close()
})

async function signIn(page: Page): Promise<void> {
  await page.goto('/auth/login')
  await page.getByLabel('Username or email').fill('grace')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('Some-Good-7-Phrase')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/dashboard')
}

/** A paper padded to a size after its end, where PDF readers ignore it. */
function padded(paper: Buffer, size: number): Buffer {
  return Buffer.concat([paper, Buffer.alloc(size - paper.length, '\n')])
}

it('passes the main workflow, including live rows', () => runMainWorkflow(product))

it('accepts a paper of just under 50 MB, and reports a larger one as too large', async () => {
  const { page } = await product.open()
  await signIn(page)
  await page.goto('/assignments/1/submissions')
  const paper = await drawPaper({ full_name: 'Dora' }, correctAnswers)
  const limit = 50 * 1024 * 1024
  await page.getByRole('button', { name: 'Upload Files' }).click()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await product.file('dora.pdf', padded(paper, limit - 1)))
  await page.getByRole('button', { name: /^Upload 1 file/ }).click()
  await page.getByText('File uploaded successfully!').waitFor({ timeout: 60_000 })
  await page.getByText('Submissions (4)').waitFor()

  // Bypasses the client’s own check.
  const token = String(
    await page.evaluate('Object.values(localStorage).find((value) => value.split(".").length === 3)'),
  )
  const form = new FormData()
  form.append('files', new Blob([new Uint8Array(padded(paper, limit + 1))]), 'huge.pdf')
  const bearer = { authorization: `Bearer ${token}` }
  const csrf = await fetch(`${product.url}/api/v1/auth/csrf-token`, { headers: bearer })
  const { csrf_token } = (await csrf.json()) as { csrf_token: string }
  const refused = await fetch(`${product.url}/api/v1/assignments/1/upload/student_submissions_bulk`, {
    method: 'POST',
    headers: { ...bearer, 'x-csrf-token': csrf_token },
    body: form,
  })
  expect([refused.status, await refused.text()]).toEqual([
    413,
    expect.stringContaining('File size must be less than 50MB'),
  ])
})

it('shows the right message while the upstream server is down, keeps what is typed, and recovers with it', async () => {
  const { page } = await product.open()
  await signIn(page)
  await page.goto('/assignments/1/submissions')
  await page.getByText('Submissions (4)').waitFor()
  const { page: form } = await product.open()
  await signIn(form)
  await form.goto('/courses/create')
  await form.getByLabel('Course Name').fill('Chemistry 7')

  await product.server.kill()
  await page.getByText('Connection lost. Reconnecting…').waitFor({ timeout: 30_000 })
  await form.getByRole('button', { name: 'Create Course' }).click()
  const words = 'A server error occurred. Our team has been notified and is working to fix the issue.'
  await form.getByText(words).filter({ visible: true }).first().waitFor()
  expect(await form.getByLabel('Course Name').inputValue()).toBe('Chemistry 7')

  // Pages are served by the gateway itself.
  const { page: visitor } = await product.open()
  await visitor.goto('/terms')
  await visitor.getByRole('heading', { level: 1 }).waitFor()

  const port = new URL(product.server.url).port
  product.server = await startServerProcess(join(product.folder, 'data'), { TRUST_PROXY: '1', PORT: port })
  await page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'hidden', timeout: 60_000 })
  await form.getByRole('button', { name: 'Create Course' }).click()
  await form.waitForURL('**/courses')
  await form.getByText('Chemistry 7').filter({ visible: true }).first().waitFor()
})
