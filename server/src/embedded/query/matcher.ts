import { BSONRegExp } from 'bson'
import { type Doc, isDoc, isTrue } from '../bson-values.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { matchesEqual, operatorTest } from './field-operators.ts'
import { someAtPath, splitPath } from './paths.ts'

export type Predicate = (doc: Doc) => boolean

/** Refuses unknown operators by name. */
export function compileFilter(filter: Doc): Predicate {
  return allOf(
    Object.entries(filter).map(([key, operand]) =>
      key.startsWith('$') ? topLevelTest(key, operand) : fieldTest(key, operand),
    ),
  )
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

function topLevelTest(key: string, operand: unknown): Predicate {
  switch (key) {
    case '$and':
      return allOf(branches(key, operand))
    case '$or': {
      const tests = branches(key, operand)
      return (doc) => tests.some((test) => test(doc))
    }
    case '$nor': {
      const tests = branches(key, operand)
      return (doc) => !tests.some((test) => test(doc))
    }
    default:
      throw notSupported(`The operator ${key}`)
  }
}

function branches(key: string, operand: unknown): Predicate[] {
  if (!Array.isArray(operand)) throw new MongoError('BadValue', `${key} must be an array`)
  if (operand.length === 0) throw new MongoError('BadValue', `${key} must be a nonempty array`)
  return operand.map((branch: unknown) => {
    if (!isDoc(branch)) throw new MongoError('BadValue', `${key} argument's entries must be objects`)
    return compileFilter(branch)
  })
}

export function isOperatorDoc(value: unknown): value is Doc {
  if (!isDoc(value)) return false
  const [first] = Object.keys(value)
  return first?.startsWith('$') === true && first !== '$ref' && first !== '$id' && first !== '$db'
}

function fieldTest(path: string, operand: unknown): Predicate {
  const parts = splitPath(path)
  const test = conditionTest(operand)
  return (doc) => test((leaf) => someAtPath(doc, parts, leaf))
}

type SomeValue = (leaf: (value: unknown) => boolean) => boolean
/** Given how to look up the values at its path. */
type Condition = (some: SomeValue) => boolean

function conditionTest(operand: unknown): Condition {
  if (!isOperatorDoc(operand)) {
    const leaf = matchesEqual(operand)
    return (some) => some(leaf)
  }
  const tests: Condition[] = []
  for (const [name, argument] of Object.entries(operand)) {
    const test = operatorCondition(name, argument, operand)
    if (test) tests.push(test)
  }
  const [first] = tests
  return tests.length === 1 && first ? first : (some) => tests.every((test) => test(some))
}

function operatorCondition(name: string, argument: unknown, siblings: Doc): Condition | undefined {
  switch (name) {
    case '$not': {
      const inner = conditionTest(notOperand(argument))
      return (some) => !inner(some)
    }
    case '$ne': {
      if (argument instanceof BSONRegExp) {
        throw new MongoError('BadValue', "Can't have regex as arg to $ne.")
      }
      const leaf = matchesEqual(argument)
      return (some) => !some(leaf)
    }
    case '$nin': {
      const leaf = operatorTest('$in', argument, undefined)
      return (some) => !some(leaf)
    }
    case '$elemMatch': {
      const element = elemMatchTest(argument)
      return (some) => some((value) => Array.isArray(value) && value.some(element))
    }
    case '$exists': {
      const wanted = isTrue(argument)
      return (some) => some((value) => value !== undefined) === wanted
    }
    case '$options':
      if (!('$regex' in siblings)) throw new MongoError('BadValue', '$options needs a $regex')
      return undefined
    default: {
      const leaf = operatorTest(name, argument, siblings.$options)
      return (some) => some(leaf)
    }
  }
}

function notOperand(argument: unknown): unknown {
  if (isOperatorDoc(argument)) return argument
  if (argument instanceof BSONRegExp) return { $regex: argument }
  throw new MongoError('BadValue', '$not needs a regex or a document')
}

/** For `$elemMatch`, `$pull` and array filters. */
export function elemMatchTest(argument: unknown): (element: unknown) => boolean {
  if (!isDoc(argument)) throw new MongoError('BadValue', '$elemMatch needs an Object')
  const [first] = Object.keys(argument)
  const onValues = first?.startsWith('$') && !['$and', '$or', '$nor'].includes(first)
  if (onValues) {
    const test = conditionTest(argument)
    return (element) => test((leaf) => leaf(element))
  }
  const test = compileFilter(argument)
  return (element) => {
    if (Array.isArray(element)) return test(Object.fromEntries(element.entries()))
    return isDoc(element) && test(element)
  }
}
