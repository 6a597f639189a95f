import { config } from 'zod'

// Zod compiles schemas with `new Function`, which our content security policy forbids. It must be configured before the
// contract is loaded, which is why this is a file of its own, imported first.
config({ jitless: true })
