import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface ScriptProcess {
  line: string
  kill(): Promise<void>
}

export async function startScript(script: URL, args: string[]): Promise<ScriptProcess> {
  const path = fileURLToPath(script)
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${path} ended before it printed a line`)))
  })
  return { line, kill: () => kill(child) }
}

/** Called in the script: a test that is killed leaves nothing behind. */
export function endWithParent(): void {
  process.stdin.on('close', () => process.exit()).resume()
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
