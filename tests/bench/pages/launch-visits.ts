import type { Browser, Frame, Page } from 'playwright-core'
import type { RunningServer } from '../../../server/src/start.ts'
import { linkAssignment, linkCourse, registerLms, toolOf } from '../../../server/src/testing/lti-records.ts'
import type { Link, Person } from '../../fake-lms/data/lms-data.ts'
import { type FakeLms, startFakeLms } from '../../fake-lms/fake-lms.ts'
import { desktop, openBrowser } from '../../journeys/support/browser.ts'
import { medianOf, slowDown, type Visit, visitOf, watchForFirstRow } from './first-row.ts'
import type { PageClass } from './page-class.ts'
import { type PageCost, typical } from './page-visits.ts'

const ROUNDS = 3

export interface LaunchVisits extends PageCost {
  /** Until the page of ours began to be asked for: the LMS's login and our check of its token. */
  handOff: { cold: number; warm: number }
}

/** A teacher's launches from the LMS's page to the submissions: its form's post to the first row, with an empty and a full cache. */
export async function measureLaunchVisits(
  running: RunningServer,
  { courseId, assignmentId, submissions }: PageClass,
  slowdowns: readonly number[],
): Promise<LaunchVisits[]> {
  const lms = await startFakeLms({ kind: 'canvas' })
  const browser = await openBrowser()
  try {
    const platform = await registerLms(running, lms)
    const { course, teacher } = lms.classOf(5)
    const deployment = lms.deploymentOf(toolOf(lms, platform))
    const inFrame = lms.addLink(course, { deployment, title: 'In a frame' })
    const inWindow = lms.addLink(course, { deployment, title: 'In a window', target: 'window' })
    const context = await linkCourse(lms, platform, course, courseId)
    for (const link of [inFrame, inWindow]) await linkAssignment(lms, context, link, assignmentId)
    const launch = { lms, teacher, firstRow: submissions.firstRow }
    await launchTwice(browser, { ...launch, link: inWindow }, 1)

    const costs: LaunchVisits[] = []
    for (const slowdown of slowdowns) costs.push(await measure(browser, { ...launch, link: inWindow }, slowdown))
    // A frame of another site has a process of its own, which is not slowed down with the page.
    costs.push(await measure(browser, { ...launch, link: inFrame }, 1))
    return costs
  } finally {
    await browser.close()
    await lms.close()
  }
}

interface Launching {
  lms: FakeLms
  teacher: Person
  link: Link
  firstRow: string
}

interface Launched extends Visit {
  handOff: number
}

async function measure(browser: Browser, launching: Launching, slowdown: number): Promise<LaunchVisits> {
  const [cold, warm]: [Launched[], Launched[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const visits = await launchTwice(browser, launching, slowdown)
    cold.push(visits.cold)
    warm.push(visits.warm)
  }
  const handOff = (of: Launched[]) => medianOf(of.map((one) => one.handOff))
  return {
    name: `launch ${launching.link.title.toLowerCase()}`,
    slowdown,
    cold: typical(cold),
    warm: typical(warm),
    handOff: { cold: handOff(cold), warm: handOff(warm) },
  }
}

async function launchTwice(browser: Browser, launching: Launching, slowdown: number) {
  const context = await browser.newContext({ viewport: desktop })
  await watchForFirstRow(context, launching.firstRow)
  const visit = async () => {
    const page = await context.newPage()
    await slowDown(page, slowdown)
    const visited = await launchOnce(page, launching)
    await page.close()
    return visited
  }
  const visits = { cold: await visit(), warm: await visit() }
  await context.close()
  return visits
}

async function launchOnce(page: Page, { lms, teacher, link }: Launching): Promise<Launched> {
  let posted = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/lti/login') posted ||= Date.now()
  })
  const launched = new Promise<Frame>((found) => {
    page.on('framenavigated', (frame) => {
      if (new URL(frame.url(), 'http://none').pathname.startsWith('/l/')) found(frame)
    })
  })
  await page.goto(lms.pageOf(link, teacher), { waitUntil: 'commit' }).catch(() => undefined)
  const frame = await launched
  const visit = await visitOf(page, frame)
  return { ...visit, ms: visit.at - posted, handOff: visit.at - visit.ms - posted }
}
