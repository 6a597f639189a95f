import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAssignment, listAssignments } from '@assay/shared/assignments.ts'
import { overrideGrade } from '@assay/shared/grades.ts'
import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { getRun, processAssignment } from '@assay/shared/runs.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { io, type Socket } from 'socket.io-client'
import { correctAnswers, drawPaper, quizFiles, weakAnswers } from '../../../server/src/testing/build-course.ts'
import { type Caller, createTestApi, type Person } from '../../../server/src/testing/server.ts'
import { registerPerson } from './product.ts'
import type { ProductCluster } from './product-cluster.ts'
import { uploadSlowly } from './slow-upload.ts'

const TEACHERS = 4
const SOCKETS_EACH = 5
const PAPERS_EACH = 3
const THINK_MS = 150
const UPLOAD_EVERY_MS = 3_000
const POLL_MS = 500
const MAX_RUN_MS = 240_000

interface Request {
  what: string
  status: number | null
  /** Of the version that answered; empty where nobody did. */
  version: string
  ms: number
  problem: string | null
}

interface Load {
  requests: Request[]
  /** The longest a socket was away, in ms. */
  sockets: { reconnected: number; longestAwayMs: number }
  assignmentIds: number[]
  /** Grades stored with another score than the last one acknowledged. */
  lostGrades: number
  /** Uploaded over slow lines and acknowledged, and not there. */
  lostPapers: number
  /** Ends all but the sockets, and waits until everything uploaded is graded. */
  end(): Promise<void>
  countOpenSockets(): number
  close(): void
}

interface Teacher {
  person: Person
  caller: Caller
  assignmentId: number
  submissionIds: number[]
  scores: Map<number, number>
}

