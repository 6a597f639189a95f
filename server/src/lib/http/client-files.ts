import { existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { constants } from 'node:zlib'
import compression from 'compression'
import express, { type Request, type RequestHandler, Router } from 'express'
import expressStaticGzip from 'express-static-gzip'
import { z } from 'zod'
import { hashOf } from '../security/hash-of.ts'
import { notFound } from './app-error.ts'
import { escapeHtml } from './html.ts'

export function findClientBuild(folder: string | null): string | null {
  return folder && existsSync(folder) ? folder : null
}

/** Strong compression pays: replies are small, and schools' lines slow. */
export function compressResponses(): RequestHandler {
  return compression({ level: 8, brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } } })
}

/** At most two folders deep, and never above. */
const ASSET_NAME = /^([\w-][\w.-]*\/){0,2}[\w-][\w.-]*\.\w+$/
const ASSET_CACHING = { immutable: true, maxAge: '1y' }

/**
 * Hashed files never change. A worker's policy is its own, and ours opens PDFs that anybody may have made. @param
 * readOther reads files of other versions, for pages open during an upgrade
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

export function inlineScriptsOf(folder: string): string[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = '']) => `'sha256-${hashOf(code, 'base64')}'`)
}

/**
 * Any other address is a page of the client; browsers revalidate it each time.
 * @param headingOf what the page on the way into a launch shows until its program has come
 */
export function serveClientPages(folder: string, headingOf?: (request: Request) => Promise<string | null>): Router {
  const router = Router()
  router.use(express.static(folder, { index: false, maxAge: '1h', setHeaders: allowCrossOriginFavicon }))
  const pageHtml = createPageHtml(folder)
  router.get(/.*/, async (request, response) => {
    const heading = headingOf && pathInLaunch(request.path) === wayIn ? await headingOf(request) : null
    const page = typeof request.query.page === 'string' ? request.query.page : undefined
    const html = pageHtml(request.path, page)
    response
      .set('Cache-Control', heading === null ? 'no-cache' : 'no-store')
      .type('html')
      .send(heading === null ? html : withHeading(html, heading, page))
  })
  return router
}

const PageFiles = z.object({
  pages: z.array(z.object({ path: z.string(), files: z.array(z.string()) })),
  launched: z.array(z.string()),
})

/** `/l/{launch}/…` is a page of a launch from an LMS. */
const launchPath = /^\/l\/[\w-]+(?=\/|$)/
const wayIn = '/enter'
/** Null outside a launch. */
const pathInLaunch = (path: string) => (launchPath.test(path) ? path.replace(launchPath, '') : null)

const loadedAfterHeading = /\s*(<link rel="stylesheet"[^>]*>|<script>.*?<\/script>)/gs

/** As `FirstHeading.tsx` draws it, which takes over. What stands before style sheets and scripts is drawn first. */
function withHeading(html: string, heading: string, page = ''): string {
  const width = page.startsWith('/student/assignments/') ? ' data-width="reading"' : ''
  const first = `<main class="first-heading"${width}><h1>${escapeHtml(heading)}</h1></main>`
  const after = html.match(loadedAfterHeading) ?? []
  return html
    .replace(loadedAfterHeading, '')
    .replace('<div id="root">', (root) => root + first)
    .replace('</body>', (end) => `${after.join('')}\n  ${end}`)
}

/** Style sheets and data come first: they draw the page's bar without scripts. */
const scriptPriority = 'fetchpriority="low"'

/** Names the address's files in the head, so that they load at once. A launch's entry leads to `page`. */
export function createPageHtml(folder: string): (pathname: string, page?: string) => string {
  const built = readFileSync(join(folder, 'index.html'), 'utf8')
  const html = built.replace('<script type="module" ', `<script type="module" ${scriptPriority} `)
  const file = join(folder, 'page-files.json')
  if (!existsSync(file)) return () => html
  const { pages, launched } = PageFiles.parse(JSON.parse(readFileSync(file, 'utf8')))
  // Most LMSs are light, and a dark frame in one is a black box.
  const inFrame = html.replace('<html ', '<html data-mantine-color-scheme="light" ').replace('light dark', 'light')
  const withFiles = (files: readonly string[], base = html) => {
    const hints = [...new Set(files)].filter((name) => !html.includes(name)).map(hintFor)
    return base.replace('</head>', `${hints.map((hint) => `  ${hint}\n  `).join('')}</head>`)
  }
  const matchers = pages.map(({ path, files }) => ({
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`),
    alone: withFiles(files),
    launched: withFiles([...launched, ...files], inFrame),
  }))
  const launchedElsewhere = withFiles(launched, inFrame)
  return (pathname, page) => {
    const inLaunch = pathInLaunch(pathname)
    const isLaunched = inLaunch !== null
    const below = inLaunch === wayIn ? (page ?? inLaunch) : (inLaunch ?? pathname)
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
