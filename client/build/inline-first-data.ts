import { join } from 'node:path'
import { build, type Plugin } from 'vite'

const tag = '<script type="module" src="/src/first-data.ts"></script>'

/** The server's CSP allows this script by its hash. */
export function inlineFirstData(root: string): Plugin {
  return {
    name: 'assay-inline-first-data',
    apply: 'build',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        if (!html.includes(tag)) throw new Error(`index.html has no ${tag}`)
        const built = await build({
          root,
          configFile: false,
          logLevel: 'warn',
          publicDir: false,
          build: {
            write: false,
            target: 'es2023',
            lib: { entry: join(root, 'src/first-data.ts'), formats: ['iife'], name: 'firstData' },
          },
        })
        const [file] = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
        if (file?.type !== 'chunk') throw new Error('first-data.ts has not been built')
        return html.replace(tag, () => `<script>${file.code.trim()}</script>`)
      },
    },
  }
}
