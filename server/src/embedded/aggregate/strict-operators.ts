import { evalExpr } from 'mingo/core'
import { type Doc, isDoc, isTrue, toNumber, typeNameOf } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'

type Options = Parameters<typeof evalExpr>[2]
type Operator = (doc: Doc, expr: unknown, given: Options) => unknown

/** The operators for which mingo has an answer where MongoDB has another one, or an error. `known` are those to go on with. */
export function strictExpressions(known: Record<string, Operator | undefined>): Record<string, Operator> {
  const goOn = (name: string, doc: Doc, expr: unknown, given: Options) => known[name]?.(doc, expr, given)
  return {
    $cond,
    $switch,
    $size(doc, expr, given) {
      const value = operand(doc, expr, given)
      if (Array.isArray(value)) return value.length
      throw new MongoError(
        'Location17124',
        `The argument to $size must be an array, but was of type: ${typeNameOf(value)}`,
      )
    },
    $mod(doc, expr, given) {
      const values: unknown = evalExpr(doc, expr, given)
      if (Array.isArray(values) && toNumber(values[0]) !== undefined && toNumber(values[1]) === 0) {
        throw new MongoError('Location16610', "can't $mod by zero")
      }
      return goOn('$mod', doc, expr, given)
    },
    $mergeObjects(doc, expr, given) {
      const values: unknown = evalExpr(doc, expr, given)
      for (const value of Array.isArray(values) ? values : [values]) {
        if (value === null || value === undefined || isDoc(value)) continue
        throw new MongoError(
          'Location40400',
          `$mergeObjects requires object inputs, but an input is of type ${typeNameOf(value)}`,
        )
      }
      return goOn('$mergeObjects', doc, expr, given)
    },
    $toUpper: (doc, expr, given) => (isNothing(operand(doc, expr, given)) ? '' : goOn('$toUpper', doc, expr, given)),
    $toLower: (doc, expr, given) => (isNothing(operand(doc, expr, given)) ? '' : goOn('$toLower', doc, expr, given)),
  }
}

const isNothing = (value: unknown) => value === null || value === undefined

/** Of an operator with one, which may be given as a list of one. */
function operand(doc: Doc, expr: unknown, given: Options): unknown {
  return evalExpr(doc, Array.isArray(expr) && expr.length === 1 ? expr[0] : expr, given)
}

function $cond(doc: Doc, expr: unknown, given: Options): unknown {
  const [condition, then, otherwise] = branchesOf(expr)
  return evalExpr(doc, isTrue(evalExpr(doc, condition, given)) ? then : otherwise, given)
}

function branchesOf(expr: unknown): unknown[] {
  if (Array.isArray(expr)) {
    if (expr.length === 3) return expr
    throw new MongoError('Location16020', `Expression $cond takes exactly 3 arguments. ${expr.length} were passed in.`)
  }
  if (!isDoc(expr))
    throw new MongoError('Location16020', 'Expression $cond takes exactly 3 arguments. 1 were passed in.')
  const other = Object.keys(expr).find((name) => !['if', 'then', 'else'].includes(name))
  if (other) throw new MongoError('Location17083', `Unrecognized parameter to $cond: ${other}`)
  if (!('if' in expr)) throw new MongoError('Location17080', "Missing 'if' parameter to $cond")
  if (!('then' in expr)) throw new MongoError('Location17081', "Missing 'then' parameter to $cond")
  if (!('else' in expr)) throw new MongoError('Location17082', "Missing 'else' parameter to $cond")
  return [expr.if, expr.then, expr.else]
}

function $switch(doc: Doc, expr: unknown, given: Options): unknown {
  const { branches, default: otherwise }: Doc = isDoc(expr) ? expr : {}
  if (!Array.isArray(branches) || branches.length === 0) {
    throw new MongoError('Location40068', '$switch requires at least one branch')
  }
  for (const branch of branches) {
    if (!isDoc(branch) || !('case' in branch) || !('then' in branch)) {
      throw new MongoError('Location40067', "$switch requires each branch to have a 'case' and a 'then' expression")
    }
    if (isTrue(evalExpr(doc, branch.case, given))) return evalExpr(doc, branch.then, given)
  }
  if (isDoc(expr) && 'default' in expr) return evalExpr(doc, otherwise, given)
  throw new MongoError(
    'Location40066',
    '$switch could not find a matching branch for an input, and no default was specified',
  )
}
