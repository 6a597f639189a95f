import { type Doc, isDoc } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { compileExpression } from '../query/expression.ts'

type Evaluate = (doc: Doc) => unknown
/** What to compute, by field; of a field whose value is a tree, what to compute below it. */
type Tree = Map<string, Tree | Evaluate>

/**
 * `$addFields` and `$set`. A dotted path, and a document without an operator, say what changes below a field: of each element where it is
 * an array, of a new document where it is neither. mingo replaces the document, and changes nothing in arrays and other values.
 */
export function addFields(spec: Doc, variables?: Doc): (doc: Doc) => Doc {
  const tree: Tree = new Map()
  for (const [path, given] of Object.entries(spec)) add(tree, path, path, given, variables)
  return (doc) => changed(doc, tree, doc)
}

function add(tree: Tree, path: string, whole: string, given: unknown, variables: Doc | undefined): void {
  const dot = path.indexOf('.')
  const name = dot === -1 ? path : path.slice(0, dot)
  assertName(name, whole)
  const known = tree.get(name)
  const below = isDoc(given) && !Object.keys(given)[0]?.startsWith('$') ? Object.entries(given) : undefined
  if (below?.length === 0) {
    throw new MongoError('Location40180', `an empty object is not a valid value. Found path: ${whole}`)
  }
  if (dot === -1 && !below) {
    if (known) throw conflict(whole)
    tree.set(name, compileExpression(given, variables))
    return
  }
  if (typeof known === 'function') throw conflict(whole)
  const branch: Tree = known ?? new Map()
  tree.set(name, branch)
  if (dot !== -1) add(branch, path.slice(dot + 1), whole, given, variables)
  else for (const [key, value] of below ?? []) add(branch, key, `${whole}.${key}`, value, variables)
}

function assertName(name: string, path: string): void {
  if (name === '') throw new MongoError('Location15998', `FieldPath field names may not be empty strings: '${path}'`)
  if (name.startsWith('$'))
    throw new MongoError('Location16410', `FieldPath field names may not start with '$': '${path}'`)
}

function conflict(path: string): MongoError {
  return new MongoError(
    'Location40176',
    `Invalid $addFields :: specification contains two conflicting paths at '${path}'`,
  )
}

/** All is computed from the document before the change. */
function changed(value: unknown, tree: Tree, doc: Doc): Doc {
  const result: Doc = isDoc(value) ? { ...value } : {}
  for (const [name, branch] of tree) {
    const before = Object.hasOwn(result, name) ? result[name] : undefined
    const after = typeof branch === 'function' ? branch(doc) : below(before, branch, doc)
    if (after === undefined) delete result[name]
    // Assigning to __proto__ would change the object's prototype rather than add a field.
    else if (name === '__proto__') Object.defineProperty(result, name, { value: after, enumerable: true })
    else result[name] = after
  }
  return result
}

function below(value: unknown, tree: Tree, doc: Doc): unknown {
  return Array.isArray(value) ? value.map((element: unknown) => below(element, tree, doc)) : changed(value, tree, doc)
}
