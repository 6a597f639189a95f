import { getCourse, listCourses } from '@assay/shared/courses.ts'
import { PING_SOCKET_PATH } from '@assay/shared/realtime.ts'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { DeferJob, defineJob } from './lib/jobs/job.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  correctAnswers,
  drawPaper,
  gradeAssignment,
} from './testing/build-course.ts'
import { chooseFakeLlm, useFakeLlm } from './testing/llm-settings.ts'
import { buildLmsClass, publishAndDeliver, useFakeLmss } from './testing/lms-class.ts'
import { openRawSocket } from './testing/raw-socket.ts'
import { launchAndSignIn, useRegisteredLms } from './testing/registered-lms.ts'
import { METRICS_TOKEN, scrape } from './testing/scrape.ts'
import { createTestApi, useServer } from './testing/server.ts'

// Its own reader has read no paper yet.
const server = useServer({
  METRICS_TOKEN,
  READING_SECONDS_PER_PAGE: '60',
  AI_PRIVATE_ADDRESSES: 'on',
  TEST_PAGES: 'on',
})
const school = useRegisteredLms(server)
const lmsOf = useFakeLmss()
const api = createTestApi(server)
const fake = useFakeLlm()

const REQUESTS = 'assay_http_request_duration_seconds_count'
const get = (path: string, headers: Record<string, string> = {}) => fetch(server.running.url + path, { headers })

const seriesOf = ({ samples }: Awaited<ReturnType<typeof scrape>>) =>
  new Set(samples.map(({ name, labels }) => JSON.stringify([name, labels])))

async function gradeOnePaper(full_name: string) {
  const course = await buildCourse(api, { students: 0 })
  const paper = { name: `${full_name}.pdf`, bytes: await drawPaper({ full_name }, correctAnswers) }
  const { assignmentId } = await buildAssignment(api, course, [paper])
  expect(await gradeAssignment(api, course.instructor, assignmentId)).toMatchObject({ graded: 1 })
}

it('lets nobody read them without the token, not even an administrator', async () => {
  const admin = await api.as(await buildPerson('admin')).token()
  const tokens = [`Bearer ${admin}`, `Bearer ${METRICS_TOKEN}x`, `Basic ${METRICS_TOKEN}`, 'Bearer']
  for (const headers of [{}, ...tokens.map((authorization) => ({ authorization }))]) {
    const reply = await get('/metrics', headers)
    expect(reply.status).toBe(401)
    expect(await reply.text()).not.toContain('assay_')
  }
  const reply = await get('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` })
  expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
})

it('has at 0 what alerts wait for, before it has ever happened', async () => {
  const { samples } = await scrape(server)
  for (const [name, labels] of [
    ['assay_job_duration_seconds_count', { job_name: 'grade-paper', outcome: 'failed' }],
    ['assay_llm_budget_refusals_total', { payer: 'system' }],
    ['assay_lti_scores_sent_total', { outcome: 'refused' }],
  ] as const)
    expect(samples).toContainEqual({ name, labels, value: 0 })
})

it('counts requests by the pattern of their route, whatever was asked for', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const teacher = api.as(instructor)
  await teacher.send(listCourses)
  await teacher.send(getCourse, { params: { courseId } })
  await teacher.send(getCourse, { params: { courseId: 987_654 } })
  for (const path of ['/api/v1/nothing', '/nothing', '/api/v1/courses/1']) await get(path)
  const before = await scrape(server)
  const route = '/api/v1/courses/:courseId'
  const asked = (status: string) => before.sum(REQUESTS, { method: 'GET', route, status })
  expect([asked('2xx'), asked('4xx')]).toEqual([1, 2])

  for (const id of [11, 222, 3333]) await teacher.send(getCourse, { params: { courseId: id } })
  for (const path of ['/API/V1/courses/4', '/Api/v1/courses/5/', '/api/v1/else', '/else?b=2', '/l/anything', '/lti/x'])
    await get(path)
  for (const method of ['PROPFIND', 'MKCOL']) await fetch(`${server.running.url}/${method}`, { method })
  const after = await scrape(server)
  const known = seriesOf(before)
  const grown = [...seriesOf(after)].filter((one) => one.includes('assay_http') && !known.has(one))
  // One more for methods that nobody uses.
  expect(new Set(grown.map((one) => one.replace(/"le":"[^"]+",?/, '').replace(/_(bucket|sum|count)"/, '"'))).size).toBe(
    1,
  )
  expect(after.sum(REQUESTS, { route }) - before.sum(REQUESTS, { route })).toBe(5)
})

it('times the reading and the grading of a paper, and its jobs', async () => {
  await gradeOnePaper('Ada First')
  // The job is counted once it has ended, which is after the run has.
  const graded = { job_name: 'grade-paper', outcome: 'done' }
  await expect.poll(async () => (await scrape(server)).sum('assay_job_duration_seconds_count', graded)).toBe(1)
  const first = await scrape(server)
  expect(first.sum('assay_reading_task_duration_seconds_count', { task: 'read', outcome: 'done' })).toBeGreaterThan(0)
  expect(first.sum('assay_reading_task_duration_seconds_sum', { task: 'read' })).toBeGreaterThan(0)
  expect(first.sum('assay_reading_pages_total', { task: 'read' })).toBeGreaterThan(0)
  expect(first.sum('assay_reading_processes')).toBeGreaterThan(0)
  expect(first.sum('assay_grading_duration_seconds_count', { grader: 'offline', outcome: 'done' })).toBe(1)
  expect(first.sum('assay_graded_answers_total', { grader: 'offline' })).toBe(correctAnswers.length)
  expect(first.sum('assay_database_command_duration_seconds_count', { outcome: 'done' })).toBeGreaterThan(0)
  expect(first.sum('assay_database_up')).toBe(1)
  await gradeOnePaper('Grace Second')
  const second = await scrape(server)
  expect(second.sum('assay_graded_answers_total')).toBe(2 * correctAnswers.length)
})

