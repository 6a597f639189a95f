import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { constants } from 'node:zlib'
import compression from 'compression'
import express, { type RequestHandler, Router } from 'express'
import expressStaticGzip from 'express-static-gzip'
import { z } from 'zod'
import { notFound } from './app-error.ts'

/** The folder of the built client, if it is there. */
export function findClientBuild(folder: string | null): string | null {
  return folder && existsSync(folder) ? folder : null
}

/** Replies are compressed as hard as is worth it: they are small, and lines at schools are slow. */
export function compressResponses(): RequestHandler {
  return compression({ level: 8, brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } } })
}

/** In two folders at most, and never above them. */
const ASSET_NAME = /^([\w-][\w.-]*\/){0,2}[\w-][\w.-]*\.\w+$/
const ASSET_CACHING = { immutable: true, maxAge: '1y' }

/**
 * Files with a hash in their name never change; most were compressed when they were built. They are no pages, so what binds pages need not
 * go with each; but a worker has the policy of its own reply, not its page's, and ours opens PDFs that anybody may have made.
 * @param readOther reads a file of another version, whose page the browser has: while versions are replaced, and where a page stays open
 */
export function serveClientAssets(
  folder: string,
  headers: RequestHandler,
  readOther: (name: string) => Promise<Buffer | null>,
): RequestHandler[] {
  const guard: RequestHandler = (request, response, next) => {
    if (/worker/i.test(request.path)) return headers(request, response, next)
    response.set('X-Content-Type-Options', 'nosniff')
    next()
  }
  const files = expressStaticGzip(join(folder, 'assets'), {
    enableBrotli: true,
    index: false,
    serveStatic: ASSET_CACHING,
  })
  const ofOthers: RequestHandler = async (request, response) => {
    const name = request.path.slice(1)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const content = isRead && ASSET_NAME.test(name) ? await readOther(name) : null
    if (!content) throw notFound()
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type(extname(name)).send(content)
  }
  return [guard, files, ofOthers]
}

/** LMS pages show the icon too, which the policy of all other files would forbid. */
function allowCrossOriginFavicon(response: ServerResponse, path: string): void {
  if (path.endsWith('favicon.svg')) response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
}

/** The scripts that the build wrote into the page, as a content security policy names them. */
export function inlineScriptsOf(folder: string): string[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  )
}

/** Where a launch's way in leads, as the redirect to it says. */
const pageNamedIn = ({ page }: Record<string, unknown>) => (typeof page === 'string' ? page : undefined)

/** Every other address is a page of the client; browsers revalidate it each time. */
export function serveClientPages(folder: string): Router {
  const router = Router()
  router.use(express.static(folder, { index: false, maxAge: '1h', setHeaders: allowCrossOriginFavicon }))
  const pageHtml = createPageHtml(folder)
  router.get(/.*/, (request, response) => {
    response
      .set('Cache-Control', 'no-cache')
      .type('html')
      .send(pageHtml(request.path, pageNamedIn(request.query)))
  })
  return router
}

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
