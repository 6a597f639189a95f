import { MongoError } from '../mongo-error.ts'
import { isArrayIndex } from '../query/paths.ts'

interface Node {
  children: Map<string, Node>
  isTarget: boolean
}

/** Refuses paths within each other, and `$[]` beside named elements. */
export function assertNoConflicts(paths: string[][], describe: (path: string, at: string) => string): void {
  const root: Node = { children: new Map(), isTarget: false }
  for (const parts of paths) {
    let node = root
    for (const [at, part] of parts.entries()) {
      const last = at === parts.length - 1
      const known = node.children.get(part)
      const [sibling] = node.children.keys()
      const mixed = sibling !== undefined && isArrayUpdate(sibling) !== isArrayUpdate(part)
      if (mixed) throw conflict(parts, at, describe)
      if (known && (last || known.isTarget)) throw conflict(parts, at + 1, describe)
      const next: Node = known ?? { children: new Map(), isTarget: last }
      node.children.set(part, next)
      node = next
    }
  }
}

function conflict(parts: string[], length: number, describe: (path: string, at: string) => string): MongoError {
  return new MongoError('ConflictingUpdateOperators', describe(parts.join('.'), parts.slice(0, length).join('.')))
}

function isArrayUpdate(part: string): boolean {
  return part.startsWith('$[')
}

/** MongoDB's order of changes, and so of added fields: by name, numbers by value. */
export function comparePaths(a: string[], b: string[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at]
    if (right === undefined) return 1
    if (left === right) continue
    if (isArrayIndex(left) && isArrayIndex(right)) return Number(left) - Number(right)
    return Buffer.compare(Buffer.from(left), Buffer.from(right))
  }
  return a.length - b.length
}
