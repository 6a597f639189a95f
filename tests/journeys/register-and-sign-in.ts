import type { Page } from 'playwright-core'
import { takeScreenshot } from './product.ts'

export const PASSWORD = 'Some-Good-7-Phrase'

/** Makes an account on the screen and signs in with it. */
export async function registerAndSignIn(page: Page, role: 'instructor' | 'student', username: string): Promise<void> {
  await page.goto(`/auth/register?role=${role}`)
  await page.getByLabel('Full Name').fill(role === 'student' ? 'Ada Lovelace' : 'Grace Hopper')
  await page.getByLabel('Email Address').fill(`${username}@school.example`)
  await page.getByLabel('Username').fill(username)
  if (role === 'instructor') await page.getByLabel('Institution').fill('Example School')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('checkbox').check()
  await takeScreenshot(page, `register-${role}`)
  await page.getByRole('button', { name: /create/i }).click()
  await page.waitForURL(`**/auth/login?role=${role}`)
  await page.getByLabel('Username or email').fill(username)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(role === 'student' ? '**/student/dashboard' : '**/dashboard')
}
