import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { createAssignment } from '@assay/shared/assignments.ts'
import { getCsrfToken, getMailedLink, signIn } from '@assay/shared/auth.ts'
import { addInstructor, createCourse, getCourse, updateCourse } from '@assay/shared/courses.ts'
import { ErrorReply } from '@assay/shared/http/errors.ts'
import { updateInstructorProfile } from '@assay/shared/profile.ts'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { buildPerson } from './testing/build-course.ts'
import { useTestApi } from './testing/server.ts'

const clientFolder = mkdtempSync(join(tmpdir(), 'assay-client-'))
mkdirSync(join(clientFolder, 'assets'))
writeFileSync(join(clientFolder, 'index.html'), '<!doctype html><title>Assay</title><script>ask()</script>')
for (const name of ['favicon.svg', 'robots.txt']) writeFileSync(join(clientFolder, name), 'text')
for (const name of ['Page-abc.js', 'pdf.worker.min-abc.mjs'])
  writeFileSync(join(clientFolder, 'assets', name), 'export {}\n')
writeFileSync(join(clientFolder, 'assets', 'Page-abc.js.br'), brotliCompressSync('export {}\n'))
afterAll(() => rmSync(clientFolder, { recursive: true }))

const { api, server } = useTestApi({}, { clientFolder })

const Operation = z.object({
  parameters: z.array(z.object({ name: z.string() })),
  requestBody: z
    .object({
      // A body of several kinds has none of its own.
      content: z.record(
        z.string(),
        z.object({ schema: z.object({ properties: z.record(z.string(), z.unknown()).optional() }) }),
      ),
    })
    .optional(),
})
const Document = z.object({ openapi: z.string(), paths: z.record(z.string(), z.record(z.string(), Operation)) })

const post = (path: string, body: string, type: string, headers: Record<string, string> = {}) =>
  fetch(`${server.running.url}/api/v1${path}`, { method: 'POST', body, headers: { 'content-type': type, ...headers } })

