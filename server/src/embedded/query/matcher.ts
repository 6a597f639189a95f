import { BSONRegExp } from 'bson'
import { type Doc, isDoc, isTrue, TypeOrder, toNumber, typeOrderOf } from '../bson-values.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { compareValues, equalValues } from './compare.ts'
import { someAtPath, splitPath } from './paths.ts'

export type Predicate = (doc: Doc) => boolean

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
    case '$or':
    case '$nor': {
      const tests = branches(key, operand)
      return (doc) => tests.some((test) => test(doc)) === (key === '$or')
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
      if (argument instanceof BSONRegExp) throw new MongoError('BadValue', "Can't have regex as arg to $ne.")
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

type Leaf = (value: unknown) => boolean

const orElement =
  (test: Leaf): Leaf =>
  (value) =>
    test(value) || (Array.isArray(value) && value.some(test))

/** Null also matches a missing field, and a regular expression strings. */
function matchesEqual(operand: unknown): Leaf {
  return operand instanceof BSONRegExp ? regexLeaf(operand, undefined) : matchesExactly(operand)
}

function matchesExactly(operand: unknown): Leaf {
  if (operand === null || operand === undefined) return orElement((v) => v === null || v === undefined)
  // Fast path for the common case.
  if (typeof operand === 'string') return (v) => v === operand || (Array.isArray(v) && v.includes(operand))
  return orElement((v) => v !== undefined && equalValues(v, operand))
}

function operatorTest(name: string, argument: unknown, options: unknown): Leaf {
  switch (name) {
    case '$eq':
      return matchesExactly(argument)
    case '$gt':
      return comparison(argument, (c) => c > 0, false)
    case '$gte':
      return comparison(argument, (c) => c >= 0, true)
    case '$lt':
      return comparison(argument, (c) => c < 0, false)
    case '$lte':
      return comparison(argument, (c) => c <= 0, true)
    case '$in':
      return inLeaf(argument)
    case '$regex':
      return regexLeaf(argument, options)
    case '$type':
      if (argument === 'string') return orElement((v) => typeof v === 'string')
      throw notSupported(`$type ${JSON.stringify(argument)}`)
    default:
      throw notSupported(`The operator ${name}`)
  }
}

/** Only values of the operand's type compare; `$gte` and `$lte` null also match a missing field. */
function comparison(operand: unknown, passes: (c: number) => boolean, inclusive: boolean): Leaf {
  if (operand === null || operand === undefined) {
    return orElement((v) => inclusive && (v === null || v === undefined))
  }
  const order = typeOrderOf(operand)
  const notANumber = order === TypeOrder.number && Number.isNaN(toNumber(operand))
  return orElement((v) => {
    if (v === undefined || typeOrderOf(v) !== order) return false
    if (order === TypeOrder.number && Number.isNaN(toNumber(v)) !== notANumber) return false
    return passes(compareValues(v, operand))
  })
}

function inLeaf(argument: unknown): Leaf {
  if (!Array.isArray(argument)) throw new MongoError('BadValue', '$in needs an array')
  if (argument.some((item) => isDoc(item) && Object.keys(item)[0]?.startsWith('$'))) {
    throw new MongoError('BadValue', 'cannot nest $ under $in')
  }
  // Long lists are of ids, which are looked up.
  const plain = new Set<unknown>(argument.filter(isPlain))
  const numberTests = [...plain].filter((item) => typeof item === 'number').map(matchesEqual)
  const others = argument.filter((item) => !isPlain(item)).map((item: unknown) => matchesEqual(item))
  return (v) => {
    if (plain.has(v) || (Array.isArray(v) && v.some((item) => plain.has(item)))) return true
    if (others.some((test) => test(v))) return true
    return typeof v === 'object' && v !== null && numberTests.some((test) => test(v))
  }
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && !Number.isNaN(value))
}

function regexLeaf(pattern: unknown, options: unknown): Leaf {
  const regex = compileRegExp(pattern, options)
  return orElement((v) => typeof v === 'string' && regex.test(v))
}

/** `u` mode refuses most of what MongoDB reads differently: `\A`, `(?i)`, `a++`. */
function compileRegExp(pattern: unknown, options: unknown): RegExp {
  const given = typeof options === 'string' ? options : undefined
  if (pattern instanceof BSONRegExp) return compilePattern(pattern.pattern, given ?? pattern.options)
  if (typeof pattern === 'string') return compilePattern(pattern, given ?? '')
  throw new MongoError('BadValue', '$regex has to be a string')
}

function compilePattern(pattern: string, options: string): RegExp {
  const other = [...options].find((option) => !'imsu'.includes(option))
  if (other !== undefined) throw new MongoError('Location51108', `invalid flag in regex options: ${other}`)
  try {
    return new RegExp(pattern, `${options.replace('u', '')}u`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new MongoError('Location51091', `Regular expression is invalid: ${reason}`)
  }
}
