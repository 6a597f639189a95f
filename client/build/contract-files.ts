import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'vite'

export type Node = Record<string, unknown> & { type: string; start: number; end: number }

export interface Declaration {
  name: string
  exported: boolean
  statement: Node
  /** The object of a `defineEndpoint({…})`; null for all else. */
  endpoint: Node | null
}

export interface ContractFile {
  declarations: Declaration[]
  /** Names, imported ones too, that are made with zod. */
  schemas: Set<string>
}

export const parseStatements = (code: string, path: string): Node[] =>
  parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }).body as unknown as Node[]

const files = new Map<string, ContractFile>()

export function readContractFile(path: string): ContractFile {
  const known = files.get(path)
  if (known) return known
  const file: ContractFile = { declarations: [], schemas: new Set() }
  files.set(path, file)
  for (const statement of parseStatements(readFileSync(path, 'utf8'), path)) {
    if (statement.type === 'ImportDeclaration')
      for (const name of importedSchemas(statement, path)) file.schemas.add(name)
    else file.declarations.push(...declarationsOf(statement))
  }
  for (let before = -1; before !== file.schemas.size; ) {
    before = file.schemas.size
    for (const { name, statement, endpoint } of file.declarations)
      if (!endpoint && namesIn(statement).some((one) => file.schemas.has(one))) file.schemas.add(name)
  }
  return file
}

function importedSchemas(statement: Node, path: string): string[] {
  if (statement.importKind === 'type') return []
  const from = String((statement.source as Node).value)
  const names = (statement.specifiers as Node[]).filter(({ importKind }) => importKind !== 'type')
  const local = (one: Node) => String((one.local as Node).name)
  if (from === 'zod') return names.map(local)
  if (!from.startsWith('.')) return []
  const { schemas } = readContractFile(join(dirname(path), from))
  return names.filter((one) => schemas.has(String((one.imported as Node).name))).map(local)
}

function declarationsOf(statement: Node): Declaration[] {
  const exported = statement.type === 'ExportNamedDeclaration'
  const declared = (exported ? statement.declaration : statement) as Node | null
  if (declared?.type === 'FunctionDeclaration')
    return [{ name: String((declared.id as Node).name), exported, statement, endpoint: null }]
  if (declared?.type !== 'VariableDeclaration') return []
  return (declared.declarations as Node[]).map(({ id, init }) => {
    const call = init as Node | null
    const isEndpoint = call?.type === 'CallExpression' && (call.callee as Node).name === 'defineEndpoint'
    const endpoint = isEndpoint ? ((call.arguments as Node[])[0] ?? null) : null
    return { name: String((id as Node).name), exported, statement, endpoint }
  })
}

/** Names of types and of properties are left out. */
function namesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(namesIn)
  if (typeof node !== 'object' || node === null) return []
  const { type, ...parts } = node as Node
  if (type === 'Identifier') return [String(parts.name)]
  const isProperty = (type === 'MemberExpression' || type === 'Property') && !parts.computed
  return Object.entries(parts).flatMap(([part, inner]) => {
    if (/^type(?:Annotation|Arguments|Parameters)$|^returnType$/.test(part)) return []
    return isProperty && (part === 'property' || part === 'key') ? [] : namesIn(inner)
  })
}
