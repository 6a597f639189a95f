import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerInstructor, registerStudent } from '@assay/shared/auth.ts'
import { enrolStudent } from '@assay/shared/courses.ts'
import axe from 'axe-core'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { type Api, createTestApi, type Person } from '../../../server/src/testing/server.ts'
import { firstAdminPassword } from '../../fake-lms/fake-lms.ts'
import { contextOptions, lateBound } from './browser.ts'
import { type ProductServer, startServer } from './product-server.ts'
import { journey } from './shared.ts'

type ContextOptions = Parameters<Browser['newContext']>[0]

export interface Product {
  url: string
  dataDir: string
  api: Api
  /** Console errors and requests to other hosts are collected. */
  open(options?: ContextOptions): Promise<{ context: BrowserContext; page: Page }>
  /** By a call instead of the form, which saves a page. */
  openAs(person: Person, options?: ContextOptions): Promise<{ context: BrowserContext; page: Page }>
  browserErrors: string[]
  file(name: string, bytes: Buffer): Promise<string>
  close(): Promise<void>
}

async function openProduct(
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

/** `PICTURES=folder npx vitest …` */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

/** Shared by journeys: give your people and courses names of their own (`registerPerson`), and look only at them. */
export function useProduct(): Product {
  const { value, bind } = lateBound<Product>()
  let product: Product | undefined
  journey.beforeAll(async ({ shared }) => {
    product = await openProduct(await shared.server(), await shared.browser())
    bind(product)
  })
  afterAll(() => product?.close())
  return value
}

interface OwnProduct<S extends ProductServer = ProductServer> extends Product {
  server: S
}

/** For journeys that change the school's settings or stop the product. */
export function useOwnProduct(environment?: Record<string, string>): OwnProduct
export function useOwnProduct<S extends ProductServer>(
  environment: Record<string, string>,
  start: (environment: Record<string, string>) => Promise<S>,
): OwnProduct<S>
export function useOwnProduct(
  environment: Record<string, string> = {},
  start: (environment: Record<string, string>) => Promise<ProductServer> = startServer,
): OwnProduct {
  const { value, bind } = lateBound<OwnProduct>()
  let server: ProductServer | undefined
  let product: Product | undefined
  journey.beforeAll(async ({ shared }) => {
    server = await start(environment)
    product = await openProduct(server, await shared.browser())
    bind({ ...product, server })
  })
  afterAll(async () => {
    await product?.close()
    await server?.stop()
  })
  return value
}

/** Takes a picture; axe finds nothing, and nothing is wider than the window. */
export async function looksRight(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, name)
  const wider = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
  expect([name, await accessibilityProblems(page), wider]).toEqual([name, [], false])
}

interface Found {
  violations: { id: string; help: string; nodes: { target: unknown[] }[] }[]
}

/** WCAG 2.2 A and AA, one line each. */
export async function accessibilityProblems(page: Page | Frame): Promise<string[]> {
  // Evaluated by the debugger, which ignores the CSP.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<Found>(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    resultTypes: ['violations'],
  })`)
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.target.join(' ')).join(', ')})`,
  )
}

export const PASSWORD = 'Some-Good-7-Phrase'

/** Journeys share the product, so usernames must differ. */
export const unique = (name: string) => `${name}-${randomUUID().slice(0, 6)}`

export const emailOf = (username: string) => `${username}@school.example`

export async function registerPerson(
  api: Api,
  role: 'instructor' | 'student',
  name: string,
  full_name?: string,
): Promise<Person> {
  const username = unique(name)
  const account = { username, email: emailOf(username), password: PASSWORD, ...(full_name ? { full_name } : {}) }
  const { status, body, text } = await (role === 'student'
    ? api.nobody.send(registerStudent, { body: account })
    : api.nobody.send(registerInstructor, { body: { ...account, role } }))
  if (status !== 201) throw new Error(`${username} could not register: ${text}`)
  return { id: body.id, username, password: PASSWORD }
}

/** By the administrator: a teacher may name only people they know by ID, and these have no confirmed address. */
export async function enrol(product: Pick<Product, 'api' | 'dataDir'>, courseId: number, student: Person) {
  const admin = product.api.as(await firstAdmin(product))
  const { status, text } = await admin.send(enrolStudent, { params: { courseId }, body: { user_id: student.id } })
  if (status !== 201) throw new Error(`${student.username} could not be enrolled: ${text}`)
}

export async function firstAdmin({ dataDir }: Pick<Product, 'dataDir'>): Promise<Person> {
  return { id: 0, username: 'admin', password: await firstAdminPassword(dataDir) }
}
