import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { publishAssignment } from '@assay/shared/assignments.ts'
import express from 'express'
import type { Browser, Frame, Page } from 'playwright-core'
import { buildLaunchedAssignment, setUpCourse } from '../../server/src/testing/registered-lms.ts'
import { createTestApi } from '../../server/src/testing/server.ts'
import { startServerProcess } from '../../server/src/testing/server-process.ts'
import { type FakeLms, registerWithProduct, startFakeLms } from '../fake-lms/fake-lms.ts'
import { moodleWeight } from '../fake-lms/pages/page-weight.ts'
import { desktop, openBrowser } from '../journeys/support/browser.ts'
import { type BenchReport, inFolder } from './bench-report.ts'
import { watchForFirstRow } from './pages/first-row.ts'
import { median } from './statistics.ts'

const ROUNDS = 10
const MAX_RATIO = 1.4
const MAX_REQUESTS = 10

interface Opened {
  /** From the click until the first heading was drawn. */
  ms: number
  /** Begun before the heading. */
  requests: number
  fromCache: number
}

interface Activity {
  lmsUrl: string
  signedIn: string
  path: string
  /** Of the tool in the page's frame; null for the LMS's own page. */
  toolUrl: string | null
}

/** Against a page of the LMS's own, of Moodle's weight. */
export const launch = ({ heading, result, text }: BenchReport): Promise<void> =>
  inFolder('launch', async (dataDir) => {
    const { hopMs } = moodleWeight
    const lms = await startFakeLms({ kind: 'moodle', pagesWeigh: true, delayMs: { authorization: hopMs } })
    const product = await startServerProcess(dataDir)
    const empty = await startEmptyTool(lms)
    const browser = await openBrowser()
    try {
      const deployment = lms.deploymentOf(await registerWithProduct(lms, { url: product.url, dataDir }))
      const school = { lms, deployment, server: { running: product } }
      const { course, link, students, ...room } = await setUpCourse(school, 1)
      const { assignmentId } = await buildLaunchedAssignment(createTestApi(school.server), room)
      await room.teacherLaunch.caller.send(publishAssignment, { params: { assignmentId } })
      const [student] = students
      if (!student) throw new Error('a student')
      const of = { lmsUrl: lms.url, signedIn: lms.signedInUrl(student, `/courses/${course.id}`) }
      const own = { ...of, path: `/courses/${course.id}/links/own`, toolUrl: null }
      const launchOf = (id: string, toolUrl: string) => ({ ...of, path: `/courses/${course.id}/links/${id}`, toolUrl })
      const ours = launchOf(link.id, product.url)
      const least = launchOf(lms.addLink(course, { deployment: empty.deployment }).id, empty.url)

      // They take turns, so that other load on the machine affects both.
      const openAll = async () => ({
        own: await openTwice(browser, own),
        ours: await openTwice(browser, ours),
        least: await openTwice(browser, least),
      })
      // The first page of a new browser, and the first launch, wait for more than themselves.
      await openAll()
      const rounds: Awaited<ReturnType<typeof openAll>>[] = []
      while (rounds.length < ROUNDS) rounds.push(await openAll())

      heading(`A launch in Chromium against a page of the LMS’s own, from the click: medians of ${ROUNDS}`)
      text(`Assumed of the LMS’s pages: ${JSON.stringify(moodleWeight).replaceAll(/["{}]/g, '').replaceAll(',', ', ')}`)
      for (const state of ['cold', 'warm'] as const) {
        const of = (page: keyof (typeof rounds)[number], what: keyof Opened) =>
          median(rounds.map((round) => round[page][state][what]))
        const [launched, theirs, floor] = [of('ours', 'ms'), of('own', 'ms'), of('least', 'ms')]
        const compare = (what: string, one: number, other: number, goal = '') =>
          result(
            `${state}: ${what}`,
            `${one.toFixed(0)} / ${other.toFixed(0)} ms`,
            `${(one / other).toFixed(2)}×${goal}`,
          )
        compare('first heading', launched, theirs, `, goal: at most ${MAX_RATIO}×`)
        compare('that of a tool that does nothing', floor, theirs)
        compare('first heading / that tool’s', launched, floor)
        const cached = `${of('ours', 'fromCache')} of them from the cache`
        result(`${state}: requests to Assay`, `${of('ours', 'requests')}`, `goal: at most ${MAX_REQUESTS}, ${cached}`)
      }
    } finally {
      await browser.close()
      empty.close()
      await product.stop()
      await lms.close()
    }
  })

