import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { runtimeName } from './bundler-runtime.ts'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk

const launchedApp = 'src/features/lti/LaunchedApp.tsx'
const routers = ['src/router.tsx', launchedApp]
/** If this font comes late, lines break anew and the page moves. */
const textFont = /inter-latin-wght-normal-.*\.woff2$/
const pagePattern = /(?:page|publicPage)\(\s*'([^']+)',\s*\(\) => import\('([^']+)'\)/g

/** Lists the files of each address, so that the server can preload them in the page's head. */
export function pageFiles(root: string): Plugin {
  return {
    name: 'assay-page-files',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const fonts = Object.keys(bundle).filter((name) => textFont.test(name))
      const filesOf = (module: string) => [...fonts, ...filesOfModule(bundle, join(root, module))]
      const pages: { path: string; files: string[] }[] = []
      for (const router of routers) {
        const source = await readFile(join(root, router), 'utf8')
        const found = [...source.matchAll(pagePattern)]
        if (found.length !== source.match(/import\(/g)?.length)
          this.error(`not every page of ${router} is written so that its files are found`)
        for (const [, path = '', module = ''] of found) pages.push({ path, files: filesOf(join(router, '..', module)) })
      }
      const source = JSON.stringify({ pages, launched: filesOf(launchedApp) })
      this.emitFile({ type: 'asset', fileName: 'page-files.json', source })
    },
  }
}

function filesOfModule(bundle: Bundle, module: string): string[] {
  const chunks = Object.values(bundle).filter((one): one is Chunk => one.type === 'chunk')
  const first = chunks.find(({ moduleIds, facadeModuleId }) => facadeModuleId === module || moduleIds.includes(module))
  if (!first) throw new Error(`${module} is in no file`)
  const needed = new Set([first])
  for (const chunk of needed)
    for (const name of chunk.imports) {
      const imported = chunks.find(({ fileName }) => fileName === name)
      if (imported && !runtimeName.test(name)) needed.add(imported)
    }
  return [...needed].flatMap(({ fileName, viteMetadata }) => [...(viteMetadata?.importedCss ?? []), fileName])
}
