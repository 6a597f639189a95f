import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Made by the client's build: which files each address needs. Addresses are the router's, as `/courses/:courseId`. */
const PageFiles = z.object({
  pages: z.array(z.object({ path: z.string(), files: z.array(z.string()) })),
  launched: z.array(z.string()),
})

/** `/l/{launch}/…`: a page of a launch from an LMS, under the address it also has without. */
const launchPath = /^\/l\/[\w-]+(?=\/|$)/
const wayIn = '/enter'

/** Scripts come after the style sheets and the data: with these the page's bar is drawn, which needs no script. */
const scriptPriority = 'fetchpriority="low"'

/**
 * The client's page for an address. Its head names the program's files for that address, so that the browser asks for all of them at once
 * instead of running the program's beginning to learn of the rest. A launch's way in leads to another page of it, `page`.
 */
export function createPageHtml(folder: string): (pathname: string, page?: string) => string {
  const built = readFileSync(join(folder, 'index.html'), 'utf8')
  const html = built.replace('<script type="module" ', `<script type="module" ${scriptPriority} `)
  const file = join(folder, 'page-files.json')
  if (!existsSync(file)) return () => html
  const { pages, launched } = PageFiles.parse(JSON.parse(readFileSync(file, 'utf8')))
  const withFiles = (files: readonly string[]) => {
    const hints = [...new Set(files)].filter((name) => !html.includes(name)).map(hintFor)
    return html.replace('</head>', `${hints.map((hint) => `  ${hint}\n  `).join('')}</head>`)
  }
  const matchers = pages.map(({ path, files }) => ({
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`),
    alone: withFiles(files),
    launched: withFiles([...launched, ...files]),
  }))
  const launchedElsewhere = withFiles(launched)
  return (pathname, page) => {
    const inLaunch = pathname.replace(launchPath, '')
    const isLaunched = inLaunch !== pathname
    const below = isLaunched && inLaunch === wayIn ? (page ?? inLaunch) : inLaunch
    const found = matchers.find(({ pattern }) => pattern.test(below))
    if (!found) return isLaunched ? launchedElsewhere : html
    return isLaunched ? found.launched : found.alone
  }
}

function hintFor(name: string): string {
  if (name.endsWith('.css')) return `<link rel="stylesheet" crossorigin href="/${name}">`
  if (name.endsWith('.woff2')) return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${name}">`
  return `<link rel="modulepreload" ${scriptPriority} crossorigin href="/${name}">`
}
