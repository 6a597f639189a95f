import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { accessibilityProblems } from './accessibility.ts'
import { takeScreenshot } from './product.ts'

/** Takes a picture; axe finds nothing, and nothing is wider than the window. */
export async function looksRight(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, name)
  const wider = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
  expect([name, await accessibilityProblems(page), wider]).toEqual([name, [], false])
}
