import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { type ContractFile, type Node, parseStatements, readContractFile } from './contract-files.ts'

const query = '?schemas'
const contractFile = /\/shared\/src\/[\w/-]+\.ts$/
/** What of an endpoint only the server needs. */
const onServer = new Set(['params', 'query', 'summary', 'access'])

/** Modules that need zod: the library with its set-up, and the parts of the contract that are made with it. */
export const isSchemaModule = (id: string): boolean =>
  id.endsWith(query) || /\/node_modules\/zod\/|\/zod-jitless\.ts$/.test(id)

/**
 * Divides each file of the contract: what is made with zod goes to a module of its own (`courses.ts?schemas`), for
 * forms and for screens that name a schema; endpoints stay, as method and path. No screen waits for zod.
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

  /** Asks for schemas where they are, and has zod set up first. */
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

/** From the last to the first, so that the places of the others stay. */
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
