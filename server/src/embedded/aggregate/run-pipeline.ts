import { type Doc, decode, isDoc, toNumber } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import { fieldPicker } from '../field-picker.ts'
import { MongoError } from '../mongo-error.ts'
import { aggregation } from '../query/expression.ts'
import { countStored, findStored, type Hint } from '../query/find.ts'
import { compileFilter } from '../query/matcher.ts'
import { compileProjectStage } from '../query/projection.ts'
import type { StoredDocument } from '../storage/collection.ts'
import { addFields } from './add-fields.ts'
import { collect, sample, sorted } from './blocking-stages.ts'
import { facets } from './facets.ts'
import { fieldsOfExpression } from './field-expression.ts'
import { compileGroup } from './group.ts'
import { lookUp } from './lookup.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { assertStage } from './stage-options.ts'
import { writeOut } from './write-out.ts'

/** Those that take one document after the other. */
const LAZY_STAGES = new Set(['$unset', '$unwind', '$replaceRoot', '$replaceWith'])
const BLOCKING_STAGES = new Set(['$group', '$bucket', '$bucketAuto', '$setWindowFields', '$densify', '$fill'])

const UNSUPPORTED_STAGES = new Set([
  '$changeStream',
  '$collStats',
  '$currentOp',
  '$geoNear',
  '$graphLookup',
  '$indexStats',
  '$listSessions',
  '$planCacheStats',
  '$redact',
  '$search',
  '$searchMeta',
  '$vectorSearch',
])

/** Runs a pipeline over a collection, document by document as the result is read; leading `$match`, `$sort`, `$skip`, `$limit` and `$count` use the indexes. */
export function runPipeline(
  context: PipelineContext,
  collectionName: string | undefined,
  pipeline: unknown,
  hint?: Hint,
): Iterable<Doc> {
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
    for (const [name, argument] of Object.entries(stage)) {
      assertStage(name, argument)
      for (const inner of pipelinesWithin(name, argument)) checkedStages(inner)
    }
    return stage
  })
}

function pipelinesWithin(name: string, argument: unknown): unknown[] {
  if (!isDoc(argument)) return []
  if (name === '$facet') return Object.values(argument)
  const joins = name === '$lookup' || name === '$unionWith'
  return joins && argument.pipeline !== undefined ? [argument.pipeline] : []
}

function source(
  context: PipelineContext,
  name: string | undefined,
  stages: Doc[],
  hint?: Hint,
): [Iterable<Doc>, Doc[]] {
  const collection = name === undefined ? undefined : context.store.collection(`${context.database}.${name}`)
  if (!collection) return [[], stages]
  let at = 0
  const filters: Doc[] = []
  for (; isDoc(stages[at]?.$match); at++) filters.push(stages[at]?.$match as Doc)
  const filter = filters.length === 1 && filters[0] ? filters[0] : filters.length ? { $and: filters } : {}
  const matching = variablesOf(context)
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
  const rest = stages.slice(at)
  const spec = { filter, sort, skip: skip ?? 0, limit: limit ?? 0, context: matching, hint }
  // Thrown now, not when the first document is read.
  compileFilter(filter, matching)
  return [decoded(findStored(collection, spec), readerFor(rest[0])), rest]
}

function* decoded(rows: Iterable<StoredDocument>, read: (bytes: Uint8Array) => Doc): Generator<Doc> {
  for (const row of rows) yield read(row.bytes)
}

