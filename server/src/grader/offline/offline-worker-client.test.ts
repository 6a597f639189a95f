import { afterEach, describe, expect, it } from 'vitest'
import type { WorkerTask } from './offline.worker.ts'
import { OfflineWorkerClient } from './offline-grader.ts'

/** Answers each task with its kind, dies when sent a class, and does not answer a rubric. */
const script = `import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ n, task }) => {
  if (task.kind === 'class') process.exit(3)
  if (task.kind === 'extract') parentPort.postMessage({ n, failed: 'cannot be extracted' })
  if (task.kind === 'grade') parentPort.postMessage({ n, ok: task.kind })
})`
const thread = new OfflineWorkerClient(new URL(`data:text/javascript,${encodeURIComponent(script)}`))
afterEach(() => thread.run(grade))

const paper = { pages: [] }
const rubric = { questions: [], problems: [] }
const extracted = { answers: [], warnings: [], name_on_paper: null }
const grade: Extract<WorkerTask, { kind: 'grade' }> = {
  kind: 'grade',
  anchorsKey: '',
  rubric,
  key: 'k',
  id: 1,
  extracted,
}

describe('the grading thread', () => {
  it('fails what was under way when it dies, and starts again for the next question', async () => {
    const waiting = thread.run({ kind: 'rubric', blank: paper, key: paper })
    const deadly = thread.run({ kind: 'class', key: 'k', texts: { submissions: [] } })
    await expect(waiting).rejects.toThrow('stopped (3)')
    await expect(deadly).rejects.toThrow('stopped (3)')
    await expect(thread.run(grade)).resolves.toBe('grade')
  })

  it('passes on what went wrong with one task alone', async () => {
    const wrong = thread.run({ kind: 'extract', rubric, blank: paper, submission: paper })
    await expect(wrong).rejects.toThrow('cannot be extracted')
  })

  it('releases a task that is aborted', async () => {
    const stop = new AbortController()
    const waiting = thread.run({ kind: 'rubric', blank: paper, key: paper }, stop.signal)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })
})
