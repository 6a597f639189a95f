import { ObjectId } from 'bson'
import { type Doc, decode, encode, isDoc } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import { MongoError } from '../mongo-error.ts'
import { findStored } from '../query/find.ts'
import { rowsToChange } from '../query/rows-to-change.ts'
import { type Collection, normaliseDocument } from '../storage/collection.ts'
import { Spool } from '../storage/spool.ts'
import type { PipelineContext } from './pipeline-context.ts'

/** `$out` replaces a collection's documents with the pipeline's; `$merge` upserts them by `_id` or the given fields. */
export function writeOut(
  context: PipelineContext,
  docs: Iterable<Doc>,
  stage: '$out' | '$merge',
  argument: unknown,
): void {
  const target = targetOf(context, stage, argument)
  // The pipeline may read the collection that it is written into, so it ends before anything is written.
  const results = new Spool(context.store.memoryLimit)
  try {
    for (const doc of docs) results.add(encode(doc))
    const collection = context.store.ensureCollection(target.database, target.name)
    if (stage === '$out') replaceAll(collection, results)
    else merge(collection, results, argument)
  } finally {
    results.close()
  }
}

function replaceAll(collection: Collection, results: Spool): void {
  for (const row of rowsToChange(collection, { filter: {} })) collection.remove(row)
  for (const bytes of results.read()) collection.insert(normaliseDocument(bytes))
}

function merge(collection: Collection, results: Spool, argument: unknown): void {
  const spec: Doc = isDoc(argument) ? argument : {}
  const fields = (Array.isArray(spec.on) ? spec.on : [spec.on ?? '_id']).map(String)
  const matched = String(spec.whenMatched ?? 'merge')
  const unmatched = String(spec.whenNotMatched ?? 'insert')
  if (!['merge', 'replace', 'keepExisting', 'fail'].includes(matched)) {
    throw new MongoError(
      'CommandNotSupported',
      `$merge with whenMatched '${matched}' is not supported by the embedded database`,
    )
  }
  for (const bytes of results.read()) {
    checkpoint(bytes.length)
    const doc = decode(bytes)
    const whole = '_id' in doc ? doc : { _id: new ObjectId(), ...doc }
    const filter = Object.fromEntries(fields.map((field) => [field, { $eq: whole[field] ?? null }]))
    const [row] = findStored(collection, { filter, limit: 1 })
    if (!row) {
      if (unmatched === 'insert') collection.insert(normaliseDocument(encode(whole)))
      else if (unmatched === 'fail') throw new MongoError('BadValue', '$merge could not find a matching document')
    } else if (matched === 'fail') {
      throw new MongoError('DuplicateKey', 'E11000 $merge found a matching document')
    } else if (matched !== 'keepExisting') {
      const before = decode(row.bytes)
      const after = matched === 'merge' ? { ...before, ...whole, _id: before._id } : { ...whole, _id: before._id }
      collection.replace(row, normaliseDocument(encode(after)))
    }
  }
}

function targetOf(context: PipelineContext, stage: string, argument: unknown): { database: string; name: string } {
  const into = isDoc(argument) && stage === '$merge' ? argument.into : argument
  if (typeof into === 'string') return { database: context.database, name: into }
  if (isDoc(into) && typeof into.coll === 'string') {
    return { database: typeof into.db === 'string' ? into.db : context.database, name: into.coll }
  }
  throw new MongoError('BadValue', `${stage} needs the name of a collection`)
}
