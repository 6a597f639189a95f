import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Product } from './product.ts'
import { signIn } from './sign-in.ts'

/** Signs in with the password generated at first start. */
export async function signInAsAdmin(page: Page, product: Product): Promise<void> {
  const file = join(product.folder, 'data', 'first-run.txt')
  const read = async () => /^admin\s+(\S+)$/m.exec(await readFile(file, 'utf8').catch(() => ''))?.[1]
  await expect.poll(read, { timeout: 15_000 }).toBeTruthy()
  await signIn(page, 'admin', (await read()) ?? '')
  await page.waitForURL('**/admin/dashboard')
}
