import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createAssignment } from '@assay/shared/assignments.ts'
import autocannon from 'autocannon'
import express from 'express'
import { SubmissionModel } from '../../server/src/records/submissions/submission.model.ts'
import type { RunningServer } from '../../server/src/start.ts'
import { gradeAssignment } from '../../server/src/testing/build-course.ts'
import type { Api, Person } from '../../server/src/testing/server.ts'
import { drawBlank, drawKey, drawStudentPaper } from '../papers/draw-papers.ts'
import type { BenchReport } from './bench-report.ts'
import { answersOf, longQuiz } from './long-quiz.ts'
import { watchMemory } from './process-tree.ts'
import { median } from './statistics.ts'

const PAPERS = 100

async function drawClass() {
  const files = []
  for (let i = 0; i < PAPERS; i++) {
    const student = { username: `s${i}`, full_name: `Student ${i}`, email: '', student_number: String(1000 + i) }
    files.push({ name: `s${i}.pdf`, bytes: await drawStudentPaper(longQuiz, student, answersOf(i), 'typed') })
  }
  return files
}

export async function grading(report: BenchReport, running: RunningServer, api: Api, instructor: Person) {
  const { heading, result } = report
  const created = await api
    .as(instructor)
    .send(createAssignment, {
      body: { name: longQuiz.title },
      files: {
        blank_pdf: [{ name: 'blank.pdf', bytes: await drawBlank(longQuiz) }],
        answer_key_pdf: [{ name: 'key.pdf', bytes: await drawKey(longQuiz) }],
        student_submission_pdfs: await drawClass(),
      },
    })
  const assignmentId = created.body.id
  let gradingSince = 0
  running.services.events.onLocal('run_changed', ({ payload }) => {
    if (payload.status === 'grading' && gradingSince === 0) gradingSince = performance.now()
  })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const peak = watchMemory()
  delay.enable()
  const began = performance.now()
  const run = await gradeAssignment(api, instructor, assignmentId)
  const ended = performance.now()
  delay.disable()
  if (run.graded !== PAPERS) throw new Error(`${run.graded} of ${PAPERS} graded`)

  const perSecond = (since: number) => (PAPERS / ((ended - since) / 1000)).toFixed(1)
  // The monitor's own interval of 5 ms is included.
  const delayMs = (nanoseconds: number) => `${(nanoseconds / 1e6 - 5).toFixed(1)} ms`
  heading(`Grading ${PAPERS} papers of 5 pages offline, through the product`)
  result('papers read and graded per second', perSecond(began))
  result('papers graded per second, after reading', perSecond(gradingSince))
  result('peak memory of the process tree', `${peak().toFixed(0)} MB`, 'goal: under 2,048 MB')
  result('event-loop delay, p99', delayMs(delay.percentile(99)), 'goal: under 50 ms')
  result('event-loop delay, longest', delayMs(delay.max))
  await reads(report, running.url, (await api.as(instructor).token()) ?? '', assignmentId)
}

/** Query and respond, without authentication. */
async function serveExpressBaseline() {
  const app = express()
  app.get('/list/:id', async (request, response) => {
    const filter = { assignment_id: Number(request.params.id) }
    const found = await SubmissionModel.find(filter).sort({ _id: 1 }).limit(100).lean()
    // Projected to about the size of our own rows, for a fair comparison.
    response.json(found.map(({ grade, file, ...rest }) => ({ ...rest, name: file.name, score: grade?.overall_score })))
  })
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

async function rate(url: string, headers: Record<string, string>): Promise<number> {
  const { requests, non2xx } = await autocannon({ url, headers, connections: 1, duration: 2 })
  if (non2xx > 0) throw new Error(`${url} failed ${non2xx} times`)
  return requests.average
}

async function reads({ heading, result }: BenchReport, url: string, token: string, assignmentId: number) {
  const bare = await serveExpressBaseline()
  const [ours, theirs]: [number[], number[]] = [[], []]
  // Alternating, so that other load on the machine affects both.
  for (let round = 0; round < 4; round++) {
    const list = `${url}/api/v1/assignments/${assignmentId}/submissions?limit=100`
    ours.push(await rate(list, { authorization: `Bearer ${token}` }))
    theirs.push(await rate(`${bare.url}/list/${assignmentId}`, {}))
  }
  bare.close()
  const [us, them] = [median(ours.slice(1)), median(theirs.slice(1))]
  heading('Reads over HTTP against a bare Express route over the same collection')
  result('list of 100 submissions: ours / bare', `${us.toFixed(0)} / ${them.toFixed(0)} req/s`)
  result('ratio of times', `${(them / us).toFixed(2)}×`, 'goal: at most 2×')
}
