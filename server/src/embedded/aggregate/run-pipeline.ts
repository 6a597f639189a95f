import { type Doc, decode, isDoc, toNumber } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import { fieldPicker } from '../field-picker.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { countStored, type FindSpec, findStored } from '../query/find.ts'
import { compileFilter } from '../query/matcher.ts'
import type { Collection } from '../storage/collection.ts'
import { compileExpression, fieldsOfExpression } from './expression.ts'
import { compileGroup, countsOnly } from './group.ts'

type Stage = (docs: Iterable<Doc>) => Iterable<Doc>

const STAGES: Record<string, (argument: unknown) => Stage> = {
  $match: (argument) => filtered(compileFilter(docOf('$match', argument))),
  $skip: (argument) => skipped(wholeNumber('$skip', argument)),
  $limit: (argument) => limited(wholeNumber('$limit', argument)),
  $group: (argument) => compileGroup(docOf('$group', argument)),
  $unwind: (argument) => unwound(argument),
  $project: (argument) => computed(docOf('$project', argument)),
}

/** Runs lazily as the result is read. A leading `$match`, `$skip` and `$limit` are a find. */
export function runPipeline(collection: Collection | undefined, pipeline: unknown): Iterable<Doc> {
  if (!Array.isArray(pipeline)) throw new MongoError('TypeMismatch', "'pipeline' option must be specified as an array")
  const stages = pipeline.map(stageOf)
  const spec: FindSpec = { filter: {} }
  let at = 0
  if (stages[at]?.name === '$match') spec.filter = docOf('$match', stages[at++]?.argument)
  if (stages[at]?.name === '$skip') spec.skip = wholeNumber('$skip', stages[at++]?.argument)
  if (stages[at]?.name === '$limit') spec.limit = wholeNumber('$limit', stages[at++]?.argument)
  const rest = stages.slice(at)
  // Throws now, not when the first document is read.
  compileFilter(spec.filter)
  const run = rest.map(({ compile, argument }) => compile(argument))
  const [first, second] = rest
  const count = first?.name === '$group' && !second ? countsOnly(first.argument) : undefined
  if (count) return counted(collection ? countStored(collection, spec) : 0, count)
  const docs = collection ? decoded(collection, spec, readerFor(first)) : []
  return run.reduce((current, stage) => stage(current), docs as Iterable<Doc>)
}

function stageOf(given: unknown) {
  const [name, other] = isDoc(given) ? Object.keys(given) : []
  if (!isDoc(given) || name === undefined || other !== undefined) {
    throw new MongoError('Location40324', 'A pipeline stage specification object must contain exactly one field.')
  }
  const compile = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined
  if (!compile) throw notSupported(`The pipeline stage ${name}`)
  return { name, argument: given[name], compile }
}

function* decoded(collection: Collection, spec: FindSpec, read: (bytes: Uint8Array) => Doc): Generator<Doc> {
  for (const row of findStored(collection, spec)) yield read(row.bytes)
}

/** A group needs few of a document's fields. */
function readerFor(stage: { name: string; argument: unknown } | undefined): (bytes: Uint8Array) => Doc {
  return stage?.name === '$group' ? fieldPicker(fieldsOfExpression(stage.argument)) : decode
}

function* counted(count: number, { id, field }: { id: unknown; field: string }): Generator<Doc> {
  if (count > 0) yield { _id: id, [field]: count }
}

function filtered(test: (doc: Doc) => boolean): Stage {
  return function* (docs) {
    for (const doc of docs) if (test(doc)) yield doc
  }
}

function skipped(count: number): Stage {
  return function* (docs) {
    let seen = 0
    for (const doc of docs) if (seen++ >= count) yield doc
  }
}

function limited(count: number): Stage {
  return function* (docs) {
    let left = count
    for (const doc of docs) {
      yield doc
      if (--left === 0) return
    }
  }
}

function unwound(argument: unknown): Stage {
  if (typeof argument !== 'string' || !/^\$\w+$/.test(argument)) {
    throw notSupported(`$unwind of ${JSON.stringify(argument)}`)
  }
  const field = argument.slice(1)
  return function* (docs) {
    for (const doc of docs) {
      const value = doc[field]
      for (const item of Array.isArray(value) ? value : [value ?? undefined]) {
        checkpoint()
        if (item !== undefined) yield { ...doc, [field]: item }
      }
    }
  }
}

function computed(spec: Doc): Stage {
  const fields = Object.entries(spec).map(([name, given]) => {
    const isExpression = typeof given === 'string' || typeof given === 'object'
    if (!isExpression || name.includes('.') || name === '_id') throw notSupported(`$project of ${name}`)
    return { name, read: compileExpression(given) }
  })
  return function* (docs) {
    for (const doc of docs)
      yield Object.fromEntries([['_id', doc._id], ...fields.map(({ name, read }) => [name, read(doc)])])
  }
}

function docOf(name: string, argument: unknown): Doc {
  if (isDoc(argument)) return argument
  throw new MongoError('BadValue', `the ${name} stage specification must be an object`)
}

function wholeNumber(name: string, argument: unknown): number {
  const number = toNumber(argument)
  const least = name === '$limit' ? 1 : 0
  if (number !== undefined && Number.isInteger(number) && number >= least) return number
  throw new MongoError('BadValue', `invalid argument to ${name} stage: Expected a whole number of at least ${least}`)
}
