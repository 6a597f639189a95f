import { createReadStream, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const folders = ['cmaps', 'standard_fonts', 'wasm', 'iccs']
const unwanted = /^quickjs/

/** Adds pdf.js's own files, and makes `pdfjs-dist` mean react-pdf's copy: its worker must have the same version. */
export function pdfjsFiles(): Plugin {
  const fromReactPdf = createRequire(createRequire(import.meta.url).resolve('react-pdf/package.json'))
  const packageFile = fromReactPdf.resolve('pdfjs-dist/package.json')
  const { version }: { version: string } = fromReactPdf(packageFile)
  const home = dirname(packageFile)
  // The version is in the name because browsers cache `assets` for a year.
  const target = `assets/pdfjs-${version}`
  const files = new Map(
    folders.flatMap((folder) =>
      readdirSync(join(home, folder))
        .filter((name) => !unwanted.test(name))
        .map((name): [string, string] => [`${target}/${folder}/${name}`, join(home, folder, name)]),
    ),
  )
  return {
    name: 'assay-pdfjs-files',
    config: () => ({ resolve: { alias: [{ find: /^pdfjs-dist(?=\/|$)/, replacement: home }] } }),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const file = files.get((request.url ?? '').slice(1).split('?')[0] ?? '')
        if (!file) return next()
        if (file.endsWith('.wasm')) response.setHeader('Content-Type', 'application/wasm')
        createReadStream(file).pipe(response)
      })
    },
    async generateBundle() {
      for (const [fileName, file] of files) {
        this.emitFile({ type: 'asset', fileName, source: await readFile(file) })
      }
    },
  }
}
