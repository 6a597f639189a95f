import { type Doc, decode, isDoc } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { compileExpression } from '../query/expression.ts'
import { findStored } from '../query/find.ts'
import { splitPath, valuesAtPath } from '../query/paths.ts'
import { memorySizeOf } from './memory-size.ts'
import type { PipelineContext, RunPipeline } from './pipeline-context.ts'

/** Joins another collection. Runs an ordinary query for each document, which can use indexes. */
export function lookUp(
  context: PipelineContext,
  docs: Iterable<Doc>,
  spec: Doc,
  runPipeline: RunPipeline,
): Iterable<Doc> {
  const { as, localField, foreignField, pipeline } = spec
  if (typeof as !== 'string') throw new MongoError('FailedToParse', "$lookup argument 'as' must be a string")
  const from = fromName(spec.from)
  const keyed = typeof localField === 'string' && typeof foreignField === 'string'
  if (!keyed && pipeline === undefined) {
    throw new MongoError('FailedToParse', '$lookup requires either localField and foreignField or a pipeline')
  }
  const stages: unknown[] = Array.isArray(pipeline) ? pipeline : []
  return joined(docs, splitPath(as), (doc) => {
    const match = keyed ? [{ $match: foreignMatch(doc, localField, foreignField) }] : []
    return keyed && stages.length === 0
      ? findForeign(context, from, match[0]?.$match ?? {})
      : runPipeline(withVariables(context, doc, spec.let), from, [...match, ...stages])
  })
}

/** What one document may be joined with, as estimated in memory. */
const MAX_JOINED = 100 * 1024 * 1024

function* joined(docs: Iterable<Doc>, as: string[], foreignOf: (doc: Doc) => Iterable<Doc>): Generator<Doc> {
  for (const doc of docs) {
    const foreign: Doc[] = []
    let bytes = 0
    for (const other of foreignOf(doc)) {
      bytes += memorySizeOf(other)
      if (bytes > MAX_JOINED) {
        throw new MongoError(
          'Location4568',
          `Total size of the documents that $lookup joins to one document exceeds ${MAX_JOINED} bytes`,
        )
      }
      foreign.push(other)
    }
    yield withField(doc, as, foreign)
  }
}

function fromName(from: unknown): string {
  if (typeof from === 'string') return from
  throw new MongoError('FailedToParse', "missing 'from' option to $lookup stage specification")
}

function* findForeign(context: PipelineContext, from: string, filter: Doc): Generator<Doc> {
  const collection = context.store.collection(`${context.database}.${from}`)
  if (!collection) return
  for (const row of findStored(collection, { filter })) yield decode(row.bytes)
}

/** A local array matches by each of its elements, an empty one nothing; a missing field matches null and missing. */
function foreignMatch(doc: Doc, localField: string, foreignField: string): Doc {
  const found = valuesAtPath(doc, localField)
  const values = found.flatMap((value) => (Array.isArray(value) ? value : [value]))
  const [only, ...others] = values
  if (found.length > 0 && values.length === 0) return { [foreignField]: { $in: [] } }
  if (others.length > 0) return { [foreignField]: { $in: values } }
  return { [foreignField]: { $eq: only ?? null } }
}

function withVariables(context: PipelineContext, doc: Doc, given: unknown): PipelineContext {
  if (!isDoc(given)) return context
  const own = Object.entries(given).map(([name, expr]) => [name, compileExpression(expr, context.variables)(doc)])
  return { ...context, variables: { ...context.variables, ...Object.fromEntries(own) } }
}

function withField(doc: Doc, parts: string[], value: unknown): Doc {
  const [first = '', ...rest] = parts
  if (rest.length === 0) return { ...doc, [first]: value }
  const below = doc[first]
  return { ...doc, [first]: withField(isDoc(below) ? below : {}, rest, value) }
}
