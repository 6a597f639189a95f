import { type Doc, decode, encode } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import { MongoError } from '../mongo-error.ts'
import { parseSort } from '../query/planner.ts'
import { ExternalSort } from '../storage/external-sort.ts'
import { sortKeyMaker } from '../storage/index-keys.ts'
import { memorySizeOf } from './memory-size.ts'
import type { PipelineContext } from './pipeline-context.ts'

/** `$sort` after other stages; `first` is how many the stages behind it take, if that is known. */
export function sorted(
  context: PipelineContext,
  docs: Iterable<Doc>,
  argument: unknown,
  first: number | undefined,
): Iterable<Doc> {
  return sortedBy(context, docs, sortKeyMaker(parseSort(argument)), first)
}

function* sortedBy(
  context: PipelineContext,
  docs: Iterable<Doc>,
  keyOf: (doc: Doc) => Buffer,
  first: number | undefined,
): Generator<Doc> {
  const { memoryLimit } = context.store
  const held: { doc: Doc; key: Buffer }[] = []
  let bytes = 0
  let sort: ExternalSort | undefined
  try {
    for (const doc of docs) {
      checkpoint()
      const key = keyOf(doc)
      if (sort) {
        sort.add(key, sort.size, encode(doc))
        continue
      }
      held.push({ doc, key })
      bytes += memorySizeOf(doc) + 120
      if (bytes <= memoryLimit) continue
      sort = new ExternalSort({ memoryLimit, first })
      for (const entry of held) sort.add(entry.key, sort.size, encode(entry.doc))
      held.length = 0
    }
    held.sort((a, b) => {
      checkpoint()
      return Buffer.compare(a.key, b.key)
    })
    for (const { doc } of held) yield doc
    for (const { payload } of sort?.sorted() ?? []) {
      checkpoint(payload.length)
      yield decode(payload)
    }
  } finally {
    sort?.close()
  }
}

/** For stages that need all documents at once: several times what MongoDB allows them as BSON. */
export function collect(context: PipelineContext, docs: Iterable<Doc>, stage: string): Doc[] {
  const limit = context.store.memoryLimit * 5
  const collected: Doc[] = []
  let bytes = 0
  for (const doc of docs) {
    checkpoint()
    bytes += memorySizeOf(doc)
    if (bytes > limit) {
      throw new MongoError(
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `Exceeded memory limit for ${stage}, which the embedded database cannot spill to disk. Let it have fewer or smaller documents, with $match or $project before it.`,
      )
    }
    collected.push(doc)
  }
  return collected
}

/** `$sample`: each document is as likely as any other to be among the chosen. */
export function* sample(docs: Iterable<Doc>, size: number): Generator<Doc> {
  const chosen: Doc[] = []
  let seen = 0
  for (const doc of docs) {
    seen++
    if (chosen.length < size) chosen.push(doc)
    else {
      const at = Math.floor(Math.random() * seen)
      if (at < size) chosen[at] = doc
    }
  }
  yield* chosen
}
