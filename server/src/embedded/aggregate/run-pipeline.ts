import { type Doc, decode, isDoc, toNumber } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { aggregation } from '../query/expression.ts'
import { countStored, findStored, type Hint } from '../query/find.ts'
import { compileFilter } from '../query/matcher.ts'
import { parseSort } from '../query/planner.ts'
import { compileProjectStage } from '../query/projection.ts'
import { sortKeyMaker } from '../storage/index-keys.ts'
import { lookUp } from './lookup.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { writeOut } from './write-out.ts'

const MINGO_STAGES = new Set([
  '$addFields',
  '$set',
  '$unset',
  '$group',
  '$unwind',
  '$replaceRoot',
  '$replaceWith',
  '$sample',
  '$sortByCount',
  '$bucket',
  '$bucketAuto',
  '$redact',
  '$setWindowFields',
  '$densify',
  '$fill',
])

const UNSUPPORTED_STAGES = new Set([
  '$changeStream',
  '$collStats',
  '$currentOp',
  '$geoNear',
  '$graphLookup',
  '$indexStats',
  '$listSessions',
  '$planCacheStats',
  '$search',
  '$searchMeta',
  '$vectorSearch',
])

/** Runs a pipeline over a collection; leading `$match`, `$sort`, `$skip`, `$limit` and `$count` use the indexes. */
export function runPipeline(
  context: PipelineContext,
  collectionName: string | undefined,
  pipeline: unknown,
  hint?: Hint,
): Doc[] {
  const stages = checkedStages(pipeline)
  const [docs, rest] = source(context, collectionName, stages, hint)
  return runStages(context, docs, rest)
}

function checkedStages(pipeline: unknown): Doc[] {
  if (!Array.isArray(pipeline)) throw new MongoError('TypeMismatch', "'pipeline' option must be specified as an array")
  return pipeline.map((stage: unknown) => {
    if (!isDoc(stage) || Object.keys(stage).length !== 1) {
      throw new MongoError('Location40324', 'A pipeline stage specification object must contain exactly one field.')
    }
    return stage
  })
}

function source(context: PipelineContext, name: string | undefined, stages: Doc[], hint?: Hint): [Doc[], Doc[]] {
  const collection = name === undefined ? undefined : context.store.collection(`${context.database}.${name}`)
  if (!collection) return [[], stages]
  let at = 0
  const filters: Doc[] = []
  for (; isDoc(stages[at]?.$match); at++) filters.push(stages[at]?.$match as Doc)
  const filter = filters.length === 1 && filters[0] ? filters[0] : filters.length ? { $and: filters } : {}
  const matching = context.variables ? { variables: context.variables } : {}
  const counted = stages[at]?.$count ?? (at === stages.length - 1 ? onlyCounts(stages[at]?.$group) : undefined)
  if (typeof counted === 'string' && '$count' in (stages[at] ?? {})) {
    const count = countStored(collection, { filter, context: matching, hint })
    return [count === 0 ? [] : [{ [counted]: count }], stages.slice(at + 1)]
  }
  if (typeof counted === 'object' && counted !== null) {
    const { id, field } = counted as { id: unknown; field: string }
    const count = countStored(collection, { filter, context: matching, hint })
    return [count === 0 ? [] : [{ _id: id, [field]: count }], stages.slice(at + 1)]
  }
  const sort = stages[at]?.$sort
  if (isDoc(sort)) at++
  let skip: number | undefined
  if (stages[at] && '$skip' in (stages[at] ?? {})) skip = wholeNumber('$skip', stages[at++]?.$skip)
  let limit: number | undefined
  if (stages[at] && '$limit' in (stages[at] ?? {})) limit = wholeNumber('$limit', stages[at++]?.$limit)
  const docs: Doc[] = []
  for (const row of findStored(collection, {
    filter,
    sort,
    skip: skip ?? 0,
    limit: limit ?? 0,
    context: matching,
    hint,
  })) {
    docs.push(decode(row.bytes))
  }
  return [docs, stages.slice(at)]
}

