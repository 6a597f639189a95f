import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll } from 'vitest'
import type { Deployment, Link, Person } from '../../fake-lms/data/lms-data.ts'
import { type FakeLms, type LmsOptions, registerWithProduct, startFakeLms } from '../../fake-lms/fake-lms.ts'
import { contextOptions, type FrameCookies } from './browser.ts'
import { lateBound } from './late-bound.ts'
import { collectBrowserErrors, type Product, useProduct } from './product.ts'
import { journey } from './shared.ts'

export interface School {
  product: Product
  lms: FakeLms
  deployment: Deployment
  open(cookies?: FrameCookies): Promise<{ context: BrowserContext; page: Page }>
  browserErrors: string[]
}

/** With a fake LMS of its own; the product is the one that journeys share, unless another is given. */
export function useSchool(options: LmsOptions, product: Product = useProduct()): School {
  const { value, bind } = lateBound<School>()
  const browserErrors: string[] = []
  const contexts: BrowserContext[] = []
  let lms: FakeLms | undefined
  journey.beforeAll(async ({ shared }) => {
    lms = await startFakeLms(options)
    const tool = await registerWithProduct(lms, product)
    bind({
      product,
      lms,
      deployment: lms.deploymentOf(tool),
      browserErrors,
      async open(cookies) {
        const context = await openLmsContext(await shared.browser(cookies), browserErrors)
        contexts.push(context)
        return { context, page: await context.newPage() }
      },
    })
  })
  afterAll(async () => {
    for (const context of contexts) await context.close()
    await lms?.close()
  })
  return value
}

/** For pages of both the LMS and the product; errors of popups are collected too. */
export async function openLmsContext(browser: Browser, browserErrors: string[]): Promise<BrowserContext> {
  const context = await browser.newContext(contextOptions)
  context.setDefaultTimeout(180_000)
  context.on('page', (page) => collectBrowserErrors(page, browserErrors, ['localhost', '127.0.0.1']))
  return context
}

export async function toolFrame(page: Page): Promise<Frame> {
  // By its element, as the browser reports the frame's name later.
  const element = await page.locator('iframe[name=tool]').elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('the LMS’s page has no frame for the tool')
  return frame
}

export async function openLink({ lms }: Pick<School, 'lms'>, page: Page, person: Person, link: Link): Promise<Frame> {
  await page.goto(lms.pageOf(link, person))
  return toolFrame(page)
}
