import { type Doc, isDoc } from '../bson-values.ts'
import { compileFilter, elemMatchTest, isOperatorDoc } from './matcher.ts'

/** MongoDB evaluates conditions in this order, then by path; the last one gives the position. */
const ORDER = ['$elemMatch', '$eq', '$lte', '$lt', '$gt', '$gte', '$regex', '$in', '$type']

const WITHOUT_ELEMENT = new Set(['$ne', '$nin', '$not', '$options'])

interface Condition {
  path: string
  name: string
  /** With what belongs to it, such as `$regex` and `$options`. */
  operand: Doc
}

/** The index of the element that made the filter match, for `$`; undefined without a condition on that array. */
export function positionalIndex(array: unknown[], path: string, filter: Doc): number | undefined {
  const conditions = conditionsOf(filter).sort(
    (a, b) => rank(a.name) - rank(b.name) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
  )
  for (const condition of conditions.reverse()) {
    const test = elementTest(condition, path)
    const index = test ? array.findIndex(test) : -1
    if (index !== -1) return index
  }
  return undefined
}

function rank(name: string): number {
  const at = ORDER.indexOf(name)
  return at === -1 ? ORDER.length : at
}

/** One operator each. `$nor`, and `$or` of several branches, give no position. */
function conditionsOf(filter: Doc): Condition[] {
  return Object.entries(filter).flatMap(([path, operand]): Condition[] => {
    if (path === '$and' || (path === '$or' && Array.isArray(operand) && operand.length === 1)) {
      return Array.isArray(operand) ? operand.flatMap((branch) => (isDoc(branch) ? conditionsOf(branch) : [])) : []
    }
    if (path.startsWith('$')) return []
    if (!isOperatorDoc(operand)) return [{ path, name: '$eq', operand: { $in: [operand] } }]
    return Object.entries(operand).flatMap(([name, argument]): Condition[] => {
      if (WITHOUT_ELEMENT.has(name)) return []
      const options = name === '$regex' && '$options' in operand ? { $options: operand.$options } : {}
      return [{ path, name, operand: { [name]: argument, ...options } }]
    })
  })
}

function elementTest(
  { path: key, name, operand }: Condition,
  path: string,
): ((element: unknown) => boolean) | undefined {
  if (key === path) {
    if (name === '$exists') return undefined
    if (name === '$elemMatch') return elemMatchTest(operand.$elemMatch)
    const test = compileFilter({ value: operand })
    return (value) => test({ value })
  }
  if (!key.startsWith(`${path}.`)) return undefined
  const test = compileFilter({ [key.slice(path.length + 1)]: operand })
  return (element) => isDoc(element) && test(element)
}
