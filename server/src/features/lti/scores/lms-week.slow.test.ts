import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import { listCourseStudents } from '@assay/shared/courses.ts'
import { syncLmsRoster } from '@assay/shared/lti/lti-roster.ts'
import { checkLmsScores, type LmsScore, sendLmsScores } from '@assay/shared/lti/lti-scores.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { LineItem, Link } from '../../../../../tests/fake-lms/data/records.ts'
import { startFakeLms } from '../../../../../tests/fake-lms/fake-lms.ts'
import { CLAIM, type Claims, type KindName, ROLE, roleUri } from '../../../../../tests/fake-lms/lms-kinds.ts'
import type { Service } from '../../../../../tests/fake-lms/request-log.ts'
import { JobModel } from '../../../lib/jobs/job.model.ts'
import { CourseModel } from '../../../records/courses/course.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { LtiLedgerDueModel, LtiScoreModel } from '../../../records/lti/score.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import type { RunningServer } from '../../../start.ts'
import { createTestDatabase } from '../../../testing/create-test-database.ts'
import { buildLmsClass, override, scoreRowsOfLinks, scoresOf } from '../../../testing/lms-class.ts'
import { linkPerson } from '../../../testing/lti-records.ts'
import { moveClock } from '../../../testing/move-clock.ts'
import { findAccount, launchAndSignIn } from '../../../testing/registered-lms.ts'
import { createTestApi, startTestServer } from '../../../testing/server.ts'

/** CI's; docs/testing.md has others. */
const weeks = Number(process.env.LMS_WEEKS ?? 6)
const seed = Number(process.env.LMS_WEEKS_SEED ?? 2026)

const STUDENTS = 4
const JOBS = ['update-score-ledger', 'send-scores', 'read-lms-results', 'sync-lms-roster']
const SERVICES: Service[] = ['token', 'members', 'lineItems', 'lineItem', 'scores', 'results']
/** More polling would cost most of a week's time. */
const POLL_MS = 50
const MAX_WAITS = 80

interface Step {
  step: string
  who: number
  link: number
  percent: number
  maximum: number
  yes: boolean
  seconds: number
}

async function beginWeek(kind: KindName, alone: boolean) {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-week-'))
  const lms = await startFakeLms({ kind })
  const database = await createTestDatabase()
  const clock = moveClock()
  let assay: RunningServer | null = null
  const server = {
    get running(): RunningServer {
      if (!assay) throw new Error('Assay is down')
      return assay
    },
  }
  const api = createTestApi(server)

  /** The LMS gives no token before it knows the new address. */
  async function start(): Promise<void> {
    if (assay) return
    const known = Promise.withResolvers<void>()
    const endHold = lms.fail('token', { before: () => known.promise, times: Infinity })
    assay = await startTestServer(dataDir, { MONGODB_URL: database.url }, { scorePollMs: POLL_MS })
    const launchUrl = `${assay.url}/lti/launch`
    for (const tool of lms.tools.values())
      Object.assign(tool, {
        ...{ loginUrl: `${assay.url}/lti/login`, jwksUrl: `${assay.url}/lti/keys` },
        ...{ launchUrl, deepLinkingUrl: launchUrl, redirectUris: [launchUrl] },
      })
    for (const link of lms.links.values()) link.url = launchUrl
    endHold()
    known.resolve()
  }

  async function stop(): Promise<void> {
    const stopped = assay
    assay = null
    await stopped?.stop()
  }

  const hasJobs = async () => {
    const due = [{ status: 'running' as const }, { status: 'queued' as const, run_at: { $lte: new Date() } }]
    return (await JobModel.exists({ name: { $in: JOBS }, $or: due })) !== null
  }
  /** Looked at twice, as a job that ends may have left another. */
  const isBusy = async () => (await hasJobs()) || (await LtiLedgerDueModel.exists({})) !== null || (await hasJobs())
  const idle = () => expect.poll(isBusy, { interval: POLL_MS }).toBe(false)

  async function pass(ms: number): Promise<void> {
    clock.pass(ms)
    await assay?.services.jobs.expedite('')
  }

  async function settle(isEnough = async () => false): Promise<void> {
    for (let waits = 0; waits < MAX_WAITS; waits++) {
      await idle()
      if (await isEnough()) return
      const next = await JobModel.findOne({ name: { $in: JOBS } })
        .sort({ run_at: 1 })
        .lean()
      if (!next) return
      await pass(Math.max(0, next.run_at.getTime() - Date.now()) + 1)
    }
    throw new Error('Assay never stops asking the LMS')
  }

  await start()
  const one = await buildLmsClass(server, api, lms, { students: STUDENTS })
  const owner = await UserModel.findById(one.teacher.id).lean()
  const teachers = Array.from({ length: alone ? 1 : 2 }, () => lms.addUser({ roles: [ROLE.institutionFaculty] }))
  for (const [i, person] of teachers.entries()) {
    lms.enrol(one.course, person, 'Instructor')
    const joined = i === 0 && owner ? { user: owner } : {}
    await linkPerson(one.platform, one.context, person, { role: 'instructor', ...joined })
  }
  const percents = one.students.map((_, i) => 50 + 5 * i)
  for (const [i, { submissionId }] of one.students.entries()) await override(api, one, submissionId, percents[i] ?? 0)
  return {
    ...{ lms, api, one, pass, percents, start, stop, idle, settle },
    teachers,
    school: { ...{ lms, server }, platform: one.platform, deployment: one.link.deployment },
    isUp: () => assay !== null,
    teacher: () => api.as(one.teacher),
    params: { assignmentId: one.assignmentId },
    published: false,
    cleared: false,
    /** By student: how often grades were dropped in the LMS, or asked to be sent again. */
    reasonsToRepeat: percents.map(() => 0),
    /** `setThere`: set in the LMS. `interruptions`: ended before an answer. */
    setThere: new Set<number>(),
    interruptions: 0,
    /** There and back may rescale scores without a trace. */
    newMaxima: new Map<LineItem | undefined, number>(),
    outage: null as (() => void)[] | null,
    async close() {
      try {
        await stop()
        await lms.close()
        await database.drop()
        await rm(dataDir, { recursive: true, force: true })
      } finally {
        clock.restore()
      }
    },
  }
}

