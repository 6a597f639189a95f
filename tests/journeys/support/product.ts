import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type Api, createTestApi, type Person } from '../../../server/src/testing/api.ts'
import { contextOptions, openBrowser } from './browser.ts'
import { type ProductServer, startServer } from './product-server.ts'

type ContextOptions = Parameters<Browser['newContext']>[0]

export interface Product {
  url: string
  /** Has the outbox, and the first administrator's password. */
  dataDir: string
  api: Api
  /** A user's browser. Console errors and requests to other hosts are collected. */
  open(options?: ContextOptions): Promise<{ context: BrowserContext; page: Page }>
  /** Signed in by a call instead of the form, which saves a page. */
  openAs(person: Person, options?: ContextOptions): Promise<{ context: BrowserContext; page: Page }>
  browserErrors: string[]
  /** To upload, by name. */
  file(name: string, bytes: Buffer): Promise<string>
  /** Closes the browsers, not the server. */
  close(): Promise<void>
}

export async function openProduct(
  { url, dataDir }: Pick<ProductServer, 'url' | 'dataDir'>,
  browser: Browser,
): Promise<Product> {
  const files = await mkdtemp(join(tmpdir(), 'assay-files-'))
  const contexts: BrowserContext[] = []
  const browserErrors: string[] = []
  const api = createTestApi({ running: { url } })
  const open: Product['open'] = async (options) => {
    const context = await browser.newContext({ ...contextOptions, baseURL: url, ...options })
    contexts.push(context)
    context.setDefaultTimeout(180_000)
    const page = await context.newPage()
    collectBrowserErrors(page, browserErrors)
    return { context, page }
  }
  return {
    url,
    dataDir,
    api,
    open,
    async openAs(person, options) {
      // A session of its own, as it may be signed out on the screen.
      const token = await api.again(person).token()
      const opened = await open(options)
      // Any address of the product, to get at its storage.
      await opened.page.goto('/robots.txt')
      await opened.page.evaluate((token) => localStorage.setItem('assay.token', String(token)), token)
      return opened
    },
    browserErrors,
    async file(name, bytes) {
      const path = join(files, name)
      await mkdir(files, { recursive: true })
      await writeFile(path, bytes)
      return path
    },
    async close() {
      for (const context of contexts) await context.close()
      await rm(files, { recursive: true, force: true })
    },
  }
}

/** A product and a browser of one's own, for scripts; journeys use `useProduct` and `useOwnProduct`. */
export async function startProduct(environment: Record<string, string> = {}): Promise<Product> {
  const server = await startServer(environment)
  const browser = await openBrowser()
  const product = await openProduct(server, browser)
  return {
    ...product,
    async close() {
      await product.close()
      await browser.close()
      await server.stop()
    },
  }
}

export function collectBrowserErrors(page: Page, errors: string[], hosts = ['localhost']): void {
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    // The browser logs every failed response; the journeys check those themselves.
    const refused = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !refused) errors.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !hosts.includes(hostname)) errors.push(`elsewhere: ${request.url()}`)
  })
}

/** Screenshots are taken only on request, into the given folder: `PICTURES=folder npx vitest …`. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}
