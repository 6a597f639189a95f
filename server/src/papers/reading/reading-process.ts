import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { FromChild, ToChild } from './reading-messages.ts'

export class ReadingProcess {
  readonly child: ChildProcess
  stderr = ''

  constructor(childMegabytes: number) {
    this.child = fork(fileURLToPath(new URL('./reading-child.ts', import.meta.url)), [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // A PDF that takes over the parser finds no secrets and cannot write or execute. OCR needs WebAssembly and
      // threads, sharp needs add-ons. Two glibc arenas keep a tenth less memory.
      env: {
        PATH: process.env.PATH,
        TZ: process.env.TZ,
        NODE_ENV: process.env.NODE_ENV,
        MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
      },
      execArgv: [
        '--permission',
        '--allow-fs-read=*',
        '--allow-worker',
        '--allow-addons',
        '--allow-wasi',
        '--no-warnings',
        '--single-threaded-gc',
        `--max-old-space-size=${Math.round(childMegabytes * 0.7)}`,
      ],
    })
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString()).slice(-2000)
    })
  }

  send(message: ToChild): void {
    // If the child has died, `exit` reports it.
    this.child.send(message, () => {})
  }

  onMessage(listener: (message: FromChild) => void): void {
    this.child.on('message', listener)
  }

  /** Only a busy child holds the server process open. */
  setKeepsAlive(busy: boolean): void {
    const held = [this.child, this.child.channel, this.child.stderr].filter((one) => hasRef(one))
    for (const one of held) busy ? one.ref() : one.unref()
  }

  kill(): void {
    this.child.kill('SIGKILL')
  }
}

function hasRef(value: unknown): value is { ref(): void; unref(): void } {
  return typeof value === 'object' && value !== null && 'ref' in value && 'unref' in value
}
