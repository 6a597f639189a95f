import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import autocannon from 'autocannon'
import express from 'express'
import { SubmissionModel } from '../../server/src/records/submissions/submission.model.ts'
import type { BenchReport } from './bench-report.ts'
import { median } from './statistics.ts'

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

export async function reads({ heading, result }: BenchReport, url: string, token: string, assignmentId: number) {
  const bare = await serveExpressBaseline()
  const [ours, theirs]: [number[], number[]] = [[], []]
  // Alternating, so that other load on the machine affects both.
  for (let round = 0; round < 4; round++) {
    const list = `${url}/api/v1/assignments/${assignmentId}/submissions?limit=100`
    ours.push(await rate(list, { authorization: `Bearer ${token}` }))
    theirs.push(await rate(`${bare.url}/list/${assignmentId}`, {}))
  }
  bare.close()
  // The first round is a warm-up.
  const [us, them] = [median(ours.slice(1)), median(theirs.slice(1))]
  heading('Reads over HTTP against a bare Express route over the same collection')
  result('list of 100 submissions: ours / bare', `${us.toFixed(0)} / ${them.toFixed(0)} req/s`)
  result('ratio of times', `${(them / us).toFixed(2)}×`, 'goal: at most 2×')
}
