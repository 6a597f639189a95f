import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import path from 'node:path'

export interface Import {
  /** Relative to the folder; `to` is null for a package. */
  from: string
  to: string | null
  specifier: string
  /** Empty for types alone. */
  values: string[]
  lazy: boolean
}

const STATIC_IMPORT = /^(?:import|export) (type )?(?:([\w*{][^'"`;]*?) from )?'([^']+)'/gm
const DYNAMIC_IMPORT = /\bimport\('([^']+)'\)/g

export async function readImports(root: string): Promise<Import[]> {
  const found: Import[] = []
  for await (const from of glob('**/*.{ts,tsx}', { cwd: root })) {
    if (/\.test\.tsx?$/.test(from) || from.split('/').includes('testing')) continue
    for (const { specifier, ...one } of importsOf(readFileSync(path.join(root, from), 'utf8'))) {
      const to = specifier.startsWith('.') ? path.posix.join(path.posix.dirname(from), specifier) : null
      found.push({ from, to, specifier, ...one })
    }
  }
  return found
}

function* importsOf(source: string): Generator<Omit<Import, 'from' | 'to'>> {
  for (const [, typeOnly, names = '', specifier = ''] of source.matchAll(STATIC_IMPORT)) {
    const values = names
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
    yield { specifier, values: typeOnly ? [] : values, lazy: false }
  }
  for (const [, specifier = ''] of source.matchAll(DYNAMIC_IMPORT)) yield { specifier, values: ['*'], lazy: true }
}

/** The first circle each file is found in, its first file again at the end. */
export function importCircles(imports: Pick<Import, 'from' | 'to'>[]): string[][] {
  const importsOfFile = Map.groupBy(imports, ({ from }) => from)
  const circles: string[][] = []
  const done = new Set<string>()
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file])
    else if (!done.has(file)) {
      for (const { to } of importsOfFile.get(file) ?? []) if (to !== null) visit(to, [...path, file])
      done.add(file)
    }
  }
  for (const file of importsOfFile.keys()) visit(file, [])
  return circles
}
