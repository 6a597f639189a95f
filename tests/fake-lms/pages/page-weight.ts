import { fileURLToPath } from 'node:url'
import express, { type Express, type RequestHandler } from 'express'
import { Html, html } from './html.ts'

/**
 * A page of Moodle 4.1 (Boost) with an empty cache, assumed: some 40 requests. Scripts are parsed but idle, and the
 * network has no latency.
 */
export const moodleWeight = {
  /** Of the server: a page, and a launch's hop, which draws nothing. */
  pageMs: 275,
  hopMs: 100,
  htmlKb: 75,
  cssKb: 500,
  fonts: 4,
  icons: 12,
  /** Before anything is drawn. */
  headScripts: 3,
  headScriptKb: 40,
  /** Each loads the next: RequireJS, its bundle, the page's modules, two calls. */
  requireKb: 20,
  bundleKb: 420,
  modules: 14,
  moduleKb: 10,
  calls: 2,
}
const { modules, calls, icons, fonts, headScripts } = moodleWeight
const base = '/weight'

const repeated = (kb: number, piece: (i: number) => string) => {
  let text = ''
  for (let i = 0; text.length < kb * 1024; i++) text += piece(i)
  return text
}
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

const rule = (i: number) =>
  `.box${i % 900} .part${i % 70}>a:hover{color:#1d2${i % 10};margin:0 ${i % 9}px 2px;border:1px solid #dee2e6}\n`
const faces = upTo(fonts).map(
  (i) => `@font-face{font-family:face${i};src:url(${base}/face${i}.woff2)}.face${i}{font-family:face${i}}`,
)
const work = (i: number) =>
  `function part${i}(node,options){var list=[];for(var i=0;i<options.length;i++){if(node.id===options[i])list.push(i+${i})}return list}\n`

/** RequireJS's loading; `window.lmsReady` is when the page's last call was answered. */
const require = `addEventListener('DOMContentLoaded', async () => {
const load = (src) => new Promise((done) => document.head.append(Object.assign(document.createElement('script'), { src, onload: done })))
await load('${base}/bundle.js')
await Promise.all(${JSON.stringify(upTo(modules).map((i) => `${base}/module${i}.js`))}.map(load))
await Promise.all(${JSON.stringify(upTo(calls).map((i) => `${base}/call${i}`))}.map((path) => fetch(path, { method: 'POST' })))
window.lmsReady = performance.now() })\n`

export const weightyHead = html`<link rel="stylesheet" href="${base}/theme.css">
${upTo(headScripts).map((i) => html`<script src="${base}/head${i}.js"></script>`)}`

const item = (i: number) =>
  `<li class="box${i} part${i % 70}"><a class="face${i % fonts}" href="#${i}">Activity ${i}</a></li>\n`
export const weightyFoot = new Html(
  `<nav style="height:200px;overflow:auto">${upTo(icons)
    .map((i) => `<img alt="" width="16" height="16" src="${base}/icon${i}.svg">`)
    .join('')}
<ul>${repeated(moodleWeight.htmlKb, item)}</ul></nav><script src="${base}/require.js"></script>`,
)

const kept: RequestHandler = (_request, response, next) => {
  response.setHeader('cache-control', 'public, max-age=5184000, immutable')
  next()
}

/** Cached by the browser as Moodle's are. */
export function addPageWeight(app: Express): void {
  const { pageMs, hopMs, cssKb, headScriptKb, requireKb, bundleKb, moduleKb } = moodleWeight
  const font = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'))
  const files = express.Router()
  const script = (name: string, text: string) =>
    files.get(`/${name}.js`, (_request, response) => void response.type('js').send(text))
  const css = `${faces.join('')}${repeated(cssKb, rule)}`
  files.post('/:call', (_request, response) => void response.json([]))
  files.use(kept)
  files.get('/theme.css', (_request, response) => void response.type('css').send(css))
  for (const i of upTo(headScripts)) script(`head${i}`, repeated(headScriptKb, work))
  script('require', `${require}${repeated(requireKb, work)}`)
  script('bundle', repeated(bundleKb, work))
  for (const i of upTo(modules)) script(`module${i}`, repeated(moduleKb, work))
  files.get('/:face.woff2', (_request, response) => response.sendFile(font))
  files.get('/:icon.svg', (_request, response) => {
    response.type('svg').send('<svg xmlns="http://www.w3.org/2000/svg"><circle cx="8" cy="8" r="8"/></svg>')
  })
  app.use(base, files)
  app.use('/courses/:courseId/links', ({ path }, _response, next) => {
    setTimeout(next, path.endsWith('/launch') ? hopMs : pageMs)
  })
}
