import { type Doc, decode, isDoc } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { compileExpression } from '../query/expression.ts'
import { findStored } from '../query/find.ts'
import { splitPath, valuesAtPath } from '../query/paths.ts'
import type { PipelineContext, RunPipeline } from './pipeline-context.ts'

/** Joins another collection. Runs an ordinary query for each document, which can use indexes. */
export function lookUp(context: PipelineContext, docs: Doc[], spec: Doc, runPipeline: RunPipeline): Doc[] {
  const { as, localField, foreignField, pipeline } = spec
  if (typeof as !== 'string') throw new MongoError('FailedToParse', "$lookup argument 'as' must be a string")
  const from = fromName(spec.from)
  const keyed = typeof localField === 'string' && typeof foreignField === 'string'
  if (!keyed && pipeline === undefined) {
    throw new MongoError('FailedToParse', '$lookup requires either localField and foreignField or a pipeline')
  }
  const stages: unknown[] = Array.isArray(pipeline) ? pipeline : []
  return docs.map((doc) => {
    const match = keyed ? [{ $match: foreignMatch(doc, localField, foreignField) }] : []
    const joined =
      keyed && stages.length === 0
        ? findForeign(context, from, match[0]?.$match ?? {})
        : runPipeline(withVariables(context, doc, spec.let), from, [...match, ...stages])
    return withField(doc, splitPath(as), joined)
  })
}

function fromName(from: unknown): string {
  if (typeof from === 'string') return from
  throw new MongoError('FailedToParse', "missing 'from' option to $lookup stage specification")
}

function findForeign(context: PipelineContext, from: string, filter: Doc): Doc[] {
  const collection = context.store.collection(`${context.database}.${from}`)
  if (!collection) return []
  const docs: Doc[] = []
  for (const row of findStored(collection, { filter })) docs.push(decode(row.bytes))
  return docs
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
