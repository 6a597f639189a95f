import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type ServerProcess, startServerProcess } from '../../server/src/testing/server-process.ts'
import { contextOptions, openBrowser } from './browser.ts'

const clientFolder = new URL('../../client/dist/index.html', import.meta.url)

/** The product in production setup: the built client, a separate process, a real browser. */
export interface Product {
  url: string
  /** The process with the database; behind a gateway, the upstream. */
  server: ServerProcess
  folder: string
  /** A user's browser. Console errors and requests to other hosts are collected. */
  open(options?: Parameters<Browser['newContext']>[0]): Promise<{ context: BrowserContext; page: Page }>
  /** Problems in all browsers so far: console errors, uncaught errors, requests to other hosts. */
  browserErrors: string[]
  /** A file to upload, by name. */
  file(name: string, bytes: Buffer): Promise<string>
  close(): Promise<void>
}

/** Throws before anything is started that would not be stopped. */
function makeFolder(): Promise<string> {
  if (!existsSync(clientFolder)) throw new Error('the client is not built: `npm test` builds it')
  return mkdtemp(join(tmpdir(), 'assay-journey-'))
}

export async function startProduct(environment: Record<string, string> = {}): Promise<Product> {
  const folder = await makeFolder()
  const server = await startServerProcess(join(folder, 'data'), environment)
  return openProduct(folder, server, server.url, server.stop)
}

/**
 * The same behind a gateway, which serves the pages and forwards everything else to a second process. PORT is the gateway's, and so part
 * of the public address of the second process.
 */
export async function startBehindGateway({ PORT, ...environment }: Record<string, string> = {}): Promise<Product> {
  const folder = await makeFolder()
  const known: Record<string, string> = PORT ? { PUBLIC_URL: `http://localhost:${PORT}` } : {}
  const far = await startServerProcess(join(folder, 'data'), { TRUST_PROXY: '1', ...known, ...environment })
  const edge = { ROLE: 'gateway', API_URL: far.url, ...(PORT ? { PORT } : {}) }
  const gateway = await startServerProcess(join(folder, 'nothing'), edge)
  const product = await openProduct(folder, far, gateway.url, async () => {
    await gateway.stop()
    // The current process, which may have been restarted.
    await product.server.stop()
  })
  return product
}

async function openProduct(
  folder: string,
  server: ServerProcess,
  url: string,
  stop: () => Promise<void>,
): Promise<Product> {
  const browser = await openBrowser()
  const complaints: string[] = []
  return {
    url,
    server,
    folder,
    browserErrors: complaints,
    async open(options) {
      const context = await browser.newContext({ ...contextOptions, baseURL: url, ...options })
      context.setDefaultTimeout(15_000)
      const page = await context.newPage()
      collectBrowserErrors(page, complaints)
      return { context, page }
    },
    async file(name, bytes) {
      const path = join(folder, 'files', name)
      await mkdir(join(folder, 'files'), { recursive: true })
      await writeFile(path, bytes)
      return path
    },
    async close() {
      await browser.close()
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Collects a page's console errors, and requests to hosts that are not allowed. */
export function collectBrowserErrors(page: Page, complaints: string[], hosts = ['localhost']): void {
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    // The browser logs every failed response; the journeys check those themselves.
    const refused = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !refused) complaints.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !hosts.includes(hostname)) complaints.push(`elsewhere: ${request.url()}`)
  })
}

/** Screenshots are taken only on request, into the given folder: `MAX_PICTURES=folder npx vitest …`. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}
