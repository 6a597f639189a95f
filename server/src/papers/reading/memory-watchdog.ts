import { Worker } from 'node:worker_threads'

/** What the watchdog writes to stderr before it kills the process, so that the parent can say why. */
export const outOfMemoryMarker = 'assay: too much memory'

/**
 * Kills this process when it exceeds its memory limit, or when its parent has died. Runs in a separate thread, because the main thread
 * may be busy in pdf.js or WebAssembly for minutes; V8's own limits do not count ArrayBuffers, which a decompression bomb fills.
 */
export function startMemoryWatchdog(megabytes: number): void {
  const thread = new Worker(new URL('./memory-watchdog-thread.ts', import.meta.url), {
    workerData: { bytes: megabytes * 2 ** 20, parent: process.ppid },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  })
  thread.unref()
}
