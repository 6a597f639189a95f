import { afterEach, describe, expect, it } from 'vitest'
import { OfflineWorkerClient } from './offline-worker-client.ts'
import type { WorkerTask } from './worker-messages.ts'

/** Answers each task with its kind, dies when sent a class, and keeps silent about a rubric. */
const script = `import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ n, task }) => {
  if (task.kind === 'class') process.exit(3)
  if (task.kind === 'lay') parentPort.postMessage({ n, failed: 'cannot be laid' })
  if (task.kind === 'grade') parentPort.postMessage({ n, ok: task.kind })
})`
const thread = new OfflineWorkerClient(new URL(`data:text/javascript,${encodeURIComponent(script)}`))
afterEach(() => thread.ask(grade))

const paper = { pages: [] }
const rubric = { questions: [], problems: [] }
const laid = { answers: [], warnings: [], name_on_paper: null }
const grade: Extract<WorkerTask, { kind: 'grade' }> = {
  kind: 'grade',
  anchorsKey: '',
  rubric,
  key: 'k',
  id: 1,
  laid,
}

describe('the grading thread', () => {
  it('fails what was under way when it dies, and starts again for the next question', async () => {
    const waiting = thread.ask({ kind: 'rubric', blank: paper, key: paper })
    const deadly = thread.ask({ kind: 'class', key: 'k', texts: { submissions: [] } })
    await expect(waiting).rejects.toThrow('stopped (3)')
    await expect(deadly).rejects.toThrow('stopped (3)')
    await expect(thread.ask(grade)).resolves.toBe('grade')
  })

  it('passes on what went wrong with one task alone', async () => {
    const wrong = thread.ask({ kind: 'lay', rubric, blank: paper, submission: paper })
    await expect(wrong).rejects.toThrow('cannot be laid')
  })

  it('lets go of a task that is aborted', async () => {
    const stop = new AbortController()
    const waiting = thread.ask({ kind: 'rubric', blank: paper, key: paper }, stop.signal)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })
})
