import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// Stripping the types from these files takes most of a start. Kept beside the packages, as tools keep their caches:
// a place other users of the machine cannot write. Where it cannot be made, nothing is lost but time.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/embedded-database'))
await import('./serve-worker.ts')
setTimeout(flushCompileCache, 500).unref()
