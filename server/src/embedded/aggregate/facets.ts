import { type Doc, decode, encode } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import { Spool } from '../storage/spool.ts'
import type { PipelineContext } from './pipeline-context.ts'

/** `$facet`: each branch reads copies of its own, as stages may change documents in place. */
export function* facets(
  context: PipelineContext,
  docs: Iterable<Doc>,
  spec: Doc,
  runBranch: (docs: Iterable<Doc>, pipeline: unknown) => Iterable<Doc>,
): Generator<Doc> {
  const copies = new Spool(context.store.memoryLimit)
  try {
    for (const doc of docs) copies.add(encode(doc))
    yield Object.fromEntries(
      Object.entries(spec).map(([name, pipeline]) => [name, [...runBranch(decoded(copies.read()), pipeline)]]),
    )
  } finally {
    copies.close()
  }
}

function* decoded(documents: Iterable<Uint8Array>): Generator<Doc> {
  for (const bytes of documents) {
    checkpoint(bytes.length)
    yield decode(bytes)
  }
}
