import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// Caches stripped types, which take most of the start-up time. In node_modules, which other users of the machine cannot write to. If the
// folder cannot be created, only time is lost.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/embedded-database'))
await import('./serve-worker.ts')
setTimeout(flushCompileCache, 500).unref()
