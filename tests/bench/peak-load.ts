import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { handInPaper } from '@assay/shared/students.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { io, type Socket } from 'socket.io-client'
import { startEmbeddedDatabase } from '../../server/src/embedded/embedded-database.ts'
import { closeDatabase, openDatabase } from '../../server/src/lib/database/database.ts'
import {
  buildAssignment,
  buildCourse,
  correctAnswers,
  drawPaper,
  weakAnswers,
} from '../../server/src/testing/build-course.ts'
import { type Caller, createTestApi } from '../../server/src/testing/server.ts'
import { type ServerProcess, startServerProcess } from '../../server/src/testing/server-process.ts'
import { type BenchReport, inFolder } from './bench-report.ts'
import { quantile } from './statistics.ts'

const STUDENTS = 200
const TEACHERS = 50
const SOCKETS_EACH = 5
const PAPER_BYTES = 5 * 1024 * 1024
const MINUTE_MS = 60_000
const THINK_MS = 2_000

interface PeakCost {
  sockets: number
  statuses: Map<number, number>
  reads: number[]
  laterReads: number[]
  handIns: number[]
  megabytes: number[]
}

/**
 * 200 students hand in papers of 5 MB within a minute, with 1,000 sockets open, while 50 teachers list and review. The
 * server is a process of its own, on the same cores.
 */
export async function peak({ heading, result }: BenchReport) {
  const minutes = Number(process.env.PEAK_MINUTES ?? 1)
  const cost = await inFolder('peak', (folder) => measure(folder, minutes))
  const about = `${STUDENTS} papers of 5 MB handed in within a minute, ${TEACHERS} teachers, ${cost.sockets} sockets`
  heading(`${about}, ${minutes} minutes`)
  const statuses = [...cost.statuses].map(([status, count]) => `${status}: ${count}`)
  result('answers by status', statuses.join(', '), 'goal: 2xx, 429, 503')
  const reads = (when: string, all: number[]) => {
    result(`a read ${when}: median`, `${quantile(all, 0.5).toFixed(0)} ms`)
    result(`a read ${when}: p95`, `${quantile(all, 0.95).toFixed(0)} ms`, 'goal: under 300 ms')
  }
  reads('in the minute of the hand-ins', cost.reads)
  if (cost.laterReads.length > 0) reads('afterwards', cost.laterReads)
  const [half, longest] = [quantile(cost.handIns, 0.5), quantile(cost.handIns, 1)]
  result('a hand-in: median / longest', `${half.toFixed(0)} / ${longest.toFixed(0)} ms`)
  const megabytes = cost.megabytes.map((one) => one.toFixed(0))
  result('memory of the server by minute', `${megabytes.join(', ')} MB`, 'goal: flat')
}

async function measure(folder: string, minutes: number): Promise<PeakCost> {
  const database = await startEmbeddedDatabase({ folder: `${folder}/database` })
  const environment = { MONGODB_URL: database.url, TRUST_PROXY: '1', LOG_LEVEL: 'fatal' }
  const server = await startServerProcess(`${folder}/data`, environment)
  await openDatabase(database.url, async () => {})
  const sockets: Socket[] = []
  try {
    return await load(server, sockets, minutes)
  } finally {
    for (const socket of sockets) socket.disconnect()
    await server.stop()
    await closeDatabase()
    await database.stop()
  }
}

async function load(server: ServerProcess, sockets: Socket[], minutes: number): Promise<PeakCost> {
  const api = createTestApi({ running: server })
  const course = await buildCourse(api, { students: STUDENTS })
  const first = { name: 'first.pdf', bytes: await drawPaper({ full_name: 'Ada' }, weakAnswers) }
  const { assignmentId } = await buildAssignment(api, course, [first])
  const params = { assignmentId }
  await api.as(course.instructor).send(publishAssignment, { params })
  const paper = await drawPaper({ full_name: 'Someone' }, correctAnswers)
  const students = course.students.map((student) => api.as(student))
  const teachers = Array.from({ length: TEACHERS }, () => api.again(course.instructor))
  for (const caller of [...students, ...teachers]) await caller.token()
  const cost: PeakCost = { sockets: 0, statuses: new Map(), reads: [], laterReads: [], handIns: [], megabytes: [] }
  cost.sockets = await openSockets(server.url, students, sockets)
  cost.megabytes.push(await residentMegabytes(server))

  const timed = async (into: number[], call: () => Promise<{ status: number }>) => {
    const began = performance.now()
    const { status } = await call()
    into.push(performance.now() - began)
    cost.statuses.set(status, (cost.statuses.get(status) ?? 0) + 1)
  }
  const began = performance.now()
  const end = began + minutes * MINUTE_MS
  const reads = () => (performance.now() - began < MINUTE_MS ? cost.reads : cost.laterReads)
  const review = async (teacher: Caller, i: number) => {
    await sleep((i / TEACHERS) * THINK_MS)
    while (performance.now() < end) {
      let ids: number[] = []
      await timed(reads(), async () => {
        const rows = await teacher.send(listSubmissions, { params, query: { limit: 50 } })
        ids = rows.body.map(({ id }) => id)
        return rows
      })
      await sleep(THINK_MS / 2)
      const submissionId = ids[i % ids.length] ?? 0
      await timed(reads(), () => teacher.send(getSubmission, { params: { ...params, submissionId } }))
      await sleep(THINK_MS / 2)
    }
  }
  const handIn = async (student: Caller, i: number) => {
    await sleep((i / STUDENTS) * MINUTE_MS)
    // After the end of the PDF, where readers ignore it.
    const bytes = Buffer.concat([paper, Buffer.alloc(PAPER_BYTES - paper.length, `\n%${i} `)])
    const files = { file: [{ name: 'mine.pdf', bytes }] }
    await timed(cost.handIns, () => student.send(handInPaper, { params, body: {}, files }))
  }
  const watch = async () => {
    for (let minute = 0; minute < minutes; minute++) {
      await sleep(MINUTE_MS)
      cost.megabytes.push(await residentMegabytes(server))
    }
  }
  await Promise.all([...teachers.map(review), ...students.map(handIn), watch()])
  return cost
}

async function openSockets(url: string, students: Caller[], into: Socket[]): Promise<number> {
  for (const [i, student] of students.entries()) {
    const token = await student.token()
    const extraHeaders = { 'x-forwarded-for': `10.0.${i >> 8}.${i & 255}` }
    const opened = Array.from({ length: SOCKETS_EACH }, async () => {
      const socket = io(url, { auth: { token }, forceNew: true, transports: ['websocket'], extraHeaders })
      into.push(socket)
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('connect_error', reject)
      })
    })
    await Promise.all(opened)
  }
  return into.filter(({ connected }) => connected).length
}

async function residentMegabytes({ child }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
