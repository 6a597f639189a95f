import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Plugin, parseAst } from 'vite'

const query = '?schemas'
const contractFile = /\/shared\/src\/[\w/-]+\.ts$/
const onServer = new Set(['params', 'query', 'summary', 'access'])

export const isSchemaModule = (id: string): boolean =>
  id.endsWith(query) || /\/node_modules\/zod\/|\/zod-jitless\.ts$/.test(id)

/**
 * Moves what is made with zod into a module of its own (`courses.ts?schemas`) and keeps endpoints as method and path,
 * so that no screen waits for zod.
 */
export function contractWithoutSchemas(clientRoot: string): Plugin {
  const shared = join(clientRoot, '../shared/src')
  const standIns = join(clientRoot, 'src/lib/api/built-schemas.ts')
  const jitless = join(clientRoot, 'src/lib/zod-jitless.ts')
  const contractPath = (from: string, importer: string) => {
    if (from.startsWith('@assay/shared/')) return join(shared, from.replace('@assay/shared/', ''))
    const path = join(dirname(importer), from)
    return from.startsWith('.') && path.startsWith(shared) ? path : null
  }

  function importEdits(code: string, path: string, isPlain: boolean): Edit[] {
    return parseStatements(code, path).flatMap((statement) => {
      if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') return []
      const source = String((statement.source as Node).value)
      const { start, end } = statement
      if (source === 'zod' && path !== jitless)
        return [{ start, end, put: isPlain ? '' : `import ${JSON.stringify(jitless)};${code.slice(start, end)}` }]
      const from = contractPath(source, path)
      if (from === null) return []
      const named = (statement.specifiers as Node[]).filter(({ importKind }) => importKind !== 'type')
      const { schemas } = readContractFile(from)
      const isSchema = ({ imported }: Node) => schemas.has(String((imported as Node).name))
      if (!named.some(isSchema)) return []
      const write = (names: Node[], module: string) => {
        const list = names.map((one) => code.slice(one.start, one.end)).join(', ')
        return list && `import { ${list} } from ${JSON.stringify(module)};`
      }
      const kept = named.filter((one) => !isSchema(one))
      const moved = isPlain ? [] : named.filter(isSchema)
      return [{ start, end, put: write(kept, from) + write(moved, from + query) }]
    })
  }

  return {
    name: 'assay-contract-without-schemas',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      const path = id.replace(query, '')
      if (!/\.tsx?$/.test(path) || /\/node_modules\//.test(path)) return null
      if (!contractFile.test(path)) return edited(code, importEdits(code, path, false))
      const moduleSideEffects = false
      if (id.endsWith(query)) return { code: edited(code, importEdits(code, path, false)), moduleSideEffects }
      const edits = [...importEdits(code, path, true), ...schemaEdits(readContractFile(path), path, code)]
      const imports = `import { anyJson, laterSchema } from ${JSON.stringify(standIns)}\n`
      return { code: imports + edited(code, edits), moduleSideEffects }
    },
  }
}

interface Edit {
  start: number
  end: number
  put: string
}

/** From the last to the first, which keeps the positions of the others. */
const edited = (code: string, edits: readonly Edit[]) =>
  edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end, put }) => text.slice(0, start) + put + text.slice(end), code)

function schemaEdits({ declarations, schemas }: ContractFile, path: string, code: string): Edit[] {
  const load = `import(${JSON.stringify(path + query)})`
  return declarations.flatMap(({ name, statement, endpoint }) => {
    if (!endpoint) return schemas.has(name) ? [{ start: statement.start, end: statement.end, put: '' }] : []
    return (endpoint.properties as Node[]).flatMap(({ key, start, end: before }) => {
      const part = String((key as Node | undefined)?.name)
      const end = code[before] === ',' ? before + 1 : before
      if (onServer.has(part)) return [{ start, end, put: '' }]
      if (part === 'reply') return [{ start, end, put: 'reply: anyJson,' }]
      return part === 'body'
        ? [{ start, end, put: `body: laterSchema(() => ${load}.then((all) => all.${name}.body)),` }]
        : []
    })
  })
}

type Node = Record<string, unknown> & { type: string; start: number; end: number }

interface Declaration {
  name: string
  exported: boolean
  statement: Node
  endpoint: Node | null
}

interface ContractFile {
  declarations: Declaration[]
  schemas: Set<string>
}

const parseStatements = (code: string, path: string): Node[] =>
  parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }).body as unknown as Node[]

const files = new Map<string, ContractFile>()

function readContractFile(path: string): ContractFile {
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
    const endpoint = isEndpoint ? ((call.arguments as Node[]).at(-1) ?? null) : null
    return { name: String((id as Node).name), exported, statement, endpoint }
  })
}

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
