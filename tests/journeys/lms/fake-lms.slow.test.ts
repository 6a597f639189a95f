import type { BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import type { Link } from '../../fake-lms/data/lms-data.ts'
import { type FakeLms, startFakeLms } from '../../fake-lms/fake-lms.ts'
import { type MinimalTool, startMinimalTool } from '../../fake-lms/minimal-tool.ts'
import { journey } from '../support/shared.ts'
import { openLmsContext, toolFrame } from '../support/use-school.ts'

// The fake LMS's own pages, with a minimal tool instead of the product.

let lms: FakeLms
let tiny: MinimalTool
let context: BrowserContext
journey.beforeAll(async ({ shared }) => {
  lms = await startFakeLms({ kind: 'canvas' })
  tiny = await startMinimalTool(lms)
  context = await openLmsContext(await shared.browser('all'), [])
})
afterAll(async () => {
  await context?.close()
  await tiny?.close()
  await lms?.close()
})

function aLink(students = 1) {
  const school = lms.classOf(students)
  const deployment = lms.deploymentOf(tiny.tool)
  return { ...school, deployment, link: lms.addLink(school.course, { deployment, scoreMaximum: 20 }) }
}

async function opened(link: Link, person = lms.addAdmin()): Promise<{ page: Page; frame: Frame }> {
  const page = await context.newPage()
  await page.goto(lms.pageOf(link, person))
  const frame = await toolFrame(page)
  await frame.waitForURL('**/launch')
  return { page, frame }
}

/** The answer to a message from the tool's frame to its sibling frame of that name, or with null to the parent page. */
function say(frame: Frame, message: Record<string, unknown>, target: string | null, origin = lms.url) {
  return frame.evaluate(
    ([message, target, origin]) =>
      new Promise<Record<string, unknown>>((resolve) => {
        const to = target === null ? window.parent : window.parent.frames[target as never]
        const id = crypto.randomUUID()
        window.addEventListener('message', ({ data }) => data.message_id === id && resolve(data))
        ;(to as Window).postMessage({ ...(message as object), message_id: id }, String(origin))
      }),
    [message, target, origin] as const,
  )
}

it('launches a teacher into the frame, and a student into a window', async () => {
  const { link, teacher, students } = aLink()
  const { page, frame } = await opened(link, teacher)
  expect(await frame.textContent('body')).toBe(`hello ${teacher.id}`)
  await page.goto(lms.signedInUrl(students[0] ?? teacher, `/courses/${link.course.id}`))
  const window = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Open in a new window' }).click()
  const popup = await window
  await popup.waitForURL('**/launch')
  expect(await popup.textContent('body')).toBe(`hello ${students[0]?.id}`)
  await popup.close()
  await page.close()
})

it('stores data for a tool in the sibling frame, and announces it', async () => {
  const { link } = aLink()
  const { page, frame } = await opened(link)
  const storage = 'post_message_forwarding'
  await page.frame(storage)?.waitForLoadState()
  const { supported_messages: supported } = await say(frame, { subject: 'lti.capabilities' }, null)
  expect(supported).toContainEqual({ subject: 'lti.put_data', frame: storage })
  const put = { subject: 'lti.put_data', key: 'state', value: 'nonce-1' }
  expect(await say(frame, put, storage)).toMatchObject({ subject: 'lti.put_data.response', value: 'nonce-1' })
  const get = { subject: 'lti.get_data', key: 'state' }
  expect(await say(frame, get, storage)).toMatchObject({ key: 'state', value: 'nonce-1' })
  // The parent page answers, but without data, which the storage frame has.
  expect(await say(frame, get, null)).toMatchObject({ error: { code: 'wrong_origin' } })
  await say(frame, { ...put, value: null }, storage)
  expect(await say(frame, get, storage)).toMatchObject({ value: null })
  expect(await say(frame, { ...put, value: 'x'.repeat(5000) }, storage)).toMatchObject({
    error: { code: 'storage_exhaustion' },
  })
  await page.close()
})

it('does not answer a page that is not a tool’s', async () => {
  const { link } = aLink()
  const { page, frame } = await opened(link)
  const before = await say(frame, { subject: 'lti.put_data', key: 'mine', value: '1' }, 'post_message_forwarding')
  expect(before.value).toBe('1')
  // The page itself has the LMS's origin, and is not a tool.
  await page.evaluate(() => {
    const storage = window.frames['post_message_forwarding' as never] as Window
    storage.postMessage({ subject: 'lti.get_data', key: 'mine', message_id: '1' }, '*')
  })
  const heard = () => page.evaluate(() => (window as never as { ltiMessages: object[] }).ltiMessages)
  await expect.poll(heard).toContainEqual(expect.objectContaining({ allowed: false, origin: lms.url }))
  await page.close()
})

it('resizes the frame as requested by the tool, and closes it', async () => {
  const { link, teacher } = aLink()
  const { page, frame } = await opened(link, teacher)
  await say(frame, { subject: 'lti.frameResize', height: 1234 }, null)
  expect((await page.locator('iframe[name=tool]').boundingBox())?.height).toBe(1234)
  await frame.evaluate(() => window.parent.postMessage({ subject: 'org.imsglobal.lti.close' }, '*'))
  await page.waitForURL(`**/courses/${link.course.id}`)
  await page.close()
})

it('shows grades, copies a course, and has a student view for teachers', async () => {
  const { link, teacher, students, course } = aLink()
  const [item] = lms.lineItemsOf(link)
  const grade = {
    points: 16.5,
    comment: 'Well argued',
    activityProgress: 'Completed',
    gradingProgress: 'FullyGraded',
  }
  item?.grades.set(students[0]?.id ?? '', { ...grade, timestamp: new Date() })
  const page = await context.newPage()
  await page.goto(lms.signedInUrl(teacher, `/courses/${course.id}`))
  await page.getByRole('link', { name: 'Gradebook' }).click()
  await page.getByRole('cell', { name: '16.5 Well argued' }).waitFor()
  await page.getByRole('link', { name: 'Open in Assay' }).click()
  await (await toolFrame(page)).waitForURL('**/launch')
  expect(tiny.launched.at(-1)).toMatchObject({
    'https://purl.imsglobal.org/spec/lti/claim/for_user': { user_id: students[0]?.id },
  })
  await page.goto(`${lms.url}/courses/${course.id}`)
  await page.getByRole('button', { name: 'Copy this course' }).click()
  await page.getByRole('heading', { name: `${course.title} (copy)` }).waitFor()
  await page.getByRole('button', { name: 'Student View' }).click()
  await page.getByText('as a student would').waitFor()
  expect(await page.getByRole('link', { name: 'Gradebook' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Leave Student View' }).click()
  await page.getByRole('link', { name: 'Gradebook' }).waitFor()
  await page.close()
})
