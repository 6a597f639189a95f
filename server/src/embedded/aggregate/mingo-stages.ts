import { Aggregator } from 'mingo/aggregator'
import { Context, evalExpr, ProcessingMode } from 'mingo/core'
import * as accumulator from 'mingo/operators/accumulator'
import * as expression from 'mingo/operators/expression'
import * as pipeline from 'mingo/operators/pipeline'
import * as projection from 'mingo/operators/projection'
import * as query from 'mingo/operators/query'
import * as window from 'mingo/operators/window'
import type { Doc } from '../bson-values.ts'

type Operators = NonNullable<Parameters<typeof Context.init>[0]>

const context = Context.init({
  accumulator,
  expression,
  pipeline,
  projection,
  query,
  window,
} as unknown as Operators)

function options(variables?: Doc) {
  return {
    idKey: '_id',
    processingMode: ProcessingMode.CLONE_OFF,
    useStrictMode: true,
    scriptEnabled: false,
    failOnError: true,
    context,
    ...(variables ? { variables } : {}),
  }
}

/** Runs one of mingo's stages (`$group`, `$project`, `$unwind` …) over documents already in memory. */
export function runMingoStage(docs: Doc[], stage: Doc, variables?: Doc): Doc[] {
  return new Aggregator([stage], options(variables)).run<Doc>(docs)
}

export function evaluateExpression(doc: Doc, expr: unknown, variables?: Doc): unknown {
  return evalExpr(doc, expr, options(variables))
}
