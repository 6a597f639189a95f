import { startEmbeddedDatabase } from '../../../server/src/embedded/embedded-database.ts'
import { endWithParent } from './script-process.ts'

/** `node run-database.ts FOLDER`: the embedded database as a process of its own; prints its address. */
const [, , folder = ''] = process.argv
endWithParent()
console.log((await startEmbeddedDatabase({ folder })).url)