/** What no tool can be quicker than: it looks nothing up, checks nothing, and its page is a heading. */
async function startEmptyTool(lms: FakeLms) {
  const app = express()
  app.use(express.urlencoded({ extended: false }))
  app.all('/login', ({ query, body }, response) => {
    const { client_id, login_hint, lti_message_hint } = { ...query, ...body }
    const asked = new URL(lms.authorizationUrl)
    const { origin } = new URL(url)
    const fixed = { scope: 'openid', response_type: 'id_token', response_mode: 'form_post', prompt: 'none', nonce: 'n' }
    const fields = { ...fixed, client_id, login_hint, lti_message_hint, redirect_uri: `${origin}/launch` }
    for (const [name, value] of Object.entries(fields)) asked.searchParams.set(name, value)
    response.redirect(asked.href)
  })
  app.post('/launch', (_request, response) => response.redirect(303, '/l/page'))
  app.get('/l/page', (_request, response) => void response.send('<!doctype html><title>Quiz</title><h1>Quiz</h1>'))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const tool = lms.registerTool({ loginUrl: `${url}/login`, launchUrl: `${url}/launch`, jwksUrl: `${url}/jwks` })
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url, deployment: lms.deploymentOf(tool), close }
}

async function openTwice(browser: Browser, activity: Activity): Promise<{ cold: Opened; warm: Opened }> {
  const context = await browser.newContext({ viewport: desktop })
  context.setDefaultTimeout(180_000)
  await watchForFirstRow(context, 'h1')
  const visit = async () => {
    const page = await context.newPage()
    await page.goto(activity.signedIn)
    const opened = await openActivity(page, activity)
    await page.close()
    return opened
  }
  const visits = { cold: await visit(), warm: await visit() }
  await context.close()
  return visits
}

interface Drawn {
  at: number
  requests: number
  fromCache: number
}

const whenDrawn = `firstRow.then(({ madeAt, ms }) => {
  const before = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < madeAt)
  const fromCache = before.filter(({ transferSize }) => transferSize === 0).length
  return { at: performance.timeOrigin + ms, requests: before.length, fromCache }
})`

/** Clicked in a page that weighs nothing: the course's own would have loaded the theme. */
async function openActivity(page: Page, { lmsUrl, path, toolUrl }: Activity): Promise<Opened> {
  let documents = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().startsWith(toolUrl ?? lmsUrl)) documents++
  })
  const clickedAt = await page.evaluate<number>(`(() => {
    const link = Object.assign(document.createElement('a'), { href: ${JSON.stringify(path)} })
    document.body.append(link)
    const at = performance.timeOrigin + performance.now()
    link.click()
    return at
  })()`)
  await page.waitForURL(`**${path}`, { waitUntil: 'commit' })
  const drawn = await (toolUrl ? toolFrame(page) : Promise.resolve(page.mainFrame())).then((frame) =>
    frame.evaluate<Drawn>(whenDrawn),
  )
  // The browser's cache then has all of the LMS's files.
  await page.waitForFunction('window.lmsReady')
  const requests = documents + drawn.requests
  return { ms: drawn.at - clickedAt, requests, fromCache: drawn.fromCache }
}

async function toolFrame(page: Page): Promise<Frame> {
  const element = await page.locator('iframe[name=tool]').elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('the LMS’s page has no frame for the tool')
  await frame.waitForURL(/\/l\//, { waitUntil: 'commit' })
  return frame
}
