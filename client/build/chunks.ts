import type { Plugin, Rolldown } from 'vite'
import { isSchemaModule } from './contract-without-schemas.ts'

const publicPage = /\/features\/(?:landing|auth|legal)\/\w+Page\.tsx$/
const wayIn = /\/features\/(?:landing\/LandingPage|auth\/LoginPage)\.tsx$/
const signedInFrame = /\/layout\/navigation\/SignedInBar\.tsx$/
const launchedApp = /\/features\/lti\/LaunchedApp\.tsx$/
const ours = /\/(?:client|shared)\/src\//
const libraries = /\/node_modules\/(?:@mantine\/(?:core|hooks|form)|@tabler\/icons-react)\//
const library = '/@mantine/core/esm/'
const namedImports = /import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g

/** What most people come for: these must not wait for what other screens share. */
const mostOpened =
  /\/(?:features\/.*\/(?:DashboardPage|SubmissionsPage|SubmissionPage|QuestionsPage|StudentDashboardPage|StudentAssignmentPage)|lti\/LaunchedApp|pdf\/PdfPages|feedback\/Toasts)\.tsx$/

type Part = 'start' | 'signed-in' | 'more' | 'schemas'

const partOf = new Map<string, Part>()

interface Modules {
  ids: string[]
  info(id: string): Rolldown.ModuleInfo | null
}

/**
 * `start`: what public pages share; `signed-in`: what the most opened screens need; `more`: the rest; `schemas`: form
 * checks.
 */
export function divideSharedModules(): Plugin {
  return {
    name: 'assay-divide-shared-modules',
    apply: 'build',
    buildEnd(failure) {
      if (failure) return
      const info = (id: string) => this.getModuleInfo(id)
      const modules: Modules = { ids: [...this.getModuleIds()], info }
      const importsIn = createImportReader(modules)
      const entries = modules.ids.filter((id) => modules.info(id)?.isEntry)
      const pages = modules.ids.filter((id) => (modules.info(id)?.dynamicImporters.length ?? 0) > 0)
      const uses = (id: string) => reachableFrom([id], importsIn)
      const opened = reachableFrom(matching(modules.ids, mostOpened), importsIn)
      for (const [id, users] of countUsers(pages.map(uses)))
        if (users > 1 || libraries.test(id)) partOf.set(id, opened.has(id) ? 'signed-in' : 'more')
      for (const id of reachableFrom(matching(modules.ids, signedInFrame), importsIn)) partOf.set(id, 'signed-in')
      // One style sheet for the pages opened most and what they show later: each further file would be waited for.
      const later = (id: string) => (info(id)?.dynamicallyImportedIds ?? []).filter((one) => !/Page\.tsx$/.test(one))
      const shown = reachableFrom(matching(modules.ids, mostOpened), (id) => [...importsIn(id), ...later(id)])
      for (const id of modules.ids.filter((one) => ours.test(one) && /\.css$/.test(one)))
        if (shown.has(id)) partOf.set(id, 'signed-in')
      for (const [id, users] of countUsers(matching(modules.ids, publicPage).map(uses)))
        if (users > 1 || /\.css$/.test(id)) partOf.set(id, 'start')
      for (const id of reachableFrom(entries, importsIn)) partOf.set(id, 'start')
      for (const id of matching(modules.ids, publicPage)) partOf.delete(id)
      // A launch has more to ask for than a page alone, and this is small.
      for (const id of reachableFrom(matching(modules.ids, launchedApp), importsIn))
        if (!partOf.has(id)) partOf.set(id, 'signed-in')
      for (const id of modules.ids.filter(isSchemaModule)) partOf.set(id, 'schemas')
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((one): one is Rolldown.OutputChunk => one.type === 'chunk')
      const isWaitedFor = (id: string) => mostOpened.test(id) || wayIn.test(id)
      for (const first of chunks.filter(
        ({ isEntry, name, moduleIds }) => isEntry || name === 'more' || moduleIds.some(isWaitedFor),
      )) {
        const files = reachableFrom(
          [first.fileName],
          (name) => chunks.find((one) => one.fileName === name)?.imports ?? [],
        )
        const schema = chunks.find((one) => files.has(one.fileName) && one.moduleIds.some(isSchemaModule))
        if (schema)
          this.error(
            `${first.fileName} would wait for zod in ${schema.fileName}: import what names a schema when it is shown`,
          )
      }
    },
  }
}

const matching = (ids: readonly string[], pattern: RegExp) => ids.filter((id) => pattern.test(id))

function countUsers(sets: readonly ReadonlySet<string>[]): Map<string, number> {
  const users = new Map<string, number>()
  for (const set of sets) for (const id of set) users.set(id, (users.get(id) ?? 0) + 1)
  return users
}

function reachableFrom(from: readonly string[], importsIn: (id: string) => string[]): Set<string> {
  const reached = new Set(from)
  for (const id of reached) for (const imported of importsIn(id)) reached.add(imported)
  return reached
}

/** Of the component library, only the parts that the module names. */
function createImportReader({ ids, info }: Modules): (id: string) => string[] {
  const entry = ids.find((id) => id.endsWith(`${library}index.mjs`)) ?? ''
  const parts = new Map<string, string>()
  for (const { names, from } of namedImportsOf(info(entry)?.code))
    for (const name of names) parts.set(name, entry.replace('index.mjs', from.replace('./', '')))
  return (id) => {
    const imported = (info(id)?.importedIds ?? []).filter((one) => one !== entry && !isSchemaModule(one))
    if (!ours.test(id)) return imported
    const named = namedImportsOf(info(id)?.code).filter(({ from }) => from === '@mantine/core')
    return [...imported, ...named.flatMap(({ names }) => names.flatMap((name) => parts.get(name) ?? []))]
  }
}

function namedImportsOf(code: string | null | undefined): { names: string[]; from: string }[] {
  return [...(code ?? '').matchAll(namedImports)].map(([, names = '', from = '']) => ({
    names: names.split(',').map((name) => name.trim().split(/\s+as\s+/)[0] ?? ''),
    from,
  }))
}

/** A screen is the start, what signed-in screens share, and its own file: split further, one took seventy files. */
export const chunks: Rolldown.CodeSplittingGroup[] = [
  { name: 'start', test: (id) => partOf.get(id) === 'start', priority: 4 },
  { name: 'signed-in', test: (id) => partOf.get(id) === 'signed-in', priority: 3 },
  { name: 'schemas', test: (id) => partOf.get(id) === 'schemas', priority: 2 },
  { name: 'more', test: (id) => partOf.get(id) === 'more', priority: 1 },
]
