import { runPipeline } from '../aggregate/run-pipeline.ts'
import { encode } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import type { Command } from './command.ts'
import { findCollection, namespaceOf } from './command.ts'

const FIRST_BATCH = 101

/** Everything beyond the first batch is computed now: no statement stays open between calls. */
export const aggregate: Command = {
  kind: 'read',
  run(context) {
    const documents: Uint8Array[] = []
    for (const doc of runPipeline(findCollection(context), context.body.pipeline)) {
      checkpoint()
      documents.push(encode(doc))
    }
    const batch = documents.splice(0, FIRST_BATCH)
    return context.reply(namespaceOf(context), batch, documents.length > 0 ? { documents } : undefined)
  },
}
