import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { phone } from './support/browser.ts'
import { firstAdmin, looksRight, PASSWORD, takeScreenshot, useOwnProduct } from './support/product.ts'
import { signIn } from './support/sign-in.ts'

const product = useOwnProduct()

async function choose(admin: Page, action: string): Promise<void> {
  await admin.getByRole('button', { name: 'Actions for sam' }).click()
  await admin.getByRole('menuitem', { name: action }).click()
}

it('lets an administrator make a user an instructor, and disable them immediately', async () => {
  const registered = await fetch(`${product.url}/api/v1/auth/student/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'sam', email: 'sam@school.example', password: PASSWORD }),
  })
  expect(registered.status).toBe(201)

  const { page: admin } = await product.open()
  await signIn(admin, 'admin', (await firstAdmin(product)).password)
  await admin.waitForURL('**/admin/dashboard')
  await admin.getByText('System Health').waitFor()
  await looksRight(admin, 'admin-dashboard')

  const { page: sam } = await product.open()
  await signIn(sam, 'sam')
  await sam.waitForURL('**/student/dashboard')

  await admin.getByRole('link', { name: 'Manage Users' }).click()
  await choose(admin, 'Change role')
  await admin.getByRole('dialog').getByLabel('Role').selectOption('instructor')
  await admin.getByRole('button', { name: 'Change role', exact: true }).click()
  await admin.getByText('sam is now instructor.').waitFor()
  await takeScreenshot(admin, 'admin-users')

  await sam.reload()
  await sam.waitForURL('**/auth/login**')
  await signIn(sam, 'sam')
  await sam.waitForURL('**/dashboard')
  await sam.goto('/courses/create')
  await sam.getByLabel('Course Name').fill('Physics 101')
  await sam.getByRole('button', { name: 'Create Course' }).click()
  await sam.waitForURL(/courses\/\d+\/roster$/)
  await sam.getByText('Physics 101').filter({ visible: true }).first().waitFor()

  await choose(admin, 'Deactivate')
  await admin.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await admin.getByText('sam has been deactivated.').waitFor()
  await sam.getByRole('link', { name: 'Dashboard', exact: true }).first().click()
  await sam.waitForURL('**/auth/login**')
  await sam.getByText('Your session has ended. Please sign in again.').waitFor()
  await signIn(sam, 'sam')
  await sam.getByText('This account has been deactivated.').filter({ visible: true }).first().waitFor()
  await takeScreenshot(sam, 'switched-off')

  await admin.goto('/admin/settings')
  await admin.getByLabel('Instructor registration').selectOption('closed')
  await admin.getByRole('button', { name: 'Save Changes' }).click()
  await admin.getByText('Settings saved.').waitFor()
  await looksRight(admin, 'admin-settings')
  const refused = await fetch(`${product.url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'tom', email: 'tom@x.example', password: PASSWORD, role: 'instructor' }),
  })
  expect(refused.status).toBe(403)
  await admin.goto('/admin/audit')
  for (const event of ['Settings changed', 'User deactivated', 'User role changed']) {
    await admin.getByRole('listitem').filter({ hasText: event }).waitFor()
  }
  await takeScreenshot(admin, 'admin-audit')

  await admin.setViewportSize(phone)
  for (const path of ['/admin/dashboard', '/admin/users', '/admin/settings', '/admin/audit']) {
    await admin.goto(path)
    await admin.waitForLoadState('networkidle')
    await looksRight(admin, `phone${path.replaceAll('/', '-')}`)
  }
  expect(product.browserErrors).toEqual([])
})

it('shows the API as a page without scripts, in light and dark and on a phone', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await product.open({ colorScheme })
    await page.goto('/api/docs')
    await page.getByText('/assignments/create_with_files', { exact: true }).click()
    await page.getByText('blank_pdf').filter({ visible: true }).first().waitFor()
    await looksRight(page, `api-docs-${colorScheme}`)
    await page.setViewportSize(phone)
    await looksRight(page, `phone-api-docs-${colorScheme}`)
  }
  expect(product.browserErrors).toEqual([])
})
