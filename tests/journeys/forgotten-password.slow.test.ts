import { expect, it } from 'vitest'
import { waitForMail } from '../../server/src/testing/mail-server.ts'
import { accessibilityProblems, emailOf, looksRight, takeScreenshot, unique, useProduct } from './support/product.ts'
import { register, signIn } from './support/sign-in.ts'

const product = useProduct()
const USERNAME = unique('ada')
const EMAIL = emailOf(USERNAME)
const NEW = 'Slate-kite 19'

it('resets a forgotten password by the mailed link, and signs out all browsers', async () => {
  const { page: laptop } = await product.open()
  await register(laptop, { role: 'student', username: USERNAME, email: EMAIL })
  await signIn(laptop, USERNAME)
  await laptop.waitForURL('**/student/dashboard')
  await laptop.getByText('Confirm your email address to receive papers sent to it.').waitFor()

  const { page } = await product.open()
  await page.goto('/')
  // The loading message fades in, with too little contrast meanwhile.
  await page.getByRole('heading', { level: 1 }).waitFor()
  await looksRight(page, 'landing')
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('Email Address').fill(EMAIL)
  await takeScreenshot(page, 'forgot-password')
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])

  // The first mail asked to confirm the address.
  const { link } = await waitForMail(product.dataDir, EMAIL, 2)
  await page.goto(link)
  await page.getByLabel('New password', { exact: false }).first().fill(NEW)
  await page.getByLabel('Confirm new password').fill(NEW)
  await looksRight(page, 'reset-password')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await page.getByRole('heading', { name: 'Password reset successfully!' }).waitFor()
  await page.waitForURL('**/auth/login')
  await signIn(page, EMAIL, NEW)
  await page.waitForURL('**/student/dashboard')
  // Following the link confirms the address.
  await page.getByText('No Courses Yet').waitFor()
  expect(await page.getByText('Confirm your email address').count()).toBe(0)

  await laptop.reload()
  await laptop.getByText('Your session has ended. Please sign in again.').waitFor()

  await page.goto(link)
  await page.getByText('Invalid reset link. Please request a new password reset.').waitFor()
  await page.goto('/student/profile')
  await page.getByRole('heading', { name: 'Account Security' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  expect(product.browserErrors).toEqual([])
})
