import { type Doc, isDoc } from '../bson-values.ts'
import { compileFilter, elemMatchTest, isOperatorDoc } from './matcher.ts'

/**
 * The index of the element that made a filter match the array at `path`: the meaning of `$` in updates and projections. Undefined when
 * the filter has no condition on that array.
 */
export function positionalIndex(array: unknown[], path: string, filter: Doc): number | undefined {
  for (const [key, operand] of Object.entries(filter)) {
    const index = indexForCondition(array, path, key, operand)
    if (index !== undefined && index !== -1) return index
  }
  return undefined
}

function indexForCondition(array: unknown[], path: string, key: string, operand: unknown): number | undefined {
  if ((key === '$and' || key === '$or') && Array.isArray(operand)) {
    for (const branch of operand) {
      const index = isDoc(branch) ? positionalIndex(array, path, branch) : undefined
      if (index !== undefined) return index
    }
    return undefined
  }
  if (key === path) {
    if (isOperatorDoc(operand) && '$elemMatch' in operand) return array.findIndex(elemMatchTest(operand.$elemMatch))
    const test = compileFilter({ value: operand })
    return array.findIndex((value) => test({ value }))
  }
  if (!key.startsWith(`${path}.`)) return undefined
  const test = compileFilter({ [key.slice(path.length + 1)]: operand })
  return array.findIndex((element) => isDoc(element) && test(element))
}