type Week = Awaited<ReturnType<typeof beginWeek>>

const memberOf = ({ one }: Week, index: number) => {
  const person = one.students[index]?.person
  return person && one.course.members.has(person.id) ? person : null
}
const linkOf = ({ lms, one }: Week, n: number): Link | undefined => {
  const links = [...lms.links.values()].filter(({ course }) => course === one.course)
  return links[n % Math.max(1, links.length)]
}
const itemOf = (week: Week, n: number): LineItem | undefined => {
  const link = linkOf(week, n)
  return link && week.lms.lineItemsOf(link)[0]
}
const done = async (asked: Promise<{ status: number; text: string }>) => {
  const { status, text } = await asked
  if (status >= 500) throw new Error(text)
}

/** Relative to each other. */
const frequencies = {
  ...{ unenrol: 4, enrol: 5, launch: 2, publish: 4, unpublish: 1, overrideHere: 3, overrideThere: 6 },
  ...{ addActivity: 2, deleteActivity: 1, changeMaximum: 4, lock: 2, unlock: 2, lmsDown: 2, lmsUp: 3 },
  ...{ stop: 1, stopAtCall: 2, start: 3, syncRoster: 3, readGradebook: 2, sendAgain: 1, wait: 5, switchRole: 3 },
}
type Take = (week: Week, step: Step) => unknown

const atAnyTime: Record<string, Take> = {
  unenrol(week, { who }) {
    const person = memberOf(week, who)
    if (!person) return
    if (week.lms.kind.name === 'moodle') week.reasonsToRepeat[who] = (week.reasonsToRepeat[who] ?? 0) + 1
    week.lms.unenrol(week.one.course, person)
  },
  enrol(week, { who }) {
    const student = week.one.students[who]
    if (student && !memberOf(week, who)) week.lms.enrol(week.one.course, student.person, 'Learner')
  },
  overrideThere(week, { who, link, maximum, percent }) {
    const [person, item] = [memberOf(week, who), itemOf(week, link)]
    if (!person || !item) return
    week.setThere.add(who)
    week.lms.overrideGrade(item, person, (maximum * percent) / 100)
  },
  changeMaximum(week, { link, maximum, yes }) {
    const item = itemOf(week, link)
    if (!item) return
    week.newMaxima.set(item, (week.newMaxima.get(item) ?? 0) + 1)
    week.lms.changeMaximum(item, maximum, yes && week.lms.kind.name === 'moodle')
  },
  lock(week, { link }) {
    week.interruptions++
    Object.assign(itemOf(week, link) ?? {}, { locked: true })
  },
  unlock: (week, { link }) => Object.assign(itemOf(week, link) ?? {}, { locked: false }),
  deleteActivity(week, { link }) {
    const found = linkOf(week, link)
    if (found) week.lms.deleteLink(found)
  },
  lmsDown(week, { yes }) {
    week.interruptions++
    if (week.outage) return
    const ends = SERVICES.map((service) => week.lms.fail(service, { reset: 'before', times: Infinity }))
    if (yes) ends.unshift(week.lms.fail('scores', { reset: 'after' }))
    week.outage = ends
  },
  lmsUp(week) {
    for (const end of week.outage ?? []) end()
    week.outage = null
  },
  start: (week) => week.start(),
  async wait(week, { seconds }) {
    if (week.isUp()) await week.idle()
    await week.pass(seconds * 1000)
    if (week.isUp()) await week.idle()
  },
}