/** Teachers list, read and grade, hand in papers and have them graded, and watch. */
export async function startLoad(cluster: ProductCluster): Promise<Load> {
  const api = createTestApi({ running: cluster })
  const requests: Request[] = []
  const { blank, key } = await quizFiles()
  const assignmentIds: number[] = []

  /** A kept connection may be closed by nginx; browsers open it again by themselves. */
  const alone = { headers: { connection: 'close' } }
  async function send<E extends Endpoint>(
    what: string,
    caller: Caller,
    endpoint: E,
    request: Parameters<typeof caller.send<E>>[1],
  ) {
    const began = performance.now()
    const reply = await caller.send(endpoint, { ...request, ...alone }).catch((error: Error) => error)
    return note(what, began, reply) && !(reply instanceof Error) ? reply.body : null
  }
  async function get(what: string, path: string): Promise<string> {
    const began = performance.now()
    const reply = await fetch(cluster.url + path, alone)
      .then(async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }))
      .catch((error: Error) => error)
    return note(what, began, reply) && !(reply instanceof Error) ? reply.text : ''
  }
  function note(
    what: string,
    began: number,
    reply: Error | { status: number; headers: Headers; text: string },
  ): boolean {
    const ms = performance.now() - began
    if (reply instanceof Error) requests.push({ what, status: null, version: '', ms, problem: reply.message })
    else {
      const version = cluster.versionAt(reply.headers.get('x-served-by')?.split(', ').at(-1) ?? '')
      const problem = reply.status < 300 ? null : reply.text.slice(0, 200)
      requests.push({ what, status: reply.status, version, ms, problem })
    }
    return requests.at(-1)?.problem === null
  }

  async function upload(caller: Caller): Promise<number | null> {
    // So that no request to an AI model is like another.
    const papers = await Promise.all(
      Array.from({ length: PAPERS_EACH }, async (_, i) => {
        const [first = '', ...others] = i % 3 ? correctAnswers : weakAnswers
        const answers = [`${first} ${randomUUID()}`, ...others]
        return { name: `paper-${i}.pdf`, bytes: await drawPaper({ full_name: `Student ${i}` }, answers) }
      }),
    )
    const files = { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: papers }
    const created = await send('upload', caller, createAssignment, {
      body: { name: `Quiz ${assignmentIds.length}` },
      files,
    })
    if (!created) return null
    assignmentIds.push(created.id)
    const run = await send('start a run', caller, processAssignment, { params: { assignmentId: created.id } })
    if (!run) return null
    runs.push({ caller, assignmentId: created.id, runId: run.run_id })
    return created.id
  }
  const runs: { caller: Caller; assignmentId: number; runId: number }[] = []
  const untilGraded = async () => {
    for (const { caller, assignmentId, runId } of runs)
      for (let waited = 0; ; waited += POLL_MS) {
        const run = await send('progress', caller, getRun, { params: { assignmentId, runId } })
        if (run?.finished_at) break
        if (waited > MAX_RUN_MS) throw new Error(`a run has not ended: ${JSON.stringify(run)}`)
        await sleep(POLL_MS)
      }
  }

  const teachers: Teacher[] = []
  for (let i = 0; i < TEACHERS; i++) {
    const person = await registerPerson(api, 'instructor', `teacher${i}`)
    const caller = api.as(person)
    const assignmentId = (await upload(caller)) ?? 0
    teachers.push({ person, caller, assignmentId, submissionIds: [], scores: new Map() })
  }
  await untilGraded()
  for (const teacher of teachers) {
    const rows = await teacher.caller.send(listSubmissions, {
      params: { assignmentId: teacher.assignmentId },
      query: { limit: 50 },
    })
    teacher.submissionIds = rows.body.map(({ id }) => id)
  }

  const [{ caller: lateCaller }] = teachers as [Teacher]
  const lateFiles = { blank_pdf: [blank], answer_key_pdf: [key] }
  const forLate = await lateCaller.send(createAssignment, { body: { name: 'Handed in late' }, files: lateFiles })
  const late = { caller: lateCaller, assignmentId: forLate.body.id, stored: 0 }

  let ended = false
  let count = 0
  async function teach({ caller, assignmentId, submissionIds, scores }: Teacher): Promise<void> {
    while (!ended) {
      await send('list assignments', caller, listAssignments, { query: {} })
      await sleep(THINK_MS)
      await send('list papers', caller, listSubmissions, { params: { assignmentId }, query: { limit: 50 } })
      await sleep(THINK_MS)
      const submissionId = submissionIds[count % submissionIds.length] ?? 0
      const params = { assignmentId, submissionId }
      const grade = (await send('open a paper', caller, getSubmission, { params, query: {} }))?.grade
      await sleep(THINK_MS)
      if (!grade) continue
      const score = ++count % 101
      const body = { overall_score: score, human_review_notes: `Note ${count}` }
      if (await send('save a grade', caller, overrideGrade, { params: { ...params, gradeId: grade.id }, body }))
        scores.set(submissionId, score)
      await sleep(THINK_MS)
    }
  }
  async function handIn(): Promise<void> {
    for (let i = 0; !ended; i++) {
      await upload((teachers[i % TEACHERS] as Teacher).caller)
      await sleep(UPLOAD_EVERY_MS)
    }
  }

  /** Several at once, so that each web that stops has one under way. */
  async function handInSlowly(line: number): Promise<void> {
    for (let i = 0; !ended; i++) {
      const bytes = await drawPaper({ full_name: 'Late' }, [randomUUID()])
      const began = performance.now()
      const reply = await uploadSlowly(
        cluster.url,
        late.caller,
        late.assignmentId,
        `late-${line}-${i}.pdf`,
        bytes,
      ).catch((error: Error) => error)
      if (note('upload over a slow line', began, reply)) late.stored++
    }
  }

  /** One browser begins anew all the time, another has been open since the start. */
  async function browse(): Promise<void> {
    const filesOf = (html: string) => [...new Set(html.match(/\/assets\/[^"]+/g))]
    const open = async () => filesOf(await get('page', '/assignments/1/submissions'))
    const first = await open()
    for (let i = 0; !ended; i++) {
      for (const file of await open()) await get('file of the page', file)
      await get('file of an older page', first[i % first.length] ?? '/')
      await sleep(THINK_MS)
    }
  }

  const sockets: Socket[] = []
  const state = { reconnected: 0, longestAwayMs: 0 }
  for (const { caller, assignmentId } of teachers)
    for (let i = 0; i < SOCKETS_EACH; i++) sockets.push(watch(cluster.url, await caller.token(), assignmentId, state))
  const acting = [...teachers.map(teach), handIn(), ...[0, 1, 2, 3].map(handInSlowly), browse()]

  const load: Load = {
    requests,
    sockets: state,
    assignmentIds,
    lostGrades: 0,
    lostPapers: 0,
    async end() {
      ended = true
      await Promise.all(acting)
      await untilGraded()
      const params = { assignmentId: late.assignmentId }
      const kept = await late.caller.send(listSubmissions, { params, query: { limit: 500 } })
      load.lostPapers = late.stored - kept.body.length
      for (const { caller, assignmentId, scores } of teachers)
        for (const [submissionId, score] of scores) {
          const { body } = await caller.send(getSubmission, { params: { assignmentId, submissionId }, query: {} })
          if (body.grade?.manual_score_override !== score) load.lostGrades++
        }
    },
    countOpenSockets: () => sockets.filter(({ connected }) => connected).length,
    close() {
      for (const socket of sockets) socket.disconnect()
    },
  }
  return load
}

function watch(url: string, token: string | null, assignmentId: number, state: Load['sockets']): Socket {
  const socket = io(url, { auth: { token }, forceNew: true, transports: ['websocket'] })
  let lostAt: number | null = null
  socket.on('disconnect', (reason) => {
    if (reason !== 'io client disconnect') lostAt = performance.now()
  })
  socket.on('connect', () => {
    socket.emit('watch_assignment', assignmentId, () => {})
    if (lostAt === null) return
    state.reconnected++
    state.longestAwayMs = Math.max(state.longestAwayMs, performance.now() - lostAt)
    lostAt = null
  })
  return socket
}
