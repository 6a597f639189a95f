import { createCourse } from '@assay/shared/courses.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildAssignment, correctAnswers, drawPaper } from '../../server/src/testing/build-course.ts'
import type { Person } from '../../server/src/testing/server.ts'
import { registerPerson, takeScreenshot, useOwnProduct } from './support/product.ts'

const product = useOwnProduct({ LIMIT_SIGN_IN_ACCOUNT: '2', LOG_LEVEL: 'fatal' })
let instructor: Person
let courseId: number
let page: Page
beforeAll(async () => {
  instructor = await registerPerson(product.api, 'instructor', 'grace')
  const made = await product.api.as(instructor).send(createCourse, { body: { name: 'Physics 101' } })
  courseId = made.body.id
  page = (await product.openAs(instructor)).page
})

describe('each failure on screen', () => {
  it('has its title, its message and its actions', async () => {
    const { page } = await product.open()
    await page.clock.install()
    await page.goto('/test/error-boundaries')
    const stage = page.getByRole('region', { name: 'Server errors' })
    const alert = stage.getByRole('alert')
    const fail = async (kind: string, title: string, words: string, actions: string[]) => {
      await stage.getByRole('button', { name: kind, exact: true }).click()
      if (kind === 'timeout') {
        await stage.getByText('Waiting for the server…').waitFor()
        await page.clock.fastForward(30_000)
      }
      await alert.getByText(words).waitFor()
      const offered = await alert.locator('a, button').allTextContents()
      expect([kind, await alert.getByRole('heading').textContent(), offered]).toEqual([kind, title, actions])
    }
    const again = 'Try Again'
    await fail(
      '400',
      'Error Occurred',
      'The request contains invalid information. Please check your input and try again.',
      [again],
    )
    await fail('401', 'Authentication Required', 'Login failed. Please check your credentials.', [again, 'Log In'])
    await fail('403', 'Authentication Required', "You don't have permission to perform this action.", ['Log In'])
    await fail('404', 'Error Occurred', 'The requested resource could not be found.', [])
    await fail('409', 'Error Occurred', 'Someone else changed this in the meantime. Reload the page and try again.', [
      again,
    ])
    await fail('413', 'Error Occurred', 'The request is too large.', [])
    await fail('415', 'Error Occurred', 'The content type of this request is not supported.', [])
    await fail('422', 'Please Check Your Input', 'Course name is required, At most 50 characters', [again])
    await fail('429', 'Error Occurred', 'Too many requests. Please wait 30 seconds before trying again.', [again])
    await fail('503', 'System Error', 'Assay is starting. Please try again in a moment.', [again, 'Refresh Page'])
    const broken = 'A server error occurred. Our team has been notified and is working to fix the issue.'
    // A proxy's page instead of our error format has no request id.
    await fail('html_page', 'System Error', broken, [again, 'Refresh Page', 'Contact Support'])
    await fail('crash', 'System Error', broken, [again, 'Refresh Page', 'Contact Support'])
    const id = await alert.getByText(/^Error ID /).textContent()
    const mail = await alert.getByRole('link', { name: 'Contact Support' }).getAttribute('href')
    expect(decodeURIComponent(mail ?? '')).toContain(`Error ID: ${id?.slice('Error ID '.length)}`)
    expect(decodeURIComponent(mail ?? '')).toContain(broken)
    await fail('timeout', 'Error Occurred', 'The server did not answer in time. Please try again.', [again])
  })

  it('says at sign-in how long to wait, and keeps what was typed', async () => {
    const { page } = await product.open()
    await page.goto('/auth/login')
    const name = page.getByLabel('Username or email')
    await name.fill('nobody-here')
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('not-the-password')
    const submit = page.getByRole('button', { name: 'Sign in', exact: true })
    const alert = page.getByRole('main').getByRole('alert')
    for (let i = 0; i < 2; i++) {
      await Promise.all([page.waitForResponse('**/auth/token'), submit.click()])
      await alert.getByText('Login failed. Please check your credentials.').waitFor()
    }
    const [refused] = await Promise.all([page.waitForResponse('**/auth/token'), submit.click()])
    const seconds = refused.headers()['retry-after']
    expect(refused.status()).toBe(429)
    await alert.getByText(`Too many requests. Please wait ${seconds} seconds before trying again.`).waitFor()
    expect(await name.inputValue()).toBe('nobody-here')
  })

  it('shows a not-found page for unknown addresses', async () => {
    await page.goto('/assignments/999999/submissions')
    await page
      .getByText(/could not be found|not found|does not exist/i)
      .first()
      .waitFor()
    await page.goto('/courses/999999')
    await page.getByText('Course Not Found').waitFor()
  })
})

it('loses no input while the server is down, and continues when it is back', async () => {
  const { page } = await product.openAs(instructor)
  const paper = { name: 'ada.pdf', bytes: await drawPaper({ full_name: 'Ada' }, correctAnswers) }
  const { assignmentId } = await buildAssignment(product.api, { instructor, courseId }, [paper])
  const watching = await product.openAs(instructor)
  await watching.page.goto(`/assignments/${assignmentId}/submissions`)
  await watching.page.getByRole('button', { name: 'More for this assignment' }).waitFor()
  const registering = (await product.open()).page
  await registering.goto('/auth/register?role=student')
  await registering.getByLabel('Full Name').fill('Ada Mutombo')
  await registering.getByLabel('Email Address').fill('ada@school.example')
  await registering.getByLabel('Username').fill('ada-m')
  await registering.getByRole('textbox', { name: 'Password', exact: true }).fill('A-Long-Phrase-9-Of-Mine')
  await registering.getByLabel('Confirm Password').fill('A-Long-Phrase-9-Of-Mine')
  await registering.getByRole('checkbox').check()
  await page.goto('/courses/create')
  await page.getByLabel('Course Name').fill('Biology 8b')
  await page.getByLabel('Course Code').fill('BIO-8B')

  // A page that loses its server half-loaded is another matter.
  for (const one of [page, watching.page, registering]) await one.waitForLoadState('networkidle')
  await product.server.process.kill()
  const create = page.getByRole('button', { name: 'Create Course' })
  await create.click()
  const gone = 'Assay cannot be reached. Check your connection and try again.'
  // A first call for a token, tried again three times, may still be under way.
  await page.getByRole('alert').getByText(gone).waitFor()
  expect(await page.getByLabel('Course Name').inputValue()).toBe('Biology 8b')
  await takeScreenshot(page, 'server-gone')
  const register = registering.getByRole('button', { name: 'Create account' })
  await register.click()
  await registering.getByRole('main').getByRole('alert').getByText(gone).waitFor()
  expect(await registering.getByLabel('Email Address').inputValue()).toBe('ada@school.example')
  const lost = watching.page.getByText('Connection lost. Reconnecting…')
  await lost.waitFor()
  await takeScreenshot(watching.page, 'connection-lost')

  await product.server.restart()
  await create.click()
  await page.getByText('Biology 8b').first().waitFor()
  await page.waitForURL(/courses\/\d+\/roster$/)
  await register.click()
  await registering.waitForURL('**/auth/login**')
  await lost.waitFor({ state: 'hidden' })
})