it('tells how many jobs of a kind are due or deferred, and for how long', async () => {
  const { jobs } = server.running.services
  const slow = defineJob({
    name: 'waits-for-tests',
    payload: z.object({}),
    pool: 'io',
    attempts: 1,
    async run() {
      throw new DeferJob(60_000, 'not yet')
    },
  })
  // The queue leaves jobs of a newer version alone.
  const unknown = { ...slow, name: 'of-a-newer-version' }
  jobs.register(slow)
  await jobs.add(slow, [{ key: 'one', group: 'tests', payload: {} }])
  await jobs.add(
    unknown,
    [1, 2].map((key) => ({ key: String(key), group: 'tests', payload: {} })),
  )
  await expect
    .poll(async () => (await scrape(server)).sum('assay_jobs', { job_name: slow.name, state: 'deferred' }))
    .toBe(1)
  const waiting = await scrape(server)
  expect(waiting.sum('assay_jobs', { job_name: unknown.name, state: 'due' })).toBe(2)
  expect(waiting.sum('assay_job_oldest_age_seconds', { job_name: unknown.name })).toBeGreaterThan(0)
  expect(waiting.sum('assay_job_duration_seconds_count', { job_name: slow.name, outcome: 'deferred' })).toBe(1)
  await jobs.cancel('tests')
  const gone = await scrape(server)
  expect(gone.samples.filter(({ name, labels }) => name === 'assay_jobs' && labels.job_name === unknown.name)).toEqual(
    [],
  )
})

it('counts launches, and those refused by why', async () => {
  const { lms, deployment } = school()
  const { teacher, course } = lms.classOf(0)
  await launchAndSignIn(school(), { as: teacher, link: lms.addLink(course, { deployment, title: 'Quiz' }) })
  await fetch(`${server.running.url}/lti/launch`, { method: 'POST' })
  const { sum } = await scrape(server)
  expect(sum('assay_lti_attempts_total', { step: 'launch', outcome: 'accepted' })).toBe(1)
  expect(sum('assay_lti_attempts_total', { step: 'launch', outcome: 'launch_incomplete' })).toBe(1)
})

it('counts the scores that an LMS accepts, and those that it has yet to', async () => {
  const one = await buildLmsClass(server, api, await lmsOf('moodle'), { students: 3 })
  await publishAndDeliver(api, one)
  const { sum } = await scrape(server)
  expect(sum('assay_lti_scores_sent_total', { outcome: 'accepted' })).toBe(3)
  expect([sum('assay_lti_scores', { state: 'waiting' }), sum('assay_lti_scores', { state: 'refused' })]).toEqual([0, 0])
})

it('counts calls, tokens and dollars of LLMs', async () => {
  await chooseFakeLlm(api.as(await buildPerson('admin')), fake, { pictures: false })
  await gradeOnePaper('Alan Third')
  const { sum } = await scrape(server)
  const provider = 'openai-compatible'
  expect(sum('assay_llm_call_duration_seconds_count', { provider, outcome: 'answered' })).toBeGreaterThan(0)
  expect(sum('assay_llm_tokens_total', { provider, direction: 'input' })).toBeGreaterThan(0)
  expect(sum('assay_llm_tokens_total', { provider, direction: 'output' })).toBeGreaterThan(0)
  expect(sum('assay_llm_cost_dollars_total', { provider, payer: 'system' })).toBeGreaterThan(0)
  expect(sum('assay_grading_duration_seconds_count', { grader: 'llm', outcome: 'done' })).toBe(1)
})

it('counts open sockets', async () => {
  const token = await api.as(await buildPerson('admin')).token()
  const open = await openRawSocket(server, `${PING_SOCKET_PATH}?token=${token}`)
  if (typeof open === 'number') throw new Error(`refused: ${open}`)
  await open.next()
  expect((await scrape(server)).sum('assay_sockets', { kind: 'raw' })).toBe(1)
  open.socket.close()
  await expect.poll(async () => (await scrape(server)).sum('assay_sockets', { kind: 'raw' })).toBe(0)
})

it('leaves out a part that cannot be told, and counts that', async () => {
  const { papers } = server.running.services
  const before = papers.tasksWaiting
  papers.tasksWaiting = () => {
    throw new Error('broken')
  }
  try {
    const { sum } = await scrape(server)
    expect([sum('assay_scrape_failures_total', { part: 'reading' }), sum('assay_database_up')]).toEqual([1, 1])
  } finally {
    papers.tasksWaiting = before
  }
})

it('says nothing about anybody: no id, no name, no address, no model in any label', async () => {
  const { samples } = await scrape(server)
  const values = samples.flatMap(({ name, labels }) =>
    Object.entries(labels)
      .filter(([label]) => label !== 'le' && label !== 'quantile' && label !== 'version')
      .map(([label, value]) => ({ name, label, value })),
  )
  expect(values.length).toBeGreaterThan(100)
  const ours = values.filter(({ name }) => name.startsWith('assay_'))
  expect(ours.filter(({ label, value }) => label !== 'route' && !/^([1-5]xx|[a-z][\w.-]*)$/i.test(value))).toEqual([])
  // Digits are allowed only in the API's version.
  expect(ours.filter(({ label, value }) => label === 'route' && /\d/.test(value.replace('/api/v1', '')))).toEqual([])
  expect(ours.filter(({ value }) => /ada|grace|alan|fake-1|quiz|127\.0|localhost|school/i.test(value))).toEqual([])
})