/** A group needs few of a document's fields. */
function readerFor(stage: Doc | undefined): (bytes: Uint8Array) => Doc {
  const expression = stage?.$group ?? stage?.$sortByCount
  const fields = expression === undefined ? undefined : fieldsOfExpression(expression)
  return fields ? fieldPicker(fields) : decode
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

function runStages(context: PipelineContext, docs: Iterable<Doc>, stages: Doc[]): Iterable<Doc> {
  return stages.reduce((current, stage, at) => runStage(context, current, stage, stages.slice(at + 1)), docs)
}

function runStage(context: PipelineContext, docs: Iterable<Doc>, stage: Doc, next: Doc[]): Iterable<Doc> {
  const [name = ''] = Object.keys(stage)
  const argument = stage[name]
  switch (name) {
    case '$match':
      return filtered(docs, compileFilter(docArgument(name, argument), variablesOf(context)))
    case '$sort':
      return sorted(context, docs, argument, wantedFirst(next))
    case '$skip':
      return skipped(docs, wholeNumber(name, argument))
    case '$limit':
      return limited(docs, wholeNumber(name, argument))
    case '$count':
      return counted(docs, String(argument))
    case '$project':
      return mapped(docs, compileProjectStage(docArgument(name, argument), context.variables))
    case '$set':
    case '$addFields':
      return mapped(docs, addFields(docArgument(name, argument), context.variables))
    case '$facet':
      return facets(context, docs, docArgument(name, argument), (copies, pipeline) =>
        runStages(context, copies, checkedStages(pipeline)),
      )
    case '$lookup':
      return lookUp(context, docs, docArgument(name, argument), runPipeline)
    case '$unionWith':
      return concatenated(docs, union(context, argument))
    case '$sample':
      return sample(docs, wholeNumber(name, docArgument(name, argument).size))
    case '$sortByCount': {
      aggregation().rejectScripts(argument)
      const group = compileGroup({ _id: argument, count: { $sum: 1 } }, context, name)
      return sorted(context, group?.(docs) ?? [], { count: -1 }, wantedFirst(next))
    }
    case '$group': {
      aggregation().rejectScripts(argument)
      const group = compileGroup(docArgument(name, argument), context)
      if (group) return group(docs)
      break
    }
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
  if (LAZY_STAGES.has(name)) return aggregation().streamMingoStage(docs, stage, context.variables)
  if (!BLOCKING_STAGES.has(name)) {
    throw new MongoError('Location40324', `Unrecognized pipeline stage name: '${name}'`)
  }
  return aggregation().runMingoStage(collect(context, docs, name), stage, context.variables)
}

/** How many documents a sort has to give, if a `$limit` follows. */
function wantedFirst([next, afterNext]: Doc[]): number | undefined {
  if (next && '$limit' in next) return wholeNumber('$limit', next.$limit)
  if (!next || !('$skip' in next) || !afterNext || !('$limit' in afterNext)) return undefined
  return wholeNumber('$skip', next.$skip) + wholeNumber('$limit', afterNext.$limit)
}

function* filtered(docs: Iterable<Doc>, test: (doc: Doc) => boolean): Generator<Doc> {
  for (const doc of docs) if (test(doc)) yield doc
}

function* mapped(docs: Iterable<Doc>, change: (doc: Doc) => Doc): Generator<Doc> {
  for (const doc of docs) yield change(doc)
}

function* skipped(docs: Iterable<Doc>, count: number): Generator<Doc> {
  let seen = 0
  for (const doc of docs) if (seen++ >= count) yield doc
}

function* limited(docs: Iterable<Doc>, count: number): Generator<Doc> {
  let left = count
  for (const doc of docs) {
    yield doc
    if (--left === 0) return
  }
}

function* counted(docs: Iterable<Doc>, field: string): Generator<Doc> {
  let count = 0
  for (const _ of docs) {
    checkpoint()
    count++
  }
  if (count > 0) yield { [field]: count }
}

function* concatenated(docs: Iterable<Doc>, more: Iterable<Doc>): Generator<Doc> {
  yield* docs
  yield* more
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

function union(context: PipelineContext, argument: unknown): Iterable<Doc> {
  if (typeof argument === 'string') return runPipeline(context, argument, [])
  const spec = docArgument('$unionWith', argument)
  return runPipeline(context, String(spec.coll), spec.pipeline ?? [])
}
