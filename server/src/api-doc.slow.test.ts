import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startServerProcess } from './testing/server-process.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Not for some seconds. */
const UNTIL_GRADED = `until curl "\${AS_GRACE[@]}" $ASSAY/assignments/1/runs/1 | grep -q '"finished_at":"'; do sleep 0.2; done`

/** Without those that start the server and draw the papers. */
async function commandsOf(doc: string): Promise<string> {
  const text = await readFile(join(root, doc), 'utf8')
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '')
  expect(blocks.length).toBeGreaterThan(10)
  return blocks
    .filter((block) => !block.includes('npm start'))
    .join('\n')
    .replace(/^sleep \d+$/m, UNTIL_GRADED)
}

it('runs each command of docs/api.md as written, with the replies it shows', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-doc-'))
  const server = await startServerProcess(join(folder, 'data'))
  try {
    await run(process.execPath, [join(root, 'tests/papers/draw-demo.ts'), join(folder, 'papers')])
    const script = `set -e -o pipefail\nASSAY=${server.url}/api/v1\n${await commandsOf('docs/api.md')}`
    const { stdout } = await run('bash', ['-c', script], { cwd: folder, maxBuffer: 2 ** 26 })
    for (const expected of [
      '{"id":2,"username":"grace"',
      '{"id":3,"username":"lchen"',
      '"token_type":"bearer"',
      '"name":"Physics 101"',
      '"run_id":1,"queued":14',
      '"status":"completed","total":14,"read":14,"graded":14,"failed":0',
      '"manual_score_override":88.5,"final_score_after_review":88.5',
      '"is_graded":true,"overall_score":88.5',
      '200 application/pdf',
      '200 image/png',
    ]) {
      expect(stdout).toContain(expected)
    }
    expect(stdout).toMatch(/^"lchen","Lucy Chen","lchen@school\.example",/m)
    // The doc provokes this failure.
    expect(stdout.match(/"error_code":"\w+"/g)).toEqual(['"error_code":"files_refused"'])
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
