import { setTimeout as wait } from 'node:timers/promises'
import { createPaperReader } from '../../paper-reader.ts'

const [file = '', childMegabytes = '600'] = process.argv.slice(2)
const limits = { secondsPerPage: 120, childMegabytes: Number(childMegabytes) }
const reader = createPaperReader({ processes: 1, limits })
const reading = reader.read(file)
// By then a long paper is being read, and a short one is finished.
await Promise.race([reading, wait(800)])
process.send?.(reader.processIds())
await reading
for (let again = 0; again < 3; again += 1) await reader.read(file)
process.disconnect?.()
