import type { Page } from 'playwright-core'
import { emailOf, PASSWORD, takeScreenshot } from './product.ts'

const passwordField = (page: Page) => page.getByRole('textbox', { name: 'Password', exact: true })

interface NewAccount {
  role: 'instructor' | 'student'
  username: string
  email?: string
  full_name?: string
}

export async function register(
  page: Page,
  { role, username, email = emailOf(username), full_name = username }: NewAccount,
): Promise<void> {
  await page.goto(`/auth/register?role=${role}`)
  await page.getByLabel('Full Name').fill(full_name)
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Username').fill(username)
  if (role === 'instructor') await page.getByLabel('Institution').fill('Example School')
  await passwordField(page).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('checkbox').check()
  await takeScreenshot(page, `register-${role}`)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`**/auth/login?role=${role}`)
}

export async function signIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  if (!new URL(page.url()).pathname.endsWith('/auth/login')) await page.goto('/auth/login')
  await page.getByLabel('Username or email').fill(username)
  await passwordField(page).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export async function registerAndSignIn(page: Page, role: NewAccount['role'], username: string): Promise<void> {
  await register(page, { role, username, full_name: role === 'student' ? 'Ada Lovelace' : 'Grace Hopper' })
  await signIn(page, username)
  await page.waitForURL(role === 'student' ? '**/student/dashboard' : '**/dashboard')
}
