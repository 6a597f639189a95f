import { config } from 'zod'

// Zod compiles schemas with `new Function`, which our content security policy forbids. The build imports this before zod.
config({ jitless: true })
