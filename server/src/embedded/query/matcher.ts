import { BSONRegExp } from 'bson'
import { type Doc, decode, encode, isDoc, isTrue } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { compileExpression } from './expression.ts'
import { matchesEqual, operatorTest } from './field-operators.ts'
import { someAtPath, splitPath } from './paths.ts'

export type Predicate = (doc: Doc) => boolean

/** Options of a filter. */
export interface MatchContext {
  /** `let` variables of the command or of a `$lookup`, for `$expr`. */
  variables?: Doc
  /** Documents are decoded with their BSON types, as `$type` needs. */
  exactTypes?: boolean
}

/** Compiles a filter once for many documents. Refuses unknown operators by name. */
export function compileFilter(filter: Doc, context: MatchContext = {}): Predicate {
  const tests: Predicate[] = []
  for (const [key, operand] of Object.entries(filter)) {
    if (key.startsWith('$')) {
      const test = topLevelTest(key, operand, context)
      if (test) tests.push(test)
    } else {
      tests.push(fieldTest(key, operand, context))
    }
  }
  return allOf(tests)
}

function allOf(tests: Predicate[]): Predicate {
  const [first, second] = tests
  if (!first) return () => true
  if (!second) return first
  return (doc) => {
    for (const test of tests) if (!test(doc)) return false
    return true
  }
}

function topLevelTest(key: string, operand: unknown, context: MatchContext): Predicate | undefined {
  switch (key) {
    case '$and':
      return allOf(branches(key, operand, context))
    case '$or': {
      const tests = branches(key, operand, context)
      return (doc) => tests.some((test) => test(doc))
    }
    case '$nor': {
      const tests = branches(key, operand, context)
      return (doc) => !tests.some((test) => test(doc))
    }
    case '$expr':
      return truthyExpression(operand, context)
    case '$comment':
      return undefined
    case '$where':
    case '$text':
    case '$jsonSchema':
      throw new MongoError('CommandNotSupported', `${key} is not supported by the embedded database`)
    default:
      throw new MongoError(
        'BadValue',
        `unknown top level operator: ${key}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      )
  }
}

function branches(key: string, operand: unknown, context: MatchContext): Predicate[] {
  if (!Array.isArray(operand)) throw new MongoError('BadValue', `${key} must be an array`)
  if (operand.length === 0) throw new MongoError('BadValue', `${key} must be a nonempty array`)
  return operand.map((branch: unknown) => {
    if (!isDoc(branch)) throw new MongoError('BadValue', `${key} argument's entries must be objects`)
    return compileFilter(branch, context)
  })
}

function truthyExpression(operand: unknown, context: MatchContext): Predicate {
  const evaluate = compileExpression(operand, context.variables)
  return (doc) => isTrue(evaluate(context.exactTypes ? decode(encode(doc)) : doc))
}

/** Whether a filter distinguishes types that are all numbers in JavaScript. */
export function comparesTypes(filter: unknown): boolean {
  if (Array.isArray(filter)) return filter.some(comparesTypes)
  if (!isDoc(filter)) return false
  return Object.entries(filter).some(([key, value]) => key === '$type' || comparesTypes(value))
}

export function isOperatorDoc(value: unknown): value is Doc {
  if (!isDoc(value)) return false
  const [first] = Object.keys(value)
  return first?.startsWith('$') === true && first !== '$ref' && first !== '$id' && first !== '$db'
}

function fieldTest(path: string, operand: unknown, context: MatchContext): Predicate {
  const parts = splitPath(path)
  const test = conditionTest(operand, context)
  return (doc) => test((leaf) => someAtPath(doc, parts, leaf))
}

/** Whether some value at the path passes. */
type SomeValue = (leaf: (value: unknown) => boolean) => boolean
/** A condition on one path, given how to look up its values. */
type Condition = (some: SomeValue) => boolean

function conditionTest(operand: unknown, context: MatchContext): Condition {
  if (!isOperatorDoc(operand)) {
    const leaf = matchesEqual(operand)
    return (some) => some(leaf)
  }
  const tests: Condition[] = []
  for (const [name, argument] of Object.entries(operand)) {
    const test = operatorCondition(name, argument, operand, context)
    if (test) tests.push(test)
  }
  const [first] = tests
  return tests.length === 1 && first ? first : (some) => tests.every((test) => test(some))
}

function operatorCondition(
  name: string,
  argument: unknown,
  siblings: Doc,
  context: MatchContext,
): Condition | undefined {
  switch (name) {
    case '$not': {
      const inner = conditionTest(notOperand(argument), context)
      return (some) => !inner(some)
    }
    case '$ne': {
      if (argument instanceof RegExp || argument instanceof BSONRegExp) {
        throw new MongoError('BadValue', "Can't have regex as arg to $ne.")
      }
      const leaf = matchesEqual(argument)
      return (some) => !some(leaf)
    }
    case '$nin': {
      const leaf = operatorTest('$in', argument, siblings)
      return (some) => !some(leaf)
    }
    case '$all':
      return allCondition(argument, context)
    case '$elemMatch': {
      const element = elemMatchTest(argument, context)
      return (some) => some((value) => Array.isArray(value) && value.some(element))
    }
    case '$exists': {
      const wanted = isTrue(argument)
      return (some) => some((value) => value !== undefined) === wanted
    }
    case '$options':
      if (!('$regex' in siblings)) throw new MongoError('BadValue', '$options needs a $regex')
      return undefined
    case '$comment':
      return undefined
    default: {
      const leaf = operatorTest(name, argument, siblings)
      return (some) => some(leaf)
    }
  }
}

function notOperand(argument: unknown): unknown {
  if (isOperatorDoc(argument)) return argument
  if (argument instanceof RegExp || argument instanceof BSONRegExp) return { $regex: argument }
  throw new MongoError('BadValue', '$not needs a regex or a document')
}

function allCondition(argument: unknown, context: MatchContext): Condition {
  if (!Array.isArray(argument)) throw new MongoError('BadValue', '$all needs an array')
  if (argument.length === 0) return () => false
  const tests = argument.map((wanted: unknown) => conditionTest(allElement(wanted), context))
  return (some) => tests.every((test) => test(some))
}

function allElement(wanted: unknown): unknown {
  if (isOperatorDoc(wanted)) {
    if ('$elemMatch' in wanted) return wanted
    throw new MongoError('BadValue', 'no $ expressions in $all')
  }
  return wanted instanceof RegExp || wanted instanceof BSONRegExp ? wanted : { $eq: wanted }
}

/** A test of one array element, for `$elemMatch` in filters and projections, `$pull` and array filters. */
export function elemMatchTest(argument: unknown, context: MatchContext = {}): (element: unknown) => boolean {
  if (!isDoc(argument)) throw new MongoError('BadValue', '$elemMatch needs an Object')
  const [first] = Object.keys(argument)
  const onValues = first?.startsWith('$') && !['$and', '$or', '$nor', '$expr'].includes(first)
  if (onValues) {
    const test = conditionTest(argument, context)
    return (element) => test((leaf) => leaf(element))
  }
  if (asksExpression(argument)) throw new MongoError('BadValue', '$expr can only be applied to the top-level document')
  const test = compileFilter(argument, context)
  return (element) => {
    if (Array.isArray(element)) return test(Object.fromEntries(element.entries()))
    return isDoc(element) && test(element)
  }
}

/** Also within `$and` and its kind, but not within a condition on a field. */
function asksExpression(filter: Doc): boolean {
  return Object.entries(filter).some(
    ([key, value]) =>
      key === '$expr' || (Array.isArray(value) && key.startsWith('$') && value.filter(isDoc).some(asksExpression)),
  )
}
