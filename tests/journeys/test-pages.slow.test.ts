import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { phone } from './support/browser.ts'
import { accessibilityProblems, looksRight, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()
let page: Page
beforeAll(async () => {
  page = (await product.openAs(await registerPerson(product.api, 'instructor', 'grace'))).page
})

describe('the developers’ test pages', () => {
  it('show a boundary for every error, in every place', async () => {
    const { page } = await product.open()
    await page.goto('/test/error-boundaries')
    const demo = page.getByRole('region', { name: 'Demo' })
    await demo.getByLabel('Boundary type').selectOption('file')
    await demo.getByRole('button', { name: 'Break it' }).click()
    await demo.getByRole('heading', { name: 'File Processing Error' }).waitFor()
    for (const count of [0, 1, 2]) await demo.getByRole('button', { name: `Retry ${count}/3` }).click()
    await demo.getByText('Maximum retry attempts reached. Please reload the page or contact support.').waitFor()
    await demo.getByLabel('Retry strategy').selectOption('exponential')
    await demo.getByText(/automatic retry will happen/).waitFor()
    await takeScreenshot(page, 'error-boundaries')
    await page.getByRole('button', { name: 'Run all 36' }).click()
    await page.getByText('36 of 36 passed, 0 failed.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])

    await page.getByRole('button', { name: 'Modal' }).click()
    const modal = page.getByRole('dialog', { name: 'System Error' })
    await modal.getByRole('link', { name: 'Contact Support' }).waitFor()
    await takeScreenshot(page, 'error-modal')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Script error' }).click()
    await page
      .getByText('An unexpected error occurred in the application. Please refresh the page and try again.')
      .waitFor()
    await takeScreenshot(page, 'error-toast')
    await page.setViewportSize(phone)
    await looksRight(page, 'phone-error-boundaries')
  })

  it('use both websockets', async () => {
    await page.goto('/test/websocket')
    const log = page.getByRole('log')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send Message' }).click()
    await log.getByText(/← .*"pong"/).waitFor()
    await page.getByLabel('Message (JSON)').fill('{broken')
    await page.getByRole('button', { name: 'Send Message' }).click()
    await page.getByText('Send a JSON object with a type').waitFor()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('status').getByText('disconnected', { exact: true }).waitFor()
    await page.getByLabel('Path').selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
    await page.getByLabel('Assignment title').fill('Quiz 3')
    await page.getByRole('button', { name: 'Send Test Notification' }).click()
    await log.getByText(/assignment_completion.*Quiz 3: 1 graded\./).waitFor()
    await looksRight(page, 'websocket-tester')
    await page.setViewportSize(phone)
    await looksRight(page, 'phone-websocket-tester')
  })
})
