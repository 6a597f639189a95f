import type { Plugin, Rolldown } from 'vite'

export const runtimeName = /^assets\/rolldown-runtime-.*\.js$/
/** `import{n as e,r as t}from"./rolldown-runtime-….js";`, and the `export{…}` at the runtime's end. */
const importing = (name: string) => new RegExp(`import\\{([^}]*)\\}from"\\./${name.replace('assets/', '')}";`)
const exporting = /export\{([^}]*)\};?\s*$/

/** The bundler's few helpers go into the entry: in a file of their own every first visit would wait for them. */
export function bundlerRuntimeInEntry(): Plugin {
  return {
    name: 'assay-bundler-runtime-in-entry',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((one): one is Rolldown.OutputChunk => one.type === 'chunk')
        const runtime = chunks.find(({ fileName }) => runtimeName.test(fileName))
        const entry = chunks.find(({ isEntry }) => isEntry)
        if (!runtime || !entry) return this.error('the helpers of the bundler are not where they were')
        const helpers = namesIn(exporting.exec(runtime.code)?.[1] ?? '')
        if (helpers.length === 0) return this.error('the helpers of the bundler have no names')
        const made = helpers.map(({ from, to }) => `${sharedName(to)}:${from}`).join(',')
        const body = runtime.code.replace(exporting, `return{${made}}`)
        const shared = helpers.map(({ to }) => sharedName(to)).join(',')
        const own = namesIn(importing(runtime.fileName).exec(entry.code)?.[1] ?? '')
        const aliases = own.map(({ from, to }) => `const ${to}=${sharedName(from)};`).join('')
        const rest = entry.code.replace(importing(runtime.fileName), '')
        entry.code = `const{${shared}}=(()=>{${body}})();${aliases}${rest}\nexport{${shared}};`
        const entryFile = entry.fileName.replace('assets/', '')
        for (const chunk of chunks) {
          chunk.code = chunk.code.replace(importing(runtime.fileName), (_, names: string) => {
            const renamed = namesIn(names).map(({ from, to }) => `${sharedName(from)} as ${to}`)
            return `import{${renamed.join(',')}}from"./${entryFile}";`
          })
          chunk.code = chunk.code.replaceAll(runtime.fileName, entry.fileName)
          if (chunk !== runtime && chunk.code.includes('rolldown-runtime'))
            return this.error(`${chunk.fileName} still asks for the helpers of the bundler`)
        }
        const page = bundle['index.html']
        if (page?.type !== 'asset') return this.error('the page is not where it was')
        const link = new RegExp(`\\s*<link rel="modulepreload"[^>]*${runtime.fileName}[^>]*>`)
        page.source = String(page.source).replace(link, '')
        if (page.source.includes(runtime.fileName))
          return this.error('the page still asks for the helpers of the bundler')
        delete bundle[runtime.fileName]
      },
    },
  }
}

const namesIn = (list: string): { from: string; to: string }[] =>
  list
    .split(',')
    .filter(Boolean)
    .map((one) => {
      const [from = '', to = from] = one.trim().split(/\s+as\s+/)
      return { from, to }
    })

const sharedName = (name: string) => `bundler_${name}`
