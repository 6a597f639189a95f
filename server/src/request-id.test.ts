import { processAssignment } from '@assay/shared/runs.ts'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineJob, type Job } from './lib/jobs/job.ts'
import { createLog } from './lib/log.ts'
import { runForRequest } from './lib/request-context.ts'
import { buildAssignment, buildCourse, waitForRun } from './testing/build-course.ts'
import { useTestApi } from './testing/server.ts'

const Line = z.looseObject({ msg: z.string(), requestId: z.string().optional() })

const Payload = z.object({ key: z.string() })

const lines: z.output<typeof Line>[] = []
const log = createLog('debug', { write: (line) => void lines.push(Line.parse(JSON.parse(line))) })
// Its own reader says what it could not read.
const { api, server } = useTestApi({ TRUST_PROXY: '1', READING_SECONDS_PER_PAGE: '60' }, { log })

const requestIdFor = async (given: string) => {
  const reply = await fetch(`${server.running.url}/healthz`, { headers: { 'x-request-id': given } })
  return reply.headers.get('x-request-id')
}

it('takes the id of a trusted proxy, if it is well-formed', async () => {
  const ours = /^[\da-f]{8}-[\da-f-]{27}$/
  expect(await requestIdFor('7f3c9a1e5b2d4c6f8a0b1c2d3e4f5a6b')).toBe('7f3c9a1e5b2d4c6f8a0b1c2d3e4f5a6b')
  for (const given of ['short', 'x'.repeat(65), 'two words here', 'a"quoted"id', '<script>alert(1)</script>'])
    expect(await requestIdFor(given)).toMatch(ours)
})

it('is in what the log says of a paper that a child process could not read in the run that a request began', async () => {
  const course = await buildCourse(api, { students: 0 })
  const damaged = { name: 'damaged.pdf', bytes: Buffer.from('%PDF-1.7\nnothing that any reader understands\n') }
  const { assignmentId } = await buildAssignment(api, course, [damaged])
  const started = await api.as(course.instructor).send(processAssignment, { params: { assignmentId } })
  const run = await waitForRun(api, course.instructor, assignmentId, started.body.run_id)
  expect(run).toMatchObject({ failed: 1 })
  const requestId = started.headers.get('x-request-id')
  expect(requestId).not.toBeNull()
  const told = lines.filter(({ msg }) => msg === 'paper could not be read')
  expect(told).toMatchObject([{ requestId, code: 'damaged' }])
})

it('is in the lines of jobs that a request queued, of those that these queued, and of no others', async () => {
  const { jobs } = server.running.services
  const job: Job<typeof Payload> = defineJob({
    name: 'log-a-line',
    payload: Payload,
    pool: 'io',
    attempts: 1,
    async run({ key }) {
      log.info({ key }, 'a job has run')
      if (key === 'first') await queue('second')
    },
  })
  const queue = (key: string) => jobs.add(job, [{ key, group: 'tests', payload: { key } }])
  jobs.register(job)
  await runForRequest('the-request', () => queue('first'))
  await queue('alone')
  const ran = () => lines.filter(({ msg }) => msg === 'a job has run')
  await expect.poll(() => ran().length).toBe(3)
  expect(Object.fromEntries(ran().map(({ key, requestId }) => [String(key), requestId]))).toEqual({
    first: 'the-request',
    second: 'the-request',
    alone: undefined,
  })
})
