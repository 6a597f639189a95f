import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { FromChild, ToChild } from './reading-messages.ts'

/** One child process, and the end of what it wrote to stderr. */
export class ReadingProcess {
  readonly child: ChildProcess
  stderr = ''

  constructor(childMegabytes: number) {
    this.child = fork(fileURLToPath(new URL('./reading-child.ts', import.meta.url)), [], {
      // Sends buffers (page images) as binary.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // If a hostile PDF takes over the parser, it finds no secrets here, and cannot write files or start programs. OCR needs
      // WebAssembly and threads, sharp needs add-ons.
      // With glibc each thread keeps what it frees; two arenas for all keep a tenth less.
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
    // If the child has just died, `exit` reports it; the failed write is ignored.
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
