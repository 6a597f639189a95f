import { config } from 'zod'

// Zod compiles schemas with `new Function`, which our CSP forbids. The build imports this before zod.
config({ jitless: true })
