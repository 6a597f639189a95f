import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/embedded-database'))
await import('./engine/serve-thread.ts')
setTimeout(flushCompileCache, 500).unref()