it('says what is wrong with a search that has a character no text has', async () => {
  const teacher = await buildPerson('instructor')
  const token = await api.as(teacher).token()
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${server.running.url}/api/v1/courses?search=a%00b`, { headers })
  expect(reply.status).toBe(422)
  expect(ErrorReply.parse(await reply.json()).detail).toBe('Remove the character with the code 0.')
})

it('refuses a body with a character no text has, wherever it is', async () => {
  const teacher = api.as(await buildPerson('instructor'))
  const { body: course } = await teacher.send(createCourse, { body: { name: 'Physics' } })
  const params = { courseId: course.id }
  const paper = { name: 'blank.pdf', bytes: '%PDF-1.7' }
  const replies = {
    name: await teacher.send(createCourse, { body: { name: 'a\0b' } }),
    description: await teacher.send(updateCourse, { params, body: { name: 'a', description: 'a\0b' } }),
    full_name: await teacher.send(updateInstructorProfile, { body: { full_name: 'a\0b' } }),
    login: await teacher.send(addInstructor, { params, body: { login: 'a\0b' } }),
    username: await api.nobody.send(signIn, { body: { username: 'a\0b', password: 'x' } }),
    token: await api.nobody.send(getMailedLink, { body: { token: 'a\0b' } }),
    title: await teacher.send(createAssignment, {
      body: { name: 'a', title: 'a\0b' } as { name: string },
      files: { blank_pdf: [paper], answer_key_pdf: [paper] },
    }),
  }
  for (const [field, { status, body }] of Object.entries(replies))
    expect([field, status, body.detail]).toEqual([field, 422, 'Remove the character with the code 0.'])
  const token = await teacher.token()
  const csrf = (await api.nobody.send(getCsrfToken, { headers: { authorization: `Bearer ${token}` } })).body.csrf_token
  const deep = `{"name": "a", "x": ${'['.repeat(100_000)}"a\\u0000"${']'.repeat(100_000)}}`
  const headers = { authorization: `Bearer ${token}`, 'x-csrf-token': csrf }
  expect((await post('/courses', deep, 'application/json', headers)).status).toBe(422)
})

describe('every failure', () => {
  it('comes in one shape, with a request id that the reply’s header repeats', async () => {
    const reply = await fetch(`${server.running.url}/api/v1/courses/1`)
    const body = ErrorReply.parse(await reply.json())
    expect(reply.status).toBe(401)
    expect(body).toMatchObject({
      detail: 'You need to log in to access this resource.',
      message: 'You need to log in to access this resource.',
      error_code: 'auth_required',
      category: 'auth',
      can_retry: false,
      contact_support: false,
    })
    expect(body.request_id).toBe(reply.headers.get('x-request-id'))
    expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp)
  })

  it('says what is wrong with a body that is no JSON, too large or of another type', async () => {
    const register = '/auth/student/register'
    const broken = await post(register, '{"username": ', 'application/json')
    expect([broken.status, ErrorReply.parse(await broken.json()).error_code]).toEqual([400, 'invalid_json'])
    const large = await post(register, JSON.stringify({ username: 'x'.repeat(2_000_000) }), 'application/json')
    expect([large.status, ErrorReply.parse(await large.json()).error_code]).toEqual([413, 'payload_too_large'])
    const other = await post(register, '<xml/>', 'application/xml')
    expect([other.status, ErrorReply.parse(await other.json()).error_code]).toEqual([415, 'unsupported_media_type'])
    const json = await post(signIn.path, '{"username":"a","password":"b"}', 'application/json')
    expect(json.status).toBe(415)
  })

  it('is 404 for addresses and ids that name nothing', async () => {
    const teacher = api.as(await buildPerson('instructor'))
    const { id: own } = (await teacher.send(createCourse, { body: { name: 'Mine' } })).body
    const otherwise = [`${own}e0`, `0x${own.toString(16)}`, `0${own}`, `+${own}`, `${own}.0`, ` ${own}`]
    for (const id of ['0', '-1', '1.5', 'abc', '99999999', '%00', '9'.repeat(40), ...otherwise]) {
      const reply = await teacher.send(getCourse, { params: { courseId: id as unknown as number } })
      expect([id, reply.status, reply.body.error_code]).toEqual([id, 404, 'resource_not_found'])
    }
    expect((await fetch(`${server.running.url}/api/v1/nothing`)).status).toBe(404)
    expect((await fetch(`${server.running.url}/api/v1/%E0%A4%A`)).status).toBe(404)
  })

  it('is 404 for a file of the client’s that is gone, and none of the server’s faults', async () => {
    const error = vi.spyOn(server.running.services.log, 'error')
    const reply = await fetch(`${server.running.url}/assets/Page-old.js`)
    expect([reply.status, ErrorReply.parse(await reply.json()).error_code]).toEqual([404, 'resource_not_found'])
    expect(error).not.toHaveBeenCalled()
    error.mockRestore()
  })

  it('does not let a query’s operators into the database', async () => {
    const teacher = api.as(await buildPerson('instructor'))
    const name = { $ne: null } as unknown as string
    expect((await teacher.send(createCourse, { body: { name } })).status).toBe(422)
    const reply = await post(signIn.path, 'username[$ne]=x&password[$ne]=x', 'application/x-www-form-urlencoded')
    expect(reply.status).toBe(422)
  })
})

describe('the process', () => {
  it('says that it lives and that it is ready', async () => {
    expect(await (await fetch(`${server.running.url}/healthz`)).json()).toEqual({ status: 'ok' })
    expect((await fetch(`${server.running.url}/readyz`)).status).toBe(200)
  })

  it('has no metrics where no token is configured', async () => {
    const headers = { authorization: `Bearer ${'x'.repeat(32)}` }
    expect((await fetch(`${server.running.url}/metrics`, { headers })).status).toBe(404)
  })

  it('takes no request id from a caller while no proxy is trusted', async () => {
    const headers = { 'x-request-id': 'chosen-by-the-caller' }
    const reply = await fetch(`${server.running.url}/healthz`, { headers })
    expect(reply.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  })

  it('sends the headers that isolate a page', async () => {
    const { headers } = await fetch(`${server.running.url}/healthz`)
    expect(headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).not.toContain("script-src 'self' 'unsafe-inline'")
    const hash = createHash('sha256').update('ask()').digest('base64')
    expect(headers.get('content-security-policy')).toContain(`script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}';`)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-powered-by')).toBeNull()
  })

  it('logs a request that its caller breaks off', async () => {
    const debug = vi.spyOn(server.running.services.log, 'debug')
    const socket = connect(Number(new URL(server.running.url).port), '127.0.0.1')
    const head = `POST /api/v1${signIn.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99`
    socket.write(`${head}\r\n\r\n{`)
    setTimeout(() => socket.destroy(), 100)
    const expected = expect.objectContaining({ path: `/api/v1${signIn.path}` })
    await expect.poll(() => debug.mock.calls).toContainEqual([expected, 'request aborted'])
    debug.mockRestore()
  })

  it('binds the worker that opens PDFs by the policy of pages, and spares other files its bytes', async () => {
    const page = await fetch(`${server.running.url}/auth/login`)
    const policy = page.headers.get('content-security-policy')
    const worker = await fetch(`${server.running.url}/assets/pdf.worker.min-abc.mjs`)
    expect([worker.status, worker.headers.get('content-security-policy')]).toEqual([200, policy])
    const script = await fetch(`${server.running.url}/assets/Page-abc.js`)
    expect([script.status, script.headers.get('content-security-policy')]).toEqual([200, null])
    expect(script.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('sends a file as it was compressed by the build, for good, and as it is to those who cannot read that', async () => {
    const address = `${server.running.url}/assets/Page-abc.js`
    const compressed = await fetch(address, { headers: { 'accept-encoding': 'gzip, br' } })
    const { headers } = compressed
    expect([headers.get('content-encoding'), headers.get('content-length')]).toEqual(['br', '14'])
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'text/javascript; charset=UTF-8',
      'public, max-age=31536000, immutable',
    ])
    expect(headers.get('vary')).toContain('Accept-Encoding')
    expect(await compressed.text()).toBe('export {}\n')
    const plain = await fetch(address, { headers: { 'accept-encoding': 'identity' } })
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, 'export {}\n'])
  })

  it('publishes the contract as OpenAPI 3.1', async () => {
    const reply = await fetch(`${server.running.url}/api/v1/openapi.json`)
    const api31 = Document.parse(await reply.json())
    expect(api31.openapi).toBe('3.1.0')
    const path = '/assignments/{assignmentId}/submissions/{submissionId}/grades/{gradeId}'
    const patch = api31.paths[path]?.patch
    expect(patch?.parameters.map((parameter) => parameter.name)).toEqual(['assignmentId', 'submissionId', 'gradeId'])
    expect(patch?.requestBody?.content['application/json']?.schema.properties).toHaveProperty('overall_score')
    const create = api31.paths['/assignments/create_with_files']?.post
    expect(create?.requestBody?.content['multipart/form-data']?.schema.properties).toMatchObject({
      blank_pdf: { type: 'string', format: 'binary' },
      student_submission_pdfs: { type: 'array' },
    })
  })
})

it('lets other sites show the icon, and no other file', async () => {
  const policyOf = async (name: string) =>
    (await fetch(`${server.running.url}/${name}`)).headers.get('cross-origin-resource-policy')
  expect([await policyOf('favicon.svg'), await policyOf('robots.txt')]).toEqual(['cross-origin', 'same-origin'])
})
