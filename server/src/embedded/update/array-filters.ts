import { type Doc, isDoc } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { compileFilter } from '../query/matcher.ts'

export type ArrayFilters = Map<string, (element: unknown) => boolean>

export function compileArrayFilters(given: unknown): ArrayFilters {
  const filters: ArrayFilters = new Map()
  if (given === undefined) return filters
  if (!Array.isArray(given)) throw new MongoError('TypeMismatch', 'arrayFilters must be an array')
  for (const filter of given) {
    if (!isDoc(filter)) throw new MongoError('TypeMismatch', "Each of 'arrayFilters' must be an object")
    const name = nameOf(filter)
    if (filters.has(name)) {
      throw new MongoError('FailedToParse', `Found multiple array filters with the same top-level field name ${name}`)
    }
    const test = compileFilter(filter)
    filters.set(name, (element) => test({ [name]: element }))
  }
  return filters
}

/** Also inside `$and` or `$or`. */
function nameOf(filter: Doc): string {
  const [name, other] = new Set(namesIn(filter))
  if (name === undefined) {
    throw new MongoError('FailedToParse', 'Cannot use an expression without a top-level field name in arrayFilters')
  }
  if (other !== undefined) {
    throw new MongoError(
      'FailedToParse',
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${name}' and '${other}'`,
    )
  }
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) {
    throw new MongoError(
      'BadValue',
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
    )
  }
  return name
}

function namesIn(filter: Doc): string[] {
  return Object.entries(filter).flatMap(([key, value]) => {
    if (!key.startsWith('$')) return [key.split('.')[0] ?? '']
    return Array.isArray(value) ? value.flatMap((branch) => (isDoc(branch) ? namesIn(branch) : [])) : []
  })
}

export function assertAllUsed(filters: ArrayFilters, paths: string[]): void {
  for (const name of filters.keys()) {
    if (paths.some((path) => path.split('.').includes(`$[${name}]`))) continue
    throw new MongoError(
      'FailedToParse',
      `The array filter for identifier '${name}' was not used in the update of ${paths.map((path) => `'${path}'`).join(', ')}`,
    )
  }
}