/** `$group: {_id: 1, n: {$sum: 1}}` is how `countDocuments` counts. */
function onlyCounts(group: unknown): { id: unknown; field: string } | undefined {
  if (!isDoc(group)) return undefined
  const [field, ...others] = Object.keys(group).filter((key) => key !== '_id')
  if (field === undefined || others.length > 0 || typeof group._id === 'object' || typeof group._id === 'string') {
    return undefined
  }
  const sum = group[field]
  return isDoc(sum) && sum.$sum === 1 ? { id: group._id, field } : undefined
}

function runStages(context: PipelineContext, docs: Doc[], stages: Doc[]): Doc[] {
  return stages.reduce((current, stage) => runStage(context, current, stage), docs)
}

function runStage(context: PipelineContext, docs: Doc[], stage: Doc): Doc[] {
  const [name = ''] = Object.keys(stage)
  const argument = stage[name]
  switch (name) {
    case '$match':
      return docs.filter(compileFilter(docArgument(name, argument), variablesOf(context)))
    case '$sort':
      return sorted(docs, argument)
    case '$skip':
      return docs.slice(wholeNumber(name, argument))
    case '$limit':
      return docs.slice(0, wholeNumber(name, argument))
    case '$count':
      return docs.length === 0 ? [] : [{ [String(argument)]: docs.length }]
    case '$project':
      return docs.map(compileProjectStage(docArgument(name, argument), context.variables))
    case '$facet':
      return [facets(context, docs, docArgument(name, argument))]
    case '$lookup':
      return lookUp(context, docs, docArgument(name, argument), runPipeline)
    case '$unionWith':
      return [...docs, ...union(context, argument)]
    case '$documents':
      return Array.isArray(argument) ? argument.filter(isDoc) : []
    case '$out':
    case '$merge':
      writeOut(context, docs, name, argument)
      return []
    default:
  }
  if (UNSUPPORTED_STAGES.has(name)) {
    throw new MongoError('CommandNotSupported', `${name} is not supported by the embedded database`)
  }
  if (!MINGO_STAGES.has(name)) {
    throw new MongoError('Location40324', `Unrecognized pipeline stage name: '${name}'`)
  }
  return aggregation().runMingoStage(docs, stage, context.variables)
}

function variablesOf(context: PipelineContext) {
  return context.variables ? { variables: context.variables } : {}
}

function docArgument(name: string, argument: unknown): Doc {
  if (isDoc(argument)) return argument
  throw new MongoError('BadValue', `the ${name} stage specification must be an object`)
}

function wholeNumber(name: string, argument: unknown): number {
  const number = toNumber(argument)
  if (number === undefined || !Number.isInteger(number) || number < (name === '$limit' ? 1 : 0)) {
    throw new MongoError(
      'BadValue',
      `invalid argument to ${name} stage: Expected a ${name === '$limit' ? 'positive' : 'non-negative'} number`,
    )
  }
  return number
}

function sorted(docs: Doc[], argument: unknown): Doc[] {
  const keyOf = sortKeyMaker(parseSort(argument))
  return docs
    .map((doc) => ({ doc, key: keyOf(doc) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map((entry) => entry.doc)
}

function facets(context: PipelineContext, docs: Doc[], spec: Doc): Doc {
  const entries = Object.entries(spec).map(([name, pipeline]) => {
    // Each branch gets its own copies, as stages may change documents in place.
    const copies = structuredCloneDocs(docs)
    return [name, runStages(context, copies, checkedStages(pipeline))]
  })
  return Object.fromEntries(entries)
}

function structuredCloneDocs(docs: Doc[]): Doc[] {
  return docs.map((doc) => cloneValue(doc) as Doc)
}

function cloneValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneValue)
  if (!isDoc(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cloneValue(inner)]))
}

function union(context: PipelineContext, argument: unknown): Doc[] {
  if (typeof argument === 'string') return runPipeline(context, argument, [])
  const spec = docArgument('$unionWith', argument)
  return runPipeline(context, String(spec.coll), spec.pipeline ?? [])
}
