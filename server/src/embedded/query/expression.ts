import { createRequire } from 'node:module'
import type { Doc } from '../bson-values.ts'

type Aggregation = typeof import('../aggregate/mingo-stages.ts')

// mingo takes some 30 ms to load and is rarely needed, so it is loaded with the first expression.
let loaded: Aggregation | undefined

export function aggregation(): Aggregation {
  loaded ??= createRequire(import.meta.url)('../aggregate/mingo-stages.ts') as Aggregation
  return loaded
}

/** Evaluates an aggregation expression (`$expr`, computed projections) against documents. */
export function compileExpression(expression: unknown, variables?: Doc): (doc: Doc) => unknown {
  return aggregation().expressionEvaluator(expression, variables)
}
