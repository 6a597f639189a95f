import { ObjectId } from 'bson'
import { Aggregator } from 'mingo/aggregator'
import { Context, evalExpr, ProcessingMode } from 'mingo/core'
import * as accumulator from 'mingo/operators/accumulator'
import * as expression from 'mingo/operators/expression'
import * as pipeline from 'mingo/operators/pipeline'
import * as projection from 'mingo/operators/projection'
import * as query from 'mingo/operators/query'
import * as window from 'mingo/operators/window'
import { type Doc, isDoc } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { exactAccumulators, exactExpressions, hasInexact } from './exact-operators.ts'
import { notExact } from './number-sum.ts'
import { strictExpressions } from './strict-operators.ts'

type Operators = NonNullable<Parameters<typeof Context.init>[0]>
type Options = Parameters<typeof evalExpr>[2]
const SCRIPTS = new Set(['$function', '$accumulator', '$where'])

/** mingo knows only plain JavaScript values; these two operators handle BSON's. */
const ours = {
  $toString(doc: Doc, expr: unknown, given: Options): unknown {
    const value: unknown = evalExpr(doc, expr, given)
    if (value === null || value === undefined) return null
    if (value instanceof Date) return value.toISOString()
    if (isDoc(value) || Array.isArray(value)) {
      throw new MongoError('ConversionFailure', 'Unsupported conversion to string in $convert with no onError value')
    }
    return String(value)
  },
  $toObjectId(doc: Doc, expr: unknown, given: Options): unknown {
    const value: unknown = evalExpr(doc, expr, given)
    if (value === null || value === undefined) return null
    if (value instanceof ObjectId) return value
    if (typeof value === 'string' && ObjectId.isValid(value)) return new ObjectId(value)
    throw new MongoError(
      'ConversionFailure',
      `Failed to parse objectId '${String(value)}' in $convert with no onError value`,
    )
  },
}

const known = { ...expression, ...exactExpressions } as unknown as Parameters<typeof strictExpressions>[0]

const context = Context.init({
  accumulator: { ...accumulator, ...exactAccumulators },
  expression: { ...known, ...strictExpressions(known), ...ours },
  pipeline,
  projection,
  query,
  window,
} as unknown as Operators)

function options(variables?: Doc): Options {
  return {
    idKey: '_id',
    processingMode: ProcessingMode.CLONE_OFF,
    useStrictMode: true,
    // mingo implements window functions as scripts; scripts of a client were refused before.
    scriptEnabled: true,
    failOnError: true,
    context,
    ...(variables ? { variables } : {}),
  }
}

/** Code sent by a client is never run. */
export function rejectScripts(value: unknown): void {
  if (Array.isArray(value)) for (const item of value) rejectScripts(item)
  if (!isDoc(value)) return
  for (const [key, inner] of Object.entries(value)) {
    if (SCRIPTS.has(key)) {
      throw new MongoError('CommandNotSupported', `${key} is not supported by the embedded database`)
    }
    rejectScripts(inner)
  }
}

/** Runs one of mingo's stages (`$group`, `$unwind`, `$addFields` …) over documents already in memory. */
export function runMingoStage(docs: Doc[], stage: Doc, variables?: Doc): Doc[] {
  rejectScripts(stage)
  const [name = ''] = Object.keys(stage)
  if (COMPARES.has(name) && docs.some(hasInexact)) throw inexact(name)
  const result = new Aggregator([stage], options(variables)).run<Doc>(docs)
  // mingo takes equal numbers of different types for different groups.
  if (GROUPS.has(name) && result.some((doc) => hasInexact(doc._id))) throw inexact(name)
  return result
}

/** Stages in which mingo itself compares values. */
const COMPARES = new Set(['$bucket', '$bucketAuto', '$densify', '$fill', '$setWindowFields'])
const GROUPS = new Set(['$group', '$sortByCount'])

function inexact(name: string): MongoError {
  return notExact(`${name} by Decimal128, or by an integer beyond 2^53,`)
}

/** The same for stages that take one document after the other. */
export function streamMingoStage(docs: Iterable<Doc>, stage: Doc, variables?: Doc): Iterable<Doc> {
  rejectScripts(stage)
  const input = docs[Symbol.iterator]()
  const results = new Aggregator([stage], options(variables)).stream({ [Symbol.iterator]: () => input })
  return closing(results as unknown as Iterable<Doc>, () => input.return?.())
}

/** mingo does not end the source when its results are not read to the end. */
function* closing(docs: Iterable<Doc>, close: () => void): Generator<Doc> {
  try {
    yield* docs
  } finally {
    close()
  }
}

export function expressionEvaluator(expr: unknown, variables?: Doc): (doc: Doc) => unknown {
  rejectScripts(expr)
  const given = options(variables)
  return (doc) => evalExpr(doc, expr, given)
}
