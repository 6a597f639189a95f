import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// Caches stripped types (most of the start-up time) in node_modules, which other users cannot write to.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/embedded-database'))
await import('./serve-worker.ts')
setTimeout(flushCompileCache, 500).unref()
