import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import autocannon from 'autocannon'
import express from 'express'
import { SubmissionModel } from '../../server/src/records/submissions/submission.model.ts'

interface ReadCost {
  what: string
  /** Requests per second on one connection, median of the rounds. */
  ours: number
  bare: number
  /** Our time divided by the bare route's. */
  ratio: number
}

/** A minimal route: query and respond, without authentication. */
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

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Our list of a hundred submissions against bare Express over the same collection. */
export async function measureReads(url: string, token: string, assignmentId: number): Promise<ReadCost[]> {
  const bare = await serveExpressBaseline()
  const base = `${url}/api/v1/assignments/${assignmentId}`
  const pairs = [
    {
      what: 'list of 100 submissions',
      ours: `${base}/submissions?limit=100`,
      bare: `${bare.url}/list/${assignmentId}`,
    },
  ]
  const costs: ReadCost[] = []
  for (const pair of pairs) {
    const [ours, theirs]: [number[], number[]] = [[], []]
    // Alternating, so that other load on the machine affects both.
    for (let round = 0; round < 4; round++) {
      ours.push(await rate(pair.ours, { authorization: `Bearer ${token}` }))
      theirs.push(await rate(pair.bare, {}))
    }
    // The first round is a warm-up.
    const [us, them] = [median(ours.slice(1)), median(theirs.slice(1))]
    costs.push({ what: pair.what, ours: us, bare: them, ratio: them / us })
  }
  bare.close()
  return costs
}