const whileUp: Record<string, Take> = {
  async publish(week) {
    await done(week.teacher().send(publishAssignment, { params: week.params }))
    week.published = true
  },
  async unpublish(week, { yes }) {
    if (!week.published) return
    await done(week.teacher().send(unpublishAssignment, { params: week.params, body: { clear_lms_scores: yes } }))
    week.published = false
    week.cleared ||= yes
  },
  async overrideHere(week, { who, percent }) {
    await override(week.api, week.one, week.one.students[who]?.submissionId ?? 0, percent)
    week.percents[who] = percent
  },
  async launch(week, { who, link: n }) {
    const [person, link] = [memberOf(week, who), linkOf(week, n)]
    if (person && link && !week.outage) await week.lms.launcher().go({ as: person, link })
  },
  async switchRole(week, { who, link: n, yes }) {
    const [teacher, link] = [week.teachers[who % week.teachers.length], linkOf(week, n)]
    if (!teacher || !link) return
    const roles = [roleUri(who < 2 ? 'Learner' : 'Mentor')]
    const mutate = (claims: Claims) => Object.assign(claims, { [`${CLAIM}/roles`]: roles })
    const { launch } = await launchAndSignIn(week.school, { as: teacher, link, mutate })
    expect([launch.role, launch.purpose]).toEqual(['student', who < 2 ? 'student_view' : 'no_role'])
    await expectTaught(week)
    if (!yes) return
    const back = await launchAndSignIn(week.school, { as: teacher, link })
    expect([back.launch.role, back.launch.purpose]).toEqual(['instructor', 'open'])
  },
  addActivity(week, step) {
    const custom = { assignment_id: String(week.one.assignmentId) }
    const { deployment } = week.one.link
    week.lms.addLink(week.one.course, { deployment, custom, scoreMaximum: step.maximum })
    return whileUp.launch?.(week, { ...step, link: [...week.lms.links].length - 1 })
  },
  syncRoster: (week) => done(week.teacher().send(syncLmsRoster, { params: { courseId: week.one.courseId }, body: {} })),
  readGradebook: (week) => done(week.teacher().send(checkLmsScores, { params: week.params })),
  async sendAgain(week) {
    await done(week.teacher().send(sendLmsScores, { params: week.params }))
    week.reasonsToRepeat = week.reasonsToRepeat.map((reasons) => reasons + 1)
  },
  stop(week) {
    week.interruptions++
    return week.stop()
  },
  async stopAtCall(week, { who, yes }) {
    week.interruptions++
    const [heard, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const before = () => {
      heard.resolve()
      return gate.promise
    }
    const service = (['scores', 'results', 'lineItem', 'members'] as const)[who] ?? 'scores'
    const end = week.lms.fail(service, { before, ...(yes ? {} : { reset: 'before' }) })
    await Promise.race([heard.promise, week.idle()])
    end()
    await week.stop()
    gate.resolve()
  },
}

async function take(week: Week, step: Step): Promise<void> {
  await atAnyTime[step.step]?.(week, step)
  if (week.isUp()) await whileUp[step.step]?.(week, step)
}

const names = Object.entries(frequencies).flatMap(([name, often]) => Array<string>(often).fill(name))
const quietly: Step = { step: '', who: 0, link: 0, percent: 5, maximum: 10, yes: false, seconds: 12 }
const anyStep: fc.Arbitrary<Step> = fc.record({
  step: fc.constantFrom(...names),
  who: fc.nat(STUDENTS - 1),
  link: fc.nat(3),
  percent: fc.integer({ min: 1, max: 20 }).map((n) => 5 * n),
  maximum: fc.constantFrom(10, 20, 37, 100),
  yes: fc.boolean(),
  seconds: fc.constantFrom(0, 12, 60),
})

async function end(week: Week): Promise<void> {
  await take(week, { ...quietly, step: 'lmsUp' })
  await week.start()
  // Locked columns hold up no other.
  await week.settle(async () => {
    const { links } = await scoresOf(week.api, week.one)
    const open = await Promise.all(
      links.map(async ({ link_id, counts }) => {
        const { lineitem_url = null } = (await LtiResourceLinkModel.findById(link_id).lean()) ?? {}
        const item = [...week.lms.lineItems.values()].find((one) => week.lms.lineItemUrl(one) === lineitem_url)
        return !item?.locked && counts.waiting + counts.sending > 0
      }),
    )
    return !open.includes(true)
  })
  for (const item of week.lms.lineItems.values()) item.locked = false
  await week.settle()
  await take(week, { ...quietly, step: 'syncRoster' })
  await week.settle()
}
async function read(week: Week): Promise<void> {
  await take(week, { ...quietly, step: 'readGradebook' })
  await week.settle()
}

async function expectTaught({ api, one, teachers }: Week): Promise<void> {
  const accounts = await Promise.all(teachers.map((person) => findAccount(one.platform, person)))
  const ids = accounts.map(({ _id }) => _id)
  expect((await CourseModel.findById(one.courseId).lean())?.instructor_ids).toEqual(ids)
  const students = await api.as(one.teacher).send(listCourseStudents, { params: { courseId: one.courseId } })
  expect(students.status, students.text).toBe(200)
  expect(students.body.filter(({ id }) => ids.includes(id))).toEqual([])
  expect(await LtiScoreModel.find({ user_id: { $in: ids } }).lean()).toEqual([])
}

async function expectGradebookTold(week: Week): Promise<void> {
  const { api, one, lms } = week
  const scores = await scoresOf(api, one)
  const rows = await scoreRowsOfLinks(api, one)
  expect(scores.published).toBe(week.published)
  for (const told of scores.links) {
    const stored = await LtiResourceLinkModel.findById(told.link_id).lean()
    const link = lms.links.get(stored?.resource_link_id ?? '')
    const ofLink = rows.filter(({ link_id }) => link_id === told.link_id)
    const counted = { waiting: 0, sending: 0, in_gradebook: 0, different: 0, missing: 0 }
    if (!link) {
      expect(told.counts).toMatchObject({ ...counted, sent: 0 })
      expect(ofLink.filter(({ result }) => result !== null)).toEqual([])
      continue
    }
    expect(told).toMatchObject({ gone_since: null, checking: false, problem: null, gradebook_url: null })
    const item = lms.lineItemsOf(link).find((one) => lms.lineItemUrl(one) === stored?.lineitem_url)
    for (const index of one.students.keys()) {
      const state = expectTold(week, index, ofLink, item)
      if (state === 'same') counted.in_gradebook++
      else if (state) counted[state]++
    }
    expect(told.counts).toMatchObject({ ...counted, refused: 0 })
  }
}

function expectTold(week: Week, index: number, rows: LmsScore[], item: LineItem | undefined) {
  const { one, published } = week
  const { person, account, submissionId } = one.students[index] ?? {}
  const row = rows.find(({ student_id }) => student_id === account?._id)
  const grade = item?.grades.get(person?.id ?? '')
  const isActive = memberOf(week, index) !== null
  const maximum = item?.scoreMaximum ?? 100
  const about = `student ${index}, ${JSON.stringify({ row, grade, isActive, maximum, percent: week.percents[index] })}`
  const { recorded = null, result: shown = null } = row ?? {}
  if (isActive && published) {
    expect(row, about).toMatchObject({ submission_id: submissionId, state: 'sent' })
    expect(recorded && (recorded.points / recorded.maximum) * 100, about).toBeCloseTo(week.percents[index] ?? 0, 2)
  }
  if (row?.state !== 'sent') return null
  if (isActive) expect(shown, about).not.toBeNull()
  if (!shown) return null
  const states = [stateOf(row, grade?.points, grade !== undefined, maximum)]
  // Our points of an old maximum may have been set there.
  if (recorded?.maximum !== maximum && week.setThere.has(index)) states.push('different')
  expect(states, about).toContain(shown.state)
  const saidSet = shown.state === 'different' && (!recorded || recorded.maximum === maximum)
  if (saidSet && (week.newMaxima.get(item) ?? 0) < 2) expect([...week.setThere], about).toContain(index)
  if (shown.state === 'same' || shown.state === 'different')
    expect(shown, about).toMatchObject(grade?.points == null ? { points: null } : { points: grade.points, maximum })
  if (shown.state === 'same' && recorded && isActive && published) expect(recorded.maximum, about).toBe(maximum)
  // One loss is repaired; a second may have come before the gradebook showed the score again.
  if (isActive && published && shown.state === 'missing') expect(week.reasonsToRepeat[index], about).toBeGreaterThan(1)
  if (row.cleared || shown.state === 'unknown' || (shown.state === 'missing' && !isActive)) return null
  return shown.state
}

function stateOf({ recorded, result }: LmsScore, points: number | null | undefined, isThere: boolean, maximum: number) {
  if (!recorded) return points == null ? 'same' : 'different'
  // An LMS that has never shown a result may show none at all.
  if (points == null) return isThere ? 'different' : result?.state === 'unknown' ? 'unknown' : 'missing'
  const isOurs = Math.abs(points - (recorded.points * maximum) / recorded.maximum) < 0.01
  const isOfOldMaximum = recorded.maximum !== maximum && Math.abs(points - recorded.points) < 0.01
  return isOurs || isOfOldMaximum ? 'same' : 'different'
}

/** A taken score is sent again only where it may have been lost, or somebody asked. */
function expectNoRepeats({ lms, one, reasonsToRepeat, setThere, interruptions, cleared, newMaxima }: Week): void {
  for (const item of lms.lineItems.values())
    for (const [index, { person }] of one.students.entries()) {
      const bodies = item.accepted.filter((score) => score.person === person).map(({ body }) => body)
      const repeated = bodies.filter(({ scoreGiven, comment }, i) => {
        const before = bodies[i - 1]
        return before && before.scoreGiven === scoreGiven && before.comment === comment
      })
      // After an interruption Canvas, which tells no time, cannot say whether a score equal to the one before has
      // arrived; no LMS can where another was set there, or ours was to be cleared.
      const unknown = setThere.has(index) || cleared || lms.kind.name === 'canvas' ? interruptions : 0
      // The old maximum again, once a score was to be sent of the new one.
      const allowed = (reasonsToRepeat[index] ?? 0) + unknown + Math.max(0, (newMaxima.get(item) ?? 0) - 1)
      expect(repeated.length, `student ${index}: ${JSON.stringify(bodies)}`).toBeLessThanOrEqual(allowed)
    }
}

async function live(kind: KindName, publishedFirst: boolean, alone: boolean, taken: Step[]): Promise<void> {
  const week = await beginWeek(kind, alone)
  try {
    // Most faults need something in the gradebook.
    if (publishedFirst) for (const step of ['publish', 'wait']) await take(week, { ...quietly, step })
    for (const step of taken) await take(week, step)
    await end(week)
    await read(week)
    await expectGradebookTold(week)
    await expectTaught(week)
    expectNoRepeats(week)
    // Nothing is sent again and again.
    const sent = week.lms.requestsTo('scores').length
    await read(week)
    await expectGradebookTold(week)
    expect(week.lms.requestsTo('scores')).toHaveLength(sent)
  } finally {
    await week.close()
  }
}

it.each(['moodle', 'canvas'] as const)(
  `after a week of a %s, what Assay says of the gradebook is what the gradebook says (${weeks} weeks, seed ${seed})`,
  async (kind) => {
    const first = fc.constantFrom(true, true, true, false)
    const steps = fc.array(anyStep, { minLength: 8, maxLength: 22, size: 'max' })
    const week = fc.asyncProperty(first, fc.boolean(), steps, (...of) => live(kind, ...of))
    await fc.assert(week, { seed, numRuns: weeks, endOnFailure: process.env.LMS_WEEKS_SHRINK === undefined })
  },
  120_000 * Math.max(1, weeks),
)
