import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import type { Deployment, Link, Person } from '../fake-lms/data/lms-data.ts'
import { type FakeLms, type LmsOptions, startFakeLms } from '../fake-lms/fake-lms.ts'
import { registerWithProduct } from '../fake-lms/register-with-product.ts'
import { desktop } from './browser.ts'
import { type FrameCookies, openLmsBrowser } from './lms-browser.ts'
import { collectBrowserErrors, type Product, startProduct } from './product.ts'

/** The product and a fake LMS on another site, registered with each other. */
export interface LmsAndProduct {
  product: Product
  lms: FakeLms
  deployment: Deployment
  /** A user's browser with the given cookie policy for frames. */
  open(cookies?: FrameCookies): Promise<{ context: BrowserContext; page: Page }>
  browserErrors: string[]
  close(): Promise<void>
}

/** A free port. The product's address is part of its registration, so it must be known beforehand. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || !address) throw new Error('no port is free')
  return address.port
}

export async function startLmsAndProduct(
  options: LmsOptions = {},
  environment: Record<string, string> = {},
  start = startProduct,
): Promise<LmsAndProduct> {
  const lms = await startFakeLms(options)
  const product = await start({ PORT: String(await freePort()), ...environment })
  const tool = await registerWithProduct(lms, { url: product.url, dataDir: join(product.folder, 'data') })
  const complaints: string[] = []
  const closing: (() => Promise<void>)[] = []
  return {
    product,
    lms,
    deployment: lms.deploymentOf(tool),
    browserErrors: complaints,
    async open(cookies = 'partitioned') {
      const { context, forget } = await openLmsBrowser(cookies)
      closing.push(async () => {
        await context.close()
        await forget()
      })
      context.setDefaultTimeout(15_000)
      context.on('page', (page) => collectBrowserErrors(page, complaints, ['localhost', '127.0.0.1']))
      const page = await context.newPage()
      await page.setViewportSize(desktop)
      return { context, page }
    },
    async close() {
      for (const close of closing) await close()
      await product.close()
      await lms.close()
    },
  }
}

/** The tool's frame in a page of the LMS. */
export async function toolFrame(page: Page): Promise<Frame> {
  // By its element, as the browser reports the frame's name later.
  const element = await page.locator('iframe[name=tool]').elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('the LMS’s page has no frame for the tool')
  return frame
}

/** Opens a link in the LMS; returns the page, and the frame with the tool. */
export async function openLink(
  school: Pick<LmsAndProduct, 'lms'>,
  page: Page,
  person: Person,
  link: Link,
): Promise<Frame> {
  await page.goto(school.lms.pageOf(link, person))
  return toolFrame(page)
}
