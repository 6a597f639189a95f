import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createAssignment } from '@assay/shared/assignments.ts'
import { registerInstructor } from '@assay/shared/auth.ts'
import { getRun, processAssignment } from '@assay/shared/runs.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApi } from './testing/api.ts'
import { correctAnswers, drawPaper, quizFiles } from './testing/build-course.ts'
import { type ServerProcess, startServerProcess } from './testing/server-process.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Record<string, unknown> }[]
}
interface Export {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[]
}

/** A collector, as OpenTelemetry's exporters send to. */
let collector: Server
const received: string[] = []
let dataDir = ''
let upstream: ServerProcess
let gateway: ServerProcess

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    received.push(await text(request))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  dataDir = await mkdtemp(join(tmpdir(), 'assay-traces-'))
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  upstream = await startServerProcess(dataDir, { OTEL_EXPORTER_OTLP_ENDPOINT, TRUST_PROXY: '1' })
  gateway = await startServerProcess(join(dataDir, 'gateway'), {
    OTEL_EXPORTER_OTLP_ENDPOINT,
    ROLE: 'gateway',
    API_URL: upstream.url,
  })
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
  collector.close()
  await rm(dataDir, { recursive: true, force: true })
})

it('follows a request from the gateway through the jobs it queued and the papers they read, and tells nothing of people', async () => {
  const [username, password] = ['traced', 'Some-Good-7-Phrase']
  const api = createTestApi({ running: gateway })
  const body = { username, password, email: 'traced@school.example', role: 'instructor' as const }
  const { id } = (await api.nobody.send(registerInstructor, { body })).body
  const teacher = api.as({ id, username, password })
  const { blank, key } = await quizFiles()
  const papers = [{ name: 'Ada-Lovelace.pdf', bytes: await drawPaper({ full_name: 'Ada Lovelace' }, correctAnswers) }]
  const { body: assignment } = await teacher.send(createAssignment, {
    body: { name: 'Secret plans' },
    files: { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: papers },
  })
  const params = { assignmentId: assignment.id }
  const { run_id: runId } = (await teacher.send(processAssignment, { params })).body
  const status = async () => (await teacher.send(getRun, { params: { ...params, runId } })).body.status
  await expect.poll(status, { interval: 200 }).toBe('completed')
  // They send what is left.
  await gateway.stop()
  await upstream.stop()

  const resources = received.flatMap((one) => (JSON.parse(one) as Export).resourceSpans)
  const roles = resources.map(
    ({ resource }) => resource.attributes.find((one) => one.key === 'assay.role')?.value.stringValue,
  )
  expect(new Set(roles)).toEqual(new Set(['all', 'gateway']))
  const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  const root = spans.find(({ name, parentSpanId }) => name === 'POST forwarded' && !parentSpanId)
  const process = spans.find(({ name }) => name === 'POST /api/v1/assignments/:assignmentId/process')
  const above = spans.find(({ spanId }) => spanId === process?.parentSpanId)
  expect([root?.name, above?.name]).toEqual(['POST forwarded', 'POST forwarded'])
  const ofRun = spans.filter(({ traceId }) => traceId === process?.traceId)
  const names = new Set(ofRun.map(({ name }) => name))
  expect([...names].filter((name) => name.startsWith('job ')).length).toBeGreaterThan(1)
  expect(names).toContain('paper read')
  const job = ofRun.find(({ name }) => name.startsWith('job '))
  expect(job?.attributes).toContainEqual({ key: 'assay.job.outcome', value: { stringValue: 'done' } })
  expect(received.join()).not.toMatch(/Ada|Lovelace|Secret plans|school\.example|Some-Good|Bearer|traced/)
  expect(upstream.output()).not.toContain('OTEL')
})
